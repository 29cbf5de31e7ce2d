import { isRecord, refuse } from "../api-error.ts";

/** What a request asks of the model's thinking. */
export type Thinking = "enabled" | "adaptive" | "disabled" | undefined;

/** Refuses with the words of the API, which begin with the place of the fault. */
export function reject(message: string): never {
  refuse(null, "invalid_request_error", message);
}

/** Refuses fields that an object of the API does not have. */
export function onlyFields(value: Record<string, unknown>, fields: readonly string[], at: string): void {
  const extra = Object.keys(value).find((name) => !fields.includes(name));
  if (extra !== undefined) reject(`${at}.${extra}: Extra inputs are not permitted`);
}

/** Counts the marks of the prompt cache. */
export class Marks {
  #count = 0;

  take(block: Record<string, unknown>, at: string): void {
    const mark = block.cache_control;
    if (mark === undefined || mark === null) return;
    if (!isRecord(mark) || mark.type !== "ephemeral") {
      reject(`${at}.cache_control: Input tag does not match any of the expected tags: 'ephemeral'`);
    }
    onlyFields(mark, ["type", "ttl"], `${at}.cache_control.ephemeral`);
    this.#count += 1;
    if (this.#count > 4) {
      reject(`A maximum of 4 blocks with cache_control may be provided. Found ${this.#count}.`);
    }
  }
}
