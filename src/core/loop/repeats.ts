/** Calls that succeed, bring nothing new, and come again: a model that goes round in circles. */
import type { ResultPart, ToolCallBlock } from "../../shared/message.ts";
import type { Access } from "../safety/policy.ts";

/** The same call with the same result so often tells the model, and then asks the user. */
export const nudgeAt = 3;
export const askAt = 5;

/** Durations and times of day, which differ in results that say the same. */
const times =
  /\b\d+(?:\.\d+)?\s?(?:ns|µs|ms|s|sec|seconds?|min|minutes?|m)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;

export class Repeats {
  /** By the call as it was written: its last result, and how often that came. */
  readonly #seen = new Map<string, { result: string; count: number }>();

  /**
   * Counts a call that succeeded: how often it has come with this result since something changed. What an editing call
   * or a command does for the first time may change what every other call finds.
   */
  count(call: Pick<ToolCallBlock, "name" | "params">, access: Access, parts: readonly ResultPart[]): number {
    const key = JSON.stringify([call.name, call.params]);
    const result = JSON.stringify(parts).replace(times, "");
    const seen = this.#seen.get(key);
    if (seen?.result === result) return ++seen.count;
    if (access !== "read" && access !== "web" && access !== "talk") this.#seen.clear();
    this.#seen.set(key, { result, count: 1 });
    return 1;
  }

  reset(): void {
    this.#seen.clear();
  }
}
