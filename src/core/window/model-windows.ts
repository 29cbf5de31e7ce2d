/** How large the models' windows are, for all who ask, and what of them a prompt may have. */
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import { askListedWindow } from "./listed-window.ts";

/** Tokens kept free for the answer where the settings do not say: this, or a fifth of a small window. */
const answerTokens = 8_192;
const answerShare = 0.2;

export interface WindowsDeps {
  host: Pick<Host, "clock" | "log" | "fetch">;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
}

export class Windows {
  readonly #deps: WindowsDeps;

  constructor(deps: WindowsDeps) {
    this.#deps = deps;
  }

  /** Tokens of the model's window, as far as is known now. */
  of(profile: ModelProfile): number {
    return profile.window(this.#deps.settings().provider.contextWindow);
  }

  /** The same, after the endpoint was asked, where it can tell something new; for at most a second. */
  async ask(profile: ModelProfile, signal: AbortSignal): Promise<number> {
    const { provider } = this.#deps.settings();
    const known = provider.contextWindow > 0 || profile.listsWindow;
    if (!known && provider.baseUrl !== "" && profile.model !== "")
      await askListedWindow(profile, provider, this.#deps, signal);
    return this.of(profile);
  }

  /** Tokens that a prompt may have in a window, this model's when left out. */
  budget(profile: ModelProfile, window = this.of(profile)): number {
    const { maxOutputTokens } = this.#deps.settings().provider;
    const reserved = maxOutputTokens || Math.min(answerTokens, Math.floor(window * answerShare));
    return window - Math.min(reserved, Math.floor(window / 2));
  }
}
