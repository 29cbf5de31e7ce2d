/** Nothing is printed while a slow machine reads a long prompt, so a run says that it waits. */
import { expect, it } from "vitest";
import { LongWait } from "../../../src/cli/long-wait.ts";
import type { TaskEvent } from "../../../src/shared/event.ts";

function watched() {
  let now = 0;
  let due: { at: number; run: () => void } | undefined;
  const said: [string, number][] = [];
  const clock = {
    now: () => new Date(now),
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      due = timer;
      return {
        dispose: () => {
          if (due === timer) due = undefined;
        },
      };
    },
  };
  const wait = new LongWait(clock, (session, seconds) => said.push([session, seconds]));
  const status = (name: "waiting" | "streaming" | "idle"): TaskEvent => ({
    type: "status",
    session: "s",
    status: name,
  });
  return {
    said,
    wait,
    is: (name: "waiting" | "streaming" | "idle") => wait.follow(status(name)),
    pass(seconds: number) {
      const end = now + seconds * 1_000;
      while (due && due.at <= end) {
        const { at, run } = due;
        due = undefined;
        now = at;
        run();
      }
      now = end;
    },
  };
}

it("is said every minute until the model answers", () => {
  const { is, pass, said } = watched();
  is("waiting");
  pass(59);
  expect(said).toEqual([]);
  pass(70);
  expect(said).toEqual([
    ["s", 60],
    ["s", 120],
  ]);
  is("streaming");
  pass(600);
  expect(said).toHaveLength(2);
});

it("begins anew with each request, and ends with the run", () => {
  const { is, pass, said, wait } = watched();
  is("waiting");
  pass(50);
  is("streaming");
  is("waiting");
  pass(50);
  expect(said).toEqual([]);
  pass(10);
  expect(said).toEqual([["s", 60]]);
  wait.dispose();
  pass(600);
  expect(said).toHaveLength(1);
});
