/**
 * How large the models' windows are, for all who ask: as the person set, as the endpoint lists, or as it said when it
 * refused a prompt.
 */
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import { fallbackContextWindow } from "../provider/presets.ts";
import { listedWindow } from "./listed-window.ts";

/** Tokens kept free for the answer where the settings do not say: this, or a fifth of a small window. */
const answerTokens = 8_192;
const answerShare = 0.2;

export interface WindowsDeps {
  host: Pick<Host, "clock" | "log" | "fetch">;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
}

export class Windows {
  readonly #d: WindowsDeps;
  /** Windows that endpoints stated in refusing a prompt, and those that they list, by endpoint and model. */
  readonly #stated = new Map<string, number>();
  readonly #listed = new Map<string, number>();

  constructor(deps: WindowsDeps) {
    this.#d = deps;
  }

  /** Tokens of the model's window, as far as is known now. */
  of(model: string): number {
    const key = this.#key(model);
    const stated = this.#stated.get(key);
    const { contextWindow } = this.#d.settings().provider;
    const known = contextWindow || this.#listed.get(key) || stated || fallbackContextWindow;
    return Math.min(known, stated ?? Number.POSITIVE_INFINITY);
  }

  /** The same, after the endpoint was asked, where it can tell something new; for at most a second. */
  async ask(model: string, signal: AbortSignal): Promise<number> {
    const { provider } = this.#d.settings();
    const key = this.#key(model);
    const known = provider.contextWindow > 0 || this.#listed.has(key);
    if (!known && provider.baseUrl !== "" && model !== "") {
      const listed = await listedWindow(provider, model, await this.#d.apiKey(), this.#d.host, signal);
      if (listed !== undefined) this.#listed.set(key, listed);
    }
    return this.of(model);
  }

  /** Tokens that a prompt may have in a window, this model's when left out. */
  budget(model: string, window = this.of(model)): number {
    const { maxOutputTokens } = this.#d.settings().provider;
    const reserved = maxOutputTokens || Math.min(answerTokens, Math.floor(window * answerShare));
    return window - Math.min(reserved, Math.floor(window / 2));
  }

  /** What the endpoint said, or made plain, of its window in refusing a prompt. */
  state(model: string, tokens: number): void {
    this.#stated.set(this.#key(model), tokens);
  }

  /** What was stated no longer holds: the window may have been made larger. */
  forget(model: string): void {
    this.#stated.delete(this.#key(model));
  }

  #key(model: string): string {
    return `${this.#d.settings().provider.baseUrl} ${model}`;
  }
}
