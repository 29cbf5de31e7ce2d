/**
 * Checks what a model at an endpoint can do, with some 25 probes, and remembers the findings in its profile. Sends
 * nothing but its own short texts, and only to the endpoint.
 */

import {
  type CheckReport,
  type Finding,
  type ModelVerdict,
  type ProbeId,
  probeIdSchema,
} from "../../../shared/models/check.ts";
import { type ModelChoice, modelName } from "../../../shared/models/connection.ts";
import { ProviderError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import { fetchFor, type RequestHost } from "../connect/connection-fetch.ts";
import type { ModelAccess } from "../model-access.ts";
import type { ModelProfile } from "../model-profile.ts";
import {
  probeAnswer,
  probeHistory,
  probeOutputLimit,
  probeStreaming,
  probeSystem,
  probeUnicode,
  probeWhole,
} from "./answer-probes.ts";
import { Asker, absent, good, refused, skipped } from "./asker.ts";
import { probeCache, probeImages, probeJsonSchema, probeWindow } from "./limit-probes.ts";
import { probeCalls, probeXml } from "./tool-probes.ts";

/** Tokens that the probes use, apart from that of the window. */
const BASE_TOKENS = 16_000;
const MOST_WINDOW_TOKENS = 200_000;

export interface ModelCheckDeps extends Pick<ModelAccess, "apiKey" | "profiles" | "settings"> {
  host: RequestHost & Pick<Host, "clock">;
}

export interface CheckOptions {
  /** Tokens that measuring the window may use; 0: it is not measured. */
  windowTokens: number;
  /** Called with each finding as it is made. */
  found?(finding: Finding): void;
}

/** Returns about how many tokens a check uses at most, and the part of it that measures the window. */
export function checkBudget(profile: ModelProfile): { base: number; window: number } {
  return { base: BASE_TOKENS, window: Math.min(profile.window(0), MOST_WINDOW_TOKENS) };
}

/** Rejects with Interrupt when `signal` aborts; a failure of the endpoint is a finding. */
export async function checkModel(
  choice: ModelChoice,
  { apiKey, profiles, host, settings }: ModelCheckDeps,
  { windowTokens, found }: CheckOptions,
  signal: AbortSignal,
): Promise<CheckReport> {
  const profile = profiles.of(choice);
  const { connection } = choice;
  const fetch = fetchFor(host, connection);
  const deps = { profile, apiKey: await apiKey(connection), clock: host.clock, fetch };
  const asker = new Asker({ ...deps, timeouts: settings().provider }, signal);
  const findings: Finding[] = [];
  const add = (...made: readonly Finding[]) => {
    for (const finding of made) {
      findings.push(finding);
      found?.(finding);
    }
  };
  add(await probeList(profile, asker, signal));
  add(...(await probeAnswer(asker)));
  if (findings.some(({ probe, code }) => probe === "answer" && (code === "refused" || code === "empty"))) {
    add(...untried(findings));
  } else {
    await probeRest({ profile, asker, windowTokens, add, signal });
    add(...untried(findings));
  }
  return { name: modelName(choice), verdict: verdictOf(findings), findings, tokens: asker.tokens };
}

interface Rest {
  profile: ModelProfile;
  asker: Asker;
  windowTokens: number;
  add(...made: readonly Finding[]): void;
  signal: AbortSignal;
}

async function probeRest({ profile, asker, windowTokens, add, signal }: Rest): Promise<void> {
  const isChat = profile.connection.api === "chat";
  add(...(await probeStreaming(asker)));
  if (isChat) add(...(await probeWhole(asker, signal)));
  add(await probeOutputLimit(asker));
  add(await probeSystem(asker));
  add(await probeHistory(asker));
  add(await probeUnicode(asker));
  const { findings: calls, native } = await probeCalls(asker, profile.api);
  add(...calls);
  const xml = await probeXml(asker, native);
  add(xml);
  // A model that calls tools in neither way keeps what was known.
  if (native) profile.learn({ tools: true }, "check");
  else if (xml.state === "good") profile.learn({ tools: false }, "check");
  const images = await probeImages(asker, profile);
  add(images);
  if (images.state !== "fault") profile.learn({ images: images.state === "good" }, "check");
  if (isChat) {
    const schema = await probeJsonSchema(asker, signal);
    add(schema);
    profile.learn({ constrains: schema.state === "good" }, "check");
  }
  const { finding: cache, charactersPerToken } = await probeCache(asker);
  add(cache);
  add(await probeWindow(asker, profile, { budget: windowTokens, charactersPerToken }));
}

async function probeList(profile: ModelProfile, asker: Asker, signal: AbortSignal): Promise<Finding> {
  try {
    const { connection, apiKey, fetch } = asker.endpoint();
    const models = await profile.api.listModels({ connection, model: profile.model, apiKey, fetch }, signal);
    const listed = models.find(({ id }) => id === profile.model.trim());
    if (!listed) return absent("list", "unlisted");
    profile.learnListed(listed.facts, listed.provisional);
    return good("list");
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return refused("list", error, "absent");
  }
}

/** The probes without a finding. */
function untried(findings: readonly Finding[]): Finding[] {
  const done = new Set<ProbeId>(findings.map(({ probe }) => probe));
  return probeIdSchema.options.filter((probe) => !done.has(probe)).map((probe) => skipped(probe));
}

/** `findings`: of all probes. */
function verdictOf(findings: readonly Finding[]): ModelVerdict {
  const isFault = (probe: ProbeId) =>
    findings.some((finding) => finding.probe === probe && finding.state === "fault");
  const callsNothing =
    findings.some(({ probe, state }) => probe === "call" && state !== "good") && isFault("xml");
  if (isFault("answer") || isFault("history") || callsNothing) return "unusable";
  return findings.some(({ state }) => state === "fault") ? "limited" : "good";
}
