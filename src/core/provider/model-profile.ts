/**
 * What is known about one model at one endpoint: from its name, the endpoint's lists, its answers and refusals, and the
 * settings. All such knowledge is stored here.
 */
import type { Connection, ModelChoice } from "../../shared/models/connection.ts";
import type { ModelFacts } from "../../shared/models/facts.ts";
import type { ModelOverrides } from "../../shared/models/overrides.ts";
import type { RequestObserver } from "../ports/request-observer.ts";
import type { Api, ListedModel, Quirk } from "./api.ts";
import { apis } from "./apis.ts";
import { type FactValues, mergedFacts, overridesFor, withSource } from "./catalog/fact-layers.ts";
import { FALLBACK_CONTEXT_WINDOW, ModelTable } from "./catalog/model-table.ts";
import type { LearnedModels } from "./learned-models.ts";
import { observedApi } from "./observed-api.ts";
import type { Protocol } from "./provider.ts";

/** The origin of facts that a refused or unexpected answer revealed. */
const REFUSAL = "refusal";

/** A request for the endpoint's description of the model. */
export interface Listing {
  /** Never rejects. */
  model: Promise<ListedModel | undefined>;
  /** When it was sent, in milliseconds. */
  at: number;
  failed: boolean;
}

/** What the models of a host have in common. */
interface Knowledge {
  table: ModelTable;
  overrides(): ModelOverrides;
  learned: LearnedModels | undefined;
  observer(): RequestObserver | undefined;
}

export class ModelProfile {
  readonly connection: Connection;
  /** The id that the endpoint knows. */
  readonly model: string;
  readonly api: Api;
  /** Set by the code that requests the list. */
  listing: Listing | undefined;
  readonly #knowledge: Knowledge;
  readonly #tableFacts: ModelFacts;
  #listed: ModelFacts = {};
  #provisional = false;
  #learned: ModelFacts = {};
  #quirks: ReadonlySet<Quirk> = new Set();
  #statedWindow: number | undefined;
  #withheldTools: ReadonlySet<string> = new Set();
  #imageLimit = Number.POSITIVE_INFINITY;
  #passingImageLimit = Number.POSITIVE_INFINITY;

  constructor({ connection, model }: ModelChoice, knowledge: Knowledge) {
    this.connection = connection;
    this.model = model;
    this.api = observedApi(apis[connection.api], knowledge.observer);
    this.#knowledge = knowledge;
    this.#tableFacts = knowledge.table.facts(model, connection.baseUrl);
    const { facts = {}, quirks = [] } = knowledge.learned?.of(this) ?? {};
    this.#learned = facts;
    this.#quirks = new Set(this.api.quirks.filter(({ name }) => quirks.includes(name)));
  }

