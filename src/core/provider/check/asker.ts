/** Sends the requests of a check, measures the answers, and makes the findings of probes. */
import type { Message, ToolCallBlock, Usage } from "../../../shared/message.ts";
import type { Finding, FindingCode, ProbeId } from "../../../shared/models/check.ts";
import { wait } from "../../async.ts";
import { Interrupt, ProviderError } from "../../errors.ts";
import type { Clock } from "../../ports/system.ts";
import type { Endpoint } from "../api.ts";
import type { ModelProfile } from "../model-profile.ts";
import type { ModelRequest, NativeTool, Protocol, StreamPart } from "../provider.ts";

export interface ProbeCall {
  id: string;
  name: string;
  arguments: string;
}

/** The outcome of one request. Times are in milliseconds after it was sent. */
export interface ProbeAnswer {
  text: string;
  calls: ProbeCall[];
  usage?: Usage;
  finish?: string;
  error?: ProviderError;
  firstMs: number;
  totalMs: number;
  /** Parts with text, and the time of the first one. */
  textParts: number;
  firstTextMs: number;
}

export interface ProbeRequest {
  system?: string;
  messages: readonly Message[];
  tools?: readonly NativeTool[];
  protocol?: Protocol;
  /** Tokens that the answer may have. */
  maxTokens?: number;
}

export interface AskerDeps {
  profile: ModelProfile;
  apiKey: string | undefined;
  clock: Clock;
  fetch: Endpoint["fetch"];
  /** Those of a task, because a slow server does not count as one that fails. */
  timeouts: Pick<Endpoint["provider"], "firstTokenTimeout" | "idleTimeout">;
}

/** Enough for a model that reasons before a short answer. */
const ANSWER_TOKENS = 2_048;
/** Milliseconds to wait once if the endpoint is busy. */
const MOST_WAIT_MS = 10_000;
const WAIT_MS = 1_000;

export class Asker {
  readonly #deps: AskerDeps;
  readonly #signal: AbortSignal;
  #tokens = 0;
  #ids = 0;

