import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallTimers } from "../../../../src/node/servers/call-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the time limit of a call", () => {
  it("starts anew with each sign of life", () => {
    const late = vi.fn();
    const timer = new CallTimers().start(1_000, late);
    vi.advanceTimersByTime(900);
    timer.restart();
    vi.advanceTimersByTime(900);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(late).toHaveBeenCalledOnce();
  });

  it("stands still while the user is asked, whichever call asked", async () => {
    const timers = new CallTimers();
    const late = vi.fn();
    const timer = timers.start(1_000, late);
    let answer = () => {};
    const asked = timers.during(
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
    );
    // A sign of life, and another call.
    timer.restart();
    timers.start(500, late);
    vi.advanceTimersByTime(60_000);
    expect(late).not.toHaveBeenCalled();
    answer();
    await asked;
    vi.advanceTimersByTime(999);
    expect(late).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledTimes(2);
  });

  it("does not go beyond the limit of the whole, whatever the signs of life", async () => {
    const timers = new CallTimers();
    const late = vi.fn();
    const timer = timers.start(1_000, late, 3_000);
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(500);
      timer.restart();
    }
    expect(late).not.toHaveBeenCalled();
    // A question of the server takes nothing of it.
    let answer = () => {};
    const asked = timers.during(
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
    );
    vi.advanceTimersByTime(60_000);
    answer();
    await asked;
    vi.advanceTimersByTime(499);
    timer.restart();
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledOnce();
  });

  it("ends with the call", () => {
    const late = vi.fn();
    new CallTimers().start(1_000, late).stop();
    vi.advanceTimersByTime(2_000);
    expect(late).not.toHaveBeenCalled();
  });
});
