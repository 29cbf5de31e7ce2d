/** The sizes of the models' context windows, and the prompt budget in them. */
import type { Connection } from "../../shared/models/connection.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import type { RequestHost } from "../provider/connect/connection-fetch.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import { type Wording, wordingFor } from "../tools/set/tool-set.ts";
import { askListedWindow } from "./listed-window.ts";

/** Tokens reserved for the answer if the settings do not specify it: this many, or a fifth of a small window. */
const ANSWER_TOKENS = 8_192;
const ANSWER_SHARE = 0.2;

export interface WindowsDeps {
  host: RequestHost & Pick<Host, "clock" | "log" | "editorModels">;
  settings(): Settings;
  apiKey(connection: Connection): Promise<string | undefined>;
}

export class Windows {
  readonly #deps: WindowsDeps;
  readonly #small = new WeakSet<ModelProfile>();

  constructor(deps: WindowsDeps) {
    this.#deps = deps;
  }

  /** Tokens of the model's window, as currently known. */
  of(profile: ModelProfile): number {
    return profile.window(this.#deps.settings().provider.contextWindow);
  }

  /** Like `of`, after asking the endpoint if the window is not known yet, which takes at most a second. */
  async ask(profile: ModelProfile, signal: AbortSignal): Promise<number> {
    const { provider } = this.#deps.settings();
    const known = provider.contextWindow > 0 || profile.listsWindow;
    if (!known && profile.connection.baseUrl !== "" && profile.model !== "")
      await askListedWindow(profile, this.#deps, signal);
    return this.of(profile);
  }

  /** How much the instructions say: once a model's window turned out to be small, little for the rest of the task. */
  wording(profile: ModelProfile): Wording {
    if (wordingFor(this.of(profile)) === "compact") this.#small.add(profile);
    return this.#small.has(profile) ? "compact" : "full";
  }

  /** Tokens that a prompt may have in `window`, by default the model's. */
  budget(profile: ModelProfile, window = this.of(profile)): number {
    const { maxOutputTokens } = this.#deps.settings().provider;
    const reserved = maxOutputTokens || Math.min(ANSWER_TOKENS, Math.floor(window * ANSWER_SHARE));
    return window - Math.min(reserved, Math.floor(window / 2));
  }
}
