import { onTestFinished, vi } from "vitest";

/** Until the test ends, time limits are over only when `vi.advanceTimersByTime` says so, however busy the machine is. */
export function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}
