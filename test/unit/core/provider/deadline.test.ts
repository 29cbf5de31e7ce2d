/** How long a model may be silent: until its first token, between two, and while a gateway says that it is at work. */
import { expect, it } from "vitest";
import type { Clock } from "../../../../src/core/ports/system.ts";
import { Deadline } from "../../../../src/core/provider/deadline.ts";

function manualClock() {
  let now = 0;
  let started = 0;
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    now: () => new Date(now),
    after(ms, run) {
      started++;
      timers.set(run, now + ms);
      return { dispose: () => void timers.delete(run) };
    },
  };
  const pass = (seconds: number) => {
    now += seconds * 1_000;
    for (const [run, at] of timers) if (at <= now && timers.delete(run)) run();
  };
  const setBack = (seconds: number) => {
    now -= seconds * 1_000;
    for (const [run, at] of timers) timers.set(run, at - seconds * 1_000);
  };
  return { clock, pass, setBack, timers, started: () => started };
}

function begin(first: number, idle: number) {
  const { clock, ...rest } = manualClock();
  return { deadline: new Deadline(clock, new AbortController().signal, first, idle), ...rest };
}

it("a chunk that holds nothing of the answer is no first token", () => {
  const { deadline, pass } = begin(600, 120);
  pass(10);
  deadline.alive();
  pass(500);
  expect(deadline.passed).toBe(false);
  pass(90);
  expect(deadline.error().view.code).toBe("first-token-timeout");
  expect([deadline.passed, deadline.signal.aborted]).toEqual([true, true]);
});

it("silence between two tokens ends it", () => {
  const { deadline, pass } = begin(600, 120);
  deadline.token();
  pass(121);
  expect(deadline.passed).toBe(true);
  expect(deadline.error().view.code).toBe("idle-timeout");
});

it("a sign of life counts as long as a first token may take, and no longer", () => {
  const { deadline, pass } = begin(600, 120);
  deadline.token();
  for (let seconds = 0; seconds < 600; seconds += 100) {
    pass(100);
    expect(deadline.passed).toBe(false);
    deadline.alive();
  }
  pass(100);
  deadline.alive();
  pass(21);
  expect(deadline.passed).toBe(true);
});

it("the silence counts from the newest token, to the second", () => {
  const { deadline, pass } = begin(600, 120);
  deadline.token();
  pass(50);
  deadline.token();
  pass(119);
  expect(deadline.passed).toBe(false);
  pass(1);
  expect([deadline.passed, deadline.signal.aborted]).toEqual([true, true]);
});

it("after the first token, a shorter limit holds at once", () => {
  const { deadline, pass } = begin(600, 120);
  pass(10);
  deadline.token();
  pass(119);
  expect(deadline.passed).toBe(false);
  pass(1);
  expect(deadline.passed).toBe(true);
});

it("after the first token, a longer limit holds at once", () => {
  const { deadline, pass } = begin(60, 120);
  pass(59);
  deadline.token();
  pass(119);
  expect(deadline.passed).toBe(false);
  pass(1);
  expect(deadline.error().view.code).toBe("idle-timeout");
  expect(deadline.passed).toBe(true);
});

it("a limit of 0 is none, before the first token and after it", () => {
  const slow = begin(0, 120);
  slow.pass(100_000);
  expect(slow.deadline.passed).toBe(false);
  slow.deadline.token();
  slow.pass(120);
  expect(slow.deadline.passed).toBe(true);

  const silent = begin(600, 0);
  silent.deadline.token();
  silent.pass(100_000);
  expect(silent.deadline.passed).toBe(false);
});

it("tokens start no timers: the one that runs looks when the newest came", () => {
  const { deadline, pass, timers, started } = begin(600, 120);
  deadline.token();
  for (let count = 0; count < 1_000; count++) {
    deadline.token();
    deadline.alive();
  }
  expect([started(), timers.size]).toEqual([2, 1]);
  for (let seconds = 0; seconds < 600; seconds += 60) {
    pass(60);
    deadline.token();
  }
  expect([deadline.passed, timers.size]).toEqual([false, 1]);
  deadline.dispose();
  expect(timers.size).toBe(0);
});

it("a time of day that is set back makes it no longer than its limit", () => {
  const { deadline, pass, setBack } = begin(600, 120);
  deadline.token();
  pass(60);
  deadline.token();
  setBack(3_600);
  pass(60);
  expect(deadline.passed).toBe(false);
  pass(120);
  expect(deadline.passed).toBe(true);
});