  constructor(deps: AskerDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** Tokens used so far. */
  get tokens(): number {
    return this.#tokens;
  }

  endpoint(maxTokens = ANSWER_TOKENS): Endpoint {
    const { profile, apiKey, clock, fetch, timeouts } = this.#deps;
    return {
      connection: profile.connection,
      model: profile.model,
      provider: {
        temperature: null,
        maxOutputTokens: maxTokens,
        reasoningEffort: "default",
        firstTokenTimeout: timeouts.firstTokenTimeout,
        idleTimeout: timeouts.idleTimeout,
      },
      apiKey,
      clock,
      fetch,
    };
  }

  /** Never rejects with ProviderError, which is part of the outcome. Rejects with Interrupt when the check is aborted. */
  async ask(asked: ProbeRequest): Promise<ProbeAnswer> {
    const { profile, clock } = this.#deps;
    const request: ModelRequest = {
      system: asked.system ?? "You are a helpful assistant.",
      messages: asked.messages,
      protocol: asked.protocol ?? "native",
      tools: asked.tools ?? [],
    };
    let mayWait = true;
    for (;;) {
      const answer = await this.#once(request, asked.maxTokens);
      const { error } = answer;
      const detail = error?.view.detail ?? "";
      const quirk =
        error && profile.api.quirks.find((each) => !profile.quirks.has(each) && each.words.test(detail));
      if (quirk) profile.learnQuirk(quirk);
      else if (error?.transient && mayWait && error.view.code !== "unreachable") {
        mayWait = false;
        await wait(clock, Math.min(error.retryAfterMs ?? WAIT_MS, MOST_WAIT_MS), this.#signal);
      } else {
        this.#count(request, answer);
        return answer;
      }
    }
  }

  async #once(request: ModelRequest, maxTokens: number | undefined): Promise<ProbeAnswer> {
    const { profile, clock } = this.#deps;
    const start = clock.now().getTime();
    const since = () => clock.now().getTime() - start;
    const answer: ProbeAnswer = { text: "", calls: [], firstMs: 0, totalMs: 0, textParts: 0, firstTextMs: 0 };
    let any = false;
    try {
      const parts = profile.api.stream(this.endpoint(maxTokens), request, profile.quirks, this.#signal);
      for await (const part of parts) {
        if (!any && part.type !== "usage") answer.firstMs = since();
        any ||= part.type !== "usage";
        if (part.type === "text" && answer.textParts++ === 0) answer.firstTextMs = since();
        addPart(answer, part);
      }
    } catch (error) {
      if (this.#signal.aborted || error instanceof Interrupt) throw new Interrupt();
      if (!(error instanceof ProviderError)) throw error;
      answer.error = error;
    }
    answer.totalMs = since();
    return answer;
  }

  #count({ system, messages, tools }: ModelRequest, { usage, text, error }: ProbeAnswer): void {
    // A refused request costs nothing.
    if (error) return;
    const estimate =
      roughTokens(system + JSON.stringify([messages, tools]).slice(0, 4_000_000)) + roughTokens(text);
    this.#tokens += usage ? usage.inputTokens + usage.outputTokens : estimate;
  }

  user(text: string, image?: { mimeType: string; data: string }): Message {
    const blocks: Message["blocks"] = [
      { type: "text", text },
      ...(image ? [{ type: "image" as const, ...image }] : []),
    ];
    return { ...this.#base(), role: "user", blocks };
  }

  assistant(text: string, calls: readonly ProbeCall[] = []): Message {
    const { model, connection } = this.#deps.profile;
    const blocks: Message["blocks"] = [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map(
        ({ id, name, arguments: args }): ToolCallBlock => ({
          type: "tool-call",
          id,
          name,
          params: paramsOf(args),
        }),
      ),
    ];
    return { ...this.#base(), role: "assistant", blocks, model, connection: connection.name };
  }

  result({ id, name }: ProbeCall, text: string): Message {
    const block = { type: "tool-result" as const, callId: id, name, label: name, outcome: "done" as const };
    return { ...this.#base(), role: "user", blocks: [{ ...block, parts: [{ type: "text", text }] }] };
  }

  #base(): { id: string; createdAt: string } {
    return { id: `check-${++this.#ids}`, createdAt: this.#deps.clock.now().toISOString() };
  }
}

function addPart(answer: ProbeAnswer, part: StreamPart): void {
  if (part.type === "text") answer.text += part.delta;
  if (part.type === "usage") answer.usage = part.usage;
  if (part.type === "finish") answer.finish = part.reason;
  if (part.type !== "tool-calls") return;
  for (const { index = answer.calls.length, id = "", name = "", arguments: args = "" } of part.deltas) {
    const call = answer.calls[index] ?? { id: "", name: "", arguments: "" };
    answer.calls[index] = { id: call.id || id, name: call.name || name, arguments: call.arguments + args };
  }
}

/** The arguments of a call; undefined: they are no JSON object. */
export function argumentsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

function paramsOf(text: string): Record<string, unknown> {
  return argumentsOf(text) ?? {};
}

/** About as many tokens as common tokenizers count in English text. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** A probe that succeeded. The following functions make the other kinds of findings. */
export function good(probe: ProbeId, code: FindingCode = "works", ...values: number[]): Finding {
  return { probe, state: "good", code, values };
}

export function fault(probe: ProbeId, code: FindingCode, ...values: number[]): Finding {
  return { probe, state: "fault", code, values };
}

/** A feature that Nekode does without. */
export function absent(probe: ProbeId, code: FindingCode, ...values: number[]): Finding {
  return { probe, state: "absent", code, values };
}

export function skipped(probe: ProbeId, code: FindingCode = "not-tried"): Finding {
  return { probe, state: "skipped", code, values: [] };
}

export function refused(probe: ProbeId, error: ProviderError, state: "fault" | "absent" = "fault"): Finding {
  return { probe, state, code: "refused", values: [], error: error.view };
}
