/**
 * What is changed in a request that failed, so that it is worth sending again. Each row is asked in order, and the first
 * that matches is applied by `send-adapting.ts`.
 */
import type { ProviderError } from "../errors.ts";
import type { Quirk } from "./api.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { Protocol } from "./provider.ts";
import { mayRetry, mostRetries, retryDelay } from "./retry.ts";

/** How a request is sent; what it says is derived from this and the conversation. */
export interface RequestPlan {
  readonly protocol: Protocol;
  /** The settings name the protocol, so it stays. */
  readonly protocolIsSet: boolean;
  readonly withImages: boolean;
  readonly quirks: ReadonlySet<Quirk>;
  /** How often its messages were made to fit a window that proved smaller. */
  readonly refits: number;
  /** How often it was sent exactly like this, this time included. */
  readonly attempt: number;
}

export interface Failed {
  error: ProviderError;
  /** Something of the answer was shown or stored: the request is not sent again. */
  shown: boolean;
  /** The request had images. */
  images: boolean;
}

export interface Adaptation {
  readonly name: string;
  /** How often one request is changed so; without `change`, how often one plan is repeated. */
  readonly most: number;
  matches(failed: Failed, plan: RequestPlan, profile: ModelProfile): boolean;
  /** Keeps what the failure says of the model for later requests, also where this one is not sent again. */
  learn?(failed: Failed, profile: ModelProfile): void;
  /** The next plan; absent: the same request is sent once more. */
  change?(plan: RequestPlan): RequestPlan;
  /** Milliseconds to wait before that. */
  delay?(failed: Failed, plan: RequestPlan): number;
}

/** The plan of a request before anything failed. `protocol`: the setting. */
export function firstPlan(profile: ModelProfile, protocol: Protocol | "auto"): RequestPlan {
  return {
    protocol: protocol === "auto" ? profile.protocol : protocol,
    protocolIsSet: protocol !== "auto",
    withImages: profile.takesImages,
    quirks: profile.quirks,
    refits: 0,
    attempt: 1,
  };
}

/** Asks in the way that the endpoint wants. */
export function withQuirk(quirk: Quirk): Adaptation {
  return {
    name: quirk.name,
    most: 1,
    matches({ error }, plan) {
      const { code, detail = "" } = error.view;
      const refused = code === "bad-request" || code === "server-error";
      return refused && !plan.quirks.has(quirk) && quirk.words.test(detail);
    },
    learn: (_failed, profile) => profile.learnQuirk(quirk),
    change: (plan) => ({ ...plan, quirks: new Set([...plan.quirks, quirk]) }),
  };
}

export const leaveImagesOut: Adaptation = {
  name: "without images",
  most: 1,
  matches: ({ error, images }, plan, { api }) =>
    images && plan.withImages && api.refusesImages(error) !== undefined,
  learn({ error }, profile) {
    if (profile.api.refusesImages(error) === "all") profile.learnNoImages();
  },
  change: (plan) => ({ ...plan, withImages: false }),
};

/** `random`: in [0, 1), for the jitter. */
export function waiting(random: () => number): Adaptation {
  return {
    name: "wait",
    most: mostRetries,
    matches: ({ error }, { attempt }) => mayRetry(error, attempt),
    delay: ({ error }, { attempt }) => retryDelay(error, attempt, random),
  };
}

export const xmlInstead: Adaptation = {
  name: "XML in place of native calls",
  most: 1,
  matches: ({ error }, plan, { api }) =>
    !plan.protocolIsSet && plan.protocol === "native" && api.refusesTools(error),
  learn: (_failed, profile) => profile.learnXml(),
  change: (plan) => ({ ...plan, protocol: "xml", refits: 0 }),
};

/** What concerns the request's form alone, whoever asks. */
export function inAnotherForm({ api }: ModelProfile): Adaptation[] {
  return [...api.quirks.map(withQuirk), leaveImagesOut];
}
