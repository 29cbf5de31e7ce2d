/**
 * Finds the image or message that an endpoint refuses, by halving: a refused request costs nothing, and the first accepted
 * one is the answer. What is certain then is recorded and never sent to that endpoint again.
 */
import type { Message } from "../../shared/message.ts";
import { cachedValue } from "../cached-value.ts";
import type { Adaptation, FailedRequest, RequestPlan } from "../provider/adaptations.ts";
import { withFewerImages, withoutImages } from "../provider/images.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import { isRecipientsOwn } from "../provider/ownership.ts";
import { type OmittableUnit, refusedBy, unitsOf, withoutUnits } from "../window/refused.ts";

/** Requests that one search may cost; enough for 128 images, and for 32 messages. */
const MAX_REQUESTS = { image: 8, message: 6 } as const;

/** What was sent in answered requests, by model: it is not the cause of a refusal. */
export class AnsweredUnits {
  /** `whole`: messages of which nothing was withheld; a later request contains the same ones. */
  readonly #sent = new WeakMap<ModelProfile, { keys: Set<string>; whole: WeakSet<Message> }>();

  has(profile: ModelProfile, key: string): boolean {
    return this.#sent.get(profile)?.keys.has(key) ?? false;
  }

  add(profile: ModelProfile, messages: readonly Message[], withheld: ReadonlySet<string>): void {
    const { keys, whole } = cachedValue(this.#sent, profile, () => ({
      keys: new Set<string>(),
      whole: new WeakSet<Message>(),
    }));
    for (const message of messages) {
      if (whole.has(message)) continue;
      const units = [...unitsOf([message], "image"), ...unitsOf([message], "message")];
      const sent = units.filter(({ key }) => !withheld.has(key));
      for (const { key } of sent) keys.add(key);
      if (sent.length === units.length) whole.add(message);
    }
  }
}

/** The search within one request. */
export class RefusalSearch {
  readonly #profile: ModelProfile;
  readonly #answered: AnsweredUnits;
  /** The messages of the request in full. */
  readonly #messages: () => readonly Message[];
  /** What was left out from the start. */
  readonly #known: ReadonlySet<string>;
  /** The units that the last refused request contained and the next one does not. */
  #suspects: readonly OmittableUnit[] = [];
  #detail: string | undefined;

  /** `conversation`: every message of the session. `messages`: those of the request, which fitting may change. */
  constructor(
    profile: ModelProfile,
    answered: AnsweredUnits,
    conversation: readonly Message[],
    messages: () => readonly Message[],
  ) {
    this.#profile = profile;
    this.#answered = answered;
    this.#messages = messages;
    this.#known = refusedBy(conversation, profile);
  }

  /** What the first request leaves out. */
  get known(): ReadonlySet<string> {
    return this.#known;
  }

  /** The row for images in the table of adaptations. */
  get images(): Adaptation {
    const refuses = ({ error, images }: FailedRequest) =>
      images > 0 && this.#profile.api.refusesImages(error) === "these";
    return this.#row("image", refuses);
  }

  /** The row for messages, which belongs at the end of the table. */
  get contents(): Adaptation {
    const { api } = this.#profile;
    return this.#row("message", ({ error }) => error.view.code === "bad-request" && !api.refusesTools(error));
  }

  /**
   * Call when a request with this plan was answered. Returns what was left out for the first time: `certain`: the unit that is
   * refused without doubt; `count`: how many are left out of this request alone.
   */
  answered({ withheld }: RequestPlan): { certain?: OmittableUnit; count: number; detail?: string } {
    this.#answered.add(this.#profile, this.#messages(), withheld);
    const fresh = [...withheld].filter((key) => !this.#known.has(key));
    const [certain, ...others] = this.#suspects.filter(({ key }) => withheld.has(key));
    const isCertain = certain !== undefined && others.length === 0;
    return {
      ...(isCertain ? { certain } : {}),
      count: fresh.length - (isCertain ? 1 : 0),
      ...(this.#detail === undefined ? {} : { detail: this.#detail }),
    };
  }

  #row(kind: OmittableUnit["kind"], refuses: (failed: FailedRequest) => boolean): Adaptation {
    return {
      name: `without refused ${kind}`,
      most: MAX_REQUESTS[kind],
      matches: (failed, plan) => {
        if (!refuses(failed) || this.#candidates(kind, plan).length === 0) return false;
        this.#detail = failed.error.view.detail;
        return true;
      },
      change: (plan) => {
        const candidates = this.#candidates(kind, plan);
        this.#suspects = candidates.slice(Math.floor(candidates.length / 2));
        return { ...plan, withheld: new Set([...plan.withheld, ...this.#suspects.map(({ key }) => key)]) };
      },
    };
  }

  /** The units of the refused request that may be the cause. */
  #candidates(kind: OmittableUnit["kind"], { withheld, withImages }: RequestPlan): OmittableUnit[] {
    if (kind === "image" && !withImages) return [];
    const profile = this.#profile;
    const messages = this.#messages();
    // The answer is for the user's newest message. If the endpoint refuses that, only the user can change it.
    const newest = messages.findLast(({ display }) => display !== undefined);
    const others = messages.filter((message) => message !== newest && !isRecipientsOwn(message, profile));
    // Results are left out first, because nobody wrote their content for the model.
    const suspects = kind === "image" ? messages : others.toSorted((a, b) => order(a) - order(b));
    return unitsOf(suspects, kind).filter(
      ({ key }) => !withheld.has(key) && !this.#answered.has(profile, key),
    );
  }
}

const order = ({ role }: Message) => (role === "tool" ? 1 : 0);

/** The messages without what the plan leaves out. */
export function contentsOf(plan: RequestPlan, messages: readonly Message[]): Message[] {
  const sent = withoutUnits(messages, plan.withheld);
  return plan.withImages ? withFewerImages(sent, plan.maxImages) : withoutImages(sent);
}
