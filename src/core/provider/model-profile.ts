/**
 * What is known about one model at one endpoint: from its name, its answers and its refusals. All such knowledge is
 * stored here, for the lifetime of the host's `ModelProfiles`.
 */
import type { Connection, ModelChoice } from "../../shared/models/connection.ts";
import type { Api, Quirk } from "./api.ts";
import { apis } from "./apis.ts";
import { FALLBACK_CONTEXT_WINDOW, prefersXml } from "./presets.ts";
import type { Protocol } from "./provider.ts";

/** A request for the endpoint's model list. */
export interface Listing {
  /** Never rejects. */
  window: Promise<number | undefined>;
  /** When it was sent, in milliseconds. */
  at: number;
  failed: boolean;
}

export class ModelProfile {
  readonly connection: Connection;
  /** The id that the endpoint knows. */
  readonly model: string;
  readonly api: Api;
  /** Set by the code that requests the list. */
  listing: Listing | undefined;
  #protocol: Protocol;
  #takesImages = true;
  #quirks: ReadonlySet<Quirk> = new Set();
  #listedWindow: number | undefined;
  #statedWindow: number | undefined;

  constructor({ connection, model }: ModelChoice) {
    this.connection = connection;
    this.model = model;
    this.api = apis[connection.api];
    this.#protocol = prefersXml(model) ? "xml" : "native";
  }

  /** The tool protocol used if the settings do not specify one. */
  get protocol(): Protocol {
    return this.#protocol;
  }

  /** The model refused native calling, or answered it in XML. */
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

  /** Returns the currently known window in tokens. `set`: the setting; 0: not set. */
  window(set: number): number {
    const stated = this.#statedWindow;
    const known = set || this.#listedWindow || stated || FALLBACK_CONTEXT_WINDOW;
    return Math.min(known, stated ?? Number.POSITIVE_INFINITY);
  }

  get listsWindow(): boolean {
    return this.#listedWindow !== undefined;
  }

  /** The window according to the endpoint's model list. */
  learnListedWindow(tokens: number): void {
    this.#listedWindow = tokens;
  }

  /** The window that the endpoint stated or revealed when it refused a prompt. */
  learnStatedWindow(tokens: number): void {
    this.#statedWindow = tokens;
  }

  /** The stated window may no longer apply, because the window may have been enlarged. */
  forgetStatedWindow(): void {
    this.#statedWindow = undefined;
  }
}

export class ModelProfiles {
  readonly #profiles = new Map<string, ModelProfile>();

  /** Returns the profile of a model at a connection; the same object until the connection changes. */
  of(choice: ModelChoice): ModelProfile {
    const { name, api, baseUrl, headers, proxy } = choice.connection;
    const key = JSON.stringify([name, api, baseUrl, headers, proxy, choice.model]);
    let profile = this.#profiles.get(key);
    if (!profile) {
      profile = new ModelProfile(choice);
      this.#profiles.set(key, profile);
    }
    return profile;
  }

  /** Called when a new task begins: its first refusal reveals the current window sizes. */
  forgetStatedWindows(): void {
    for (const profile of this.#profiles.values()) profile.forgetStatedWindow();
  }
}
