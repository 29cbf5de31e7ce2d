/**
 * Changes to a failed request that make it worth resending. `send-adapting.ts` applies the first that matches, in the order of the list
 * that `loop/request.ts` gives it.
 */
import type { ProviderError } from "../errors.ts";
import type { Quirk } from "./api.ts";
import { saysFailedCall } from "./failures.ts";
import { leftOutImages, statedImageLimit } from "./images.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { Protocol } from "./provider.ts";

/** How a request is sent. Its content is derived from this and the conversation. */
export interface RequestPlan {
  readonly protocol: Protocol;
  /** The settings specify the protocol, so it is not changed. */
  readonly protocolIsSet: boolean;
  readonly withImages: boolean;
  /** How many images it may contain; the newest ones are sent. */
  readonly maxImages: number;
  /** Keys of parts that are left out because the endpoint refuses them, or may do so; see `Unit`. */
  readonly withheld: ReadonlySet<string>;
  /** Names of tools that are left out because the endpoint refuses them. */
  readonly withheldTools: ReadonlySet<string>;
  readonly quirks: ReadonlySet<Quirk>;
  /** How often the messages were shortened to fit a window that turned out smaller. */
  readonly refits: number;
  /** Number of attempts with exactly this plan, including the current one. */
  readonly attempt: number;
}

export interface FailedRequest {
  error: ProviderError;
  /** Part of the answer was shown or stored, so the request is not resent. */
  shown: boolean;
  /** How many images the request had before the plan left some out. */
  images: number;
}

export interface Adaptation {
  readonly name: string;
  /**
   * Maximum number of times the row changes one request; without `change`, maximum number of times it repeats one plan.
   */
  readonly most: number;
  matches(failed: FailedRequest, plan: RequestPlan, profile: ModelProfile): boolean;
  /** Records what the failure reveals about the model for later requests, even if this one is not resent. */
  learn?(failed: FailedRequest, profile: ModelProfile): void;
  /** Returns the next plan. If absent, the same request is sent again. */
  change?(plan: RequestPlan): RequestPlan;
  /** Milliseconds to wait before resending. */
  delay?(failed: FailedRequest, plan: RequestPlan): number;
}

/** Returns the plan of a request before any failure. `protocol`: the setting. */
export function firstPlan(profile: ModelProfile, protocol: Protocol | "auto"): RequestPlan {
  return {
    protocol: protocol === "auto" ? profile.protocol : protocol,
    protocolIsSet: protocol !== "auto",
    withImages: profile.takesImages,
    maxImages: profile.maxImages,
    withheld: new Set(),
    withheldTools: profile.withheldTools,
    quirks: profile.quirks,
    refits: 0,
    attempt: 1,
  };
}

/** Sends the request in the form that the endpoint requires. */
function withQuirk(quirk: Quirk): Adaptation {
  return {
    name: quirk.name,
    most: 1,
    matches({ error }, plan) {
      const { code, detail = "" } = error.view;
      const refused =
        code === "bad-request" ||
        code === "server-error" ||
        (quirk.ofLength === true && code === "context-length");
      return refused && !plan.quirks.has(quirk) && quirk.words.test(detail);
    },
    learn: (_failed, profile) => profile.learnQuirk(quirk),
    change: (plan) => ({ ...plan, quirks: new Set([...plan.quirks, quirk]) }),
  };
}

/** The number that the endpoint states, or half of them if the body has too many bytes. */
function fewerImages(
  { error, images }: FailedRequest,
  { withImages, maxImages }: RequestPlan,
): number | undefined {
  const sent = images - leftOutImages(images, maxImages);
  if (!withImages || sent === 0) return undefined;
  const most =
    error.view.code === "request-too-large" ? Math.floor(sent / 2) : (statedImageLimit(error) ?? sent);
  return most > 0 && most < sent ? most : undefined;
}

