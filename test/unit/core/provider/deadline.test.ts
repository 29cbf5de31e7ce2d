/** How long a model may be silent: until its first token, between two, and while a gateway says that it is at work. */
import { expect, it } from "vitest";
import type { Clock } from "../../../../src/core/ports/system.ts";
import { Deadline } from "../../../../src/core/provider/deadline.ts";

function manualClock() {
  let now = 0;
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    now: () => new Date(now),
    after(ms, run) {
      timers.set(run, now + ms);
      return { dispose: () => void timers.delete(run) };
    },
  };
  const pass = (seconds: number) => {
    now += seconds * 1_000;
    for (const [run, at] of timers) if (at <= now && timers.delete(run)) run();
  };
  return { clock, pass };
}

function begin(first: number, idle: number) {
  const { clock, pass } = manualClock();
  return { deadline: new Deadline(clock, new AbortController().signal, first, idle), pass };
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
