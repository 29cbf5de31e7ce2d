/** Detects loops: calls that are repeated and have the same result each time. */

import type { Access } from "../../../shared/event.ts";
import type { ResultPart, ToolCallBlock } from "../../../shared/message.ts";

/** Number of identical results after which a note is sent to the model. */
export const NUDGE_AT = 3;
/** Number of identical results after which the user decides whether the task continues. */
export const ASK_AT = 5;

/** Durations and times of day, which are ignored when results are compared. */
const TIMES =
  /\b\d+(?:\.\d+)?\s?(?:ns|µs|ms|s|sec|seconds?|min|minutes?|m)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;

type Call = Pick<ToolCallBlock, "name" | "params">;

/** Equal for calls of the same tool with the same parameters. */
export function callKey({ name, params }: Call): string {
  return JSON.stringify([name, params]);
}

export class Repeats {
  /** By call (name and parameters): its last result and how often it occurred. */
  readonly #seen = new Map<string, { result: string; count: number }>();
  /** How often each edit succeeded, and each other call failed with the same error, whatever happened in between. */
  readonly #always = new Map<string, number>();

  /**
   * Counts a successful call: how often it has had this result since something changed. The first occurrence of an edit or a
   * command resets all counts, because it may change what other calls find; but not those of edits: one that can be made again
   * was undone.
   */
  count(call: Call, access: Access, parts: readonly ResultPart[]): number {
    const key = callKey(call);
    if (access === "edit") {
      const count = this.#again(key);
      if (count === 1) this.#seen.clear();
      return count;
    }
    const result = JSON.stringify(parts).replace(TIMES, "");
    const seen = this.#seen.get(key);
    if (seen?.result === result) return ++seen.count;
    if (access !== "read" && access !== "web" && access !== "talk") this.#seen.clear();
    this.#seen.set(key, { result, count: 1 });
    return 1;
  }

  /** Counts a call that failed: how often it has had this error. */
  failed(call: Call, error: string): number {
    return this.#again(`${callKey(call)}\n${error.replace(TIMES, "")}`);
  }

  reset(): void {
    this.#seen.clear();
    this.#always.clear();
  }

  #again(key: string): number {
    const count = (this.#always.get(key) ?? 0) + 1;
    this.#always.set(key, count);
    return count;
  }
}
