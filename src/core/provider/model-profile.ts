/**
 * What is known of one model at one endpoint: by its name, and as its answers and refusals taught. The only place that
 * holds any of it, for as long as the store lives that the host made.
 */
import type { Api, Quirk } from "./api.ts";
import { type ApiKind, apis } from "./apis.ts";
import { fallbackContextWindow, prefersXml } from "./presets.ts";
import type { Protocol } from "./provider.ts";

/** A request for the endpoint's list of models. */
export interface Listing {
  /** Never rejects. */
  window: Promise<number | undefined>;
  /** When it was sent, in milliseconds. */
  at: number;
  failed: boolean;
}

export class ModelProfile {
  readonly model: string;
  readonly api: Api;
  /** Set by whoever asks for the list. */
  listing: Listing | undefined;
  #protocol: Protocol;
  #takesImages = true;
  #quirks: ReadonlySet<Quirk> = new Set();
  #listedWindow: number | undefined;
  #statedWindow: number | undefined;

  constructor(model: string, api: Api) {
    this.model = model;
    this.api = api;
    this.#protocol = prefersXml(model) ? "xml" : "native";
  }

  /** How tools are called where the settings leave the choice. */
  get protocol(): Protocol {
    return this.#protocol;
  }

  /** It refused native calling, or answered it in XML. */
  learnXml(): void {
    this.#protocol = "xml";
  }

  get takesImages(): boolean {
    return this.#takesImages;
  }

  learnNoImages(): void {
    this.#takesImages = false;
  }

  get quirks(): ReadonlySet<Quirk> {
    return this.#quirks;
  }

  learnQuirk(quirk: Quirk): void {
    this.#quirks = new Set([...this.#quirks, quirk]);
  }

  /** Tokens of the window, as far as is known now. `set`: what the settings say, 0 for nothing. */
  window(set: number): number {
    const stated = this.#statedWindow;
    const known = set || this.#listedWindow || stated || fallbackContextWindow;
    return Math.min(known, stated ?? Number.POSITIVE_INFINITY);
  }

  get listsWindow(): boolean {
    return this.#listedWindow !== undefined;
  }

  /** What the endpoint's list of models says. */
  learnListedWindow(tokens: number): void {
    this.#listedWindow = tokens;
  }

  /** What the endpoint said, or made plain, of its window in refusing a prompt. */
  learnStatedWindow(tokens: number): void {
    this.#statedWindow = tokens;
  }

  /** What was stated may no longer apply: the window may have been made larger. */
  forgetStatedWindow(): void {
    this.#statedWindow = undefined;
  }
}

export class ModelProfiles {
  readonly #profiles = new Map<string, ModelProfile>();

  /** The profile of a model at an endpoint, the same one each time. */
  of(baseUrl: string, model: string, kind: ApiKind = "chat"): ModelProfile {
    const key = JSON.stringify([baseUrl, model, kind]);
    let profile = this.#profiles.get(key);
    if (!profile) {
      profile = new ModelProfile(model, apis[kind]);
      this.#profiles.set(key, profile);
    }
    return profile;
  }

  /** As each new task begins: its first refusal says how large the windows are by then. */
  forgetStatedWindows(): void {
    for (const profile of this.#profiles.values()) profile.forgetStatedWindow();
  }
}