  /** Everything that is known now, each fact from its most trusted source. */
  get facts(): ModelFacts {
    const own = overridesFor(this, this.#knowledge.overrides());
    const facts = mergedFacts(this.#tableFacts, this.#listed, this.#learned, own);
    const stated = this.#statedWindow;
    const smaller = stated !== undefined && stated < (facts.window?.value ?? Number.POSITIVE_INFINITY);
    return smaller ? mergedFacts(facts, withSource({ window: stated }, "learned", REFUSAL)) : facts;
  }

  /** The tool protocol used if the settings do not specify one. */
  get protocol(): Protocol {
    return this.facts.tools?.value === false ? "xml" : "native";
  }

  /** Whether images are worth sending. A name that only suggests a model without vision does not rule them out. */
  get takesImages(): boolean {
    const { images } = this.facts;
    return images === undefined || images.value || images.source === "table";
  }

  /** Whether the model can be expected to see images, so that it is offered some. */
  get seesImages(): boolean {
    return this.facts.images?.value !== false;
  }

  /** What answers, refusals or a check of the model revealed. `origin`: see `ModelFacts`. */
  learn(values: FactValues, origin: string): void {
    this.#learned = mergedFacts(this.#learned, withSource(values, "learned", origin));
    this.#remember();
  }

  /** The model refused native calling, or answered it in XML. */
  learnXml(): void {
    this.learn({ tools: false }, REFUSAL);
  }

  learnNoImages(): void {
    this.learn({ images: false }, REFUSAL);
  }

  /** How many images a request may contain. */
  get maxImages(): number {
    return Math.min(this.#imageLimit, this.#passingImageLimit);
  }

  /** `passing`: it is due to the size of these images. */
  learnMaxImages(count: number, passing: boolean): void {
    if (passing) this.#passingImageLimit = Math.min(count, this.#passingImageLimit);
    else this.#imageLimit = Math.min(count, this.#imageLimit);
  }

  /** Names of tools that the endpoint refuses. */
  get withheldTools(): ReadonlySet<string> {
    return this.#withheldTools;
  }

  withhold(tools: readonly string[]): void {
    this.#withheldTools = new Set([...this.#withheldTools, ...tools]);
  }

  get quirks(): ReadonlySet<Quirk> {
    return this.#quirks;
  }

  learnQuirk(quirk: Quirk): void {
    this.#quirks = new Set([...this.#quirks, quirk]);
    this.#remember();
  }

  #remember(): void {
    const quirks = [...this.#quirks].flatMap(({ name, passing }) => (passing ? [] : [name]));
    this.#knowledge.learned?.set(this, { facts: this.#learned, quirks });
  }

  /** Returns the currently known window in tokens. `set`: the setting for all models; 0: not set. */
  window(set: number): number {
    const stated = this.#statedWindow;
    const known = this.#windowWithoutRefusals(set) ?? stated ?? FALLBACK_CONTEXT_WINDOW;
    return Math.min(known, stated ?? Number.POSITIVE_INFINITY);
  }

  #windowWithoutRefusals(set: number): number | undefined {
    const own = overridesFor(this, this.#knowledge.overrides()).window?.value;
    return own ?? (set || mergedFacts(this.#tableFacts, this.#listed, this.#learned).window?.value);
  }

  /** Whether the endpoint reported the window, for good. */
  get listsWindow(): boolean {
    return this.#listed.window !== undefined && !this.#provisional;
  }

  /** What the endpoint's own lists contain. `provisional`: see `ListedModel`. */
  learnListed(facts: ModelFacts, provisional = false): void {
    this.#listed = facts;
    this.#provisional = provisional;
  }

  /** The window that the endpoint stated or revealed when it refused a prompt. */
  learnStatedWindow(tokens: number): void {
    this.#statedWindow = tokens;
  }

  /** The stated window may no longer apply, because the window may have been enlarged. */
  forgetStatedWindow(): void {
    this.#statedWindow = undefined;
  }

  /** Forgets what was due to a conversation. */
  forgetPassing(): void {
    this.forgetStatedWindow();
    this.#passingImageLimit = Number.POSITIVE_INFINITY;
    this.#quirks = new Set([...this.#quirks].filter(({ passing }) => !passing));
  }
}

export interface ProfilesOptions {
  /** The user's own facts, `nekode.models`. */
  overrides?(): ModelOverrides;
  /** Remembers what is learned; default: only for the lifetime of this object. */
  learned?: LearnedModels | undefined;
}

export class ModelProfiles {
  /** Observes all requests from now on. */
  observer: RequestObserver | undefined;
  readonly #profiles = new Map<string, ModelProfile>();
  readonly #knowledge: Knowledge;

  constructor({ overrides = () => ({}), learned }: ProfilesOptions = {}) {
    this.#knowledge = { table: new ModelTable(), overrides, learned, observer: () => this.observer };
  }

  /** Returns the profile of a model at a connection; the same object until the connection changes. */
  of(choice: ModelChoice): ModelProfile {
    const { name, api, baseUrl, headers, proxy } = choice.connection;
    const key = JSON.stringify([name, api, baseUrl, headers, proxy, choice.model]);
    let profile = this.#profiles.get(key);
    if (!profile) {
      profile = new ModelProfile(choice, this.#knowledge);
      this.#profiles.set(key, profile);
    }
    return profile;
  }

  /** Called when a new task begins: its own refusals reveal what holds for it, such as the current window sizes. */
  forgetPassing(): void {
    for (const profile of this.#profiles.values()) profile.forgetPassing();
  }
}