/** Leaves the oldest images out, and keeps to the number in later requests. */
function withinImageLimit(): Adaptation {
  let most = Number.POSITIVE_INFINITY;
  return {
    name: "fewer images",
    most: 7,
    matches: (failed, plan) => {
      most = fewerImages(failed, plan) ?? Number.POSITIVE_INFINITY;
      return most < Number.POSITIVE_INFINITY;
    },
    learn: ({ error }, profile) => profile.learnMaxImages(most, error.view.code === "request-too-large"),
    change: (plan) => ({ ...plan, maxImages: most }),
  };
}

const leaveImagesOut: Adaptation = {
  name: "without images",
  most: 1,
  matches: ({ error, images }, plan, { api }) =>
    images > 0 &&
    plan.withImages &&
    (error.view.code === "request-too-large" || api.refusesImages(error) !== undefined),
  learn({ error }, profile) {
    if (profile.api.refusesImages(error) === "all") profile.learnNoImages();
  },
  change: (plan) => ({ ...plan, withImages: false }),
};

/** `random`: in [0, 1), for jitter. */
export function retryAfterDelay(random: () => number): Adaptation {
  return {
    name: "wait",
    most: MAX_RETRIES,
    matches: ({ error }, { attempt }) => mayRetry(error, attempt),
    delay: ({ error }, { attempt }) => retryDelay(error, attempt, random),
  };
}

export const fallBackToXml: Adaptation = {
  name: "XML in place of native calls",
  most: 1,
  matches: ({ error }, plan, { api }) =>
    !plan.protocolIsSet && plan.protocol === "native" && api.refusesTools(error),
  learn: (_failed, profile) => profile.learnXml(),
  change: inXml,
};

function inXml(plan: RequestPlan): RequestPlan {
  return { ...plan, protocol: "xml", refits: 0 };
}

/**
 * Falls back to XML calls, which Nekode reads itself, after the endpoint could not read two native calls in a row; the first may have
 * been chance. One object serves a whole task, because the user may have seen a part of each of the two answers.
 */
export class MalformedCallFallback {
  #inRow = 0;

  readonly row: Adaptation = {
    name: "XML in place of calls that the endpoint cannot read",
    most: 1,
    matches: ({ error }, plan) => {
      if (!saysFailedCall(error)) return false;
      this.#inRow++;
      return this.#inRow > 1 && !plan.protocolIsSet && plan.protocol === "native";
    },
    learn: (_failed, profile) => profile.learnXml(),
    change: inXml,
  };

  answered(): void {
    this.#inRow = 0;
  }
}

/** Returns the adaptations that concern only the request's form, for every caller. */
export function formAdaptations({ api }: ModelProfile): Adaptation[] {
  return [...api.quirks.map(withQuirk), withinImageLimit(), leaveImagesOut];
}

/** A failed request is sent again a limited number of times, and only if that can help; each retry is reported. */
export const MAX_RETRIES = 4;
/** Waiting does not help with a daily quota: the user decides. */
const LONGEST_WAIT_MS = 15 * 60_000;
const BASE_MS = 1_000;
const CAP_MS = 30_000;

/** Returns how often a request that fails with this error is attempted. */
export function maxTries(error: ProviderError): number {
  if (!error.transient) return 1;
  // A failed connection rarely recovers within seconds; one retry is enough to find out.
  const { code } = error.view;
  return code === "unreachable" || code === "connection-lost" ? 2 : 1 + MAX_RETRIES;
}

/** Whether a request that failed with this error at attempt `attempt` (1-based) is worth another attempt. */
export function mayRetry(error: ProviderError, attempt: number): boolean {
  return attempt < maxTries(error) && (error.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
}

/**
 * Returns the milliseconds to wait before attempt `attempt` + 1. The endpoint's `retryAfterMs` is a lower bound; jitter
 * prevents many clients from retrying at once.
 */
export function retryDelay(error: ProviderError, attempt: number, random: () => number): number {
  const backoff = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  const jittered = backoff * (0.5 + random() / 2);
  return error.retryAfterMs === undefined
    ? jittered
    : error.retryAfterMs + random() * Math.min(500, backoff / 4);
}
