/**
 * One small request beside a session's conversation: to the session's model, without tools, and not stored as a message. What
 * it costs counts in the session's totals.
 */
import type { Message, Usage } from "../../../shared/message.ts";
import { emptyTotals, type Totals } from "../../../shared/totals.ts";
import { withoutReasoning } from "../../assistant/reasoning-forms.ts";
import { estimateTokens } from "../../context/tokens.ts";
import { ProviderError } from "../../errors.ts";
import { totalsWith } from "../../loop/limits/usage-totals.ts";
import type { Transcript } from "../../loop/transcript.ts";
import type { Host } from "../../ports/host.ts";
import type { RequestPurpose } from "../../ports/request-observer.ts";
import { firstPlan, formAdaptations } from "../../provider/adaptations.ts";
import { withCost } from "../../provider/catalog/price.ts";
import { fetchFor } from "../../provider/connect/connection-fetch.ts";
import type { ModelAccess } from "../../provider/model-access.ts";
import type { ModelProfile } from "../../provider/model-profile.ts";
import type { ModelRequest } from "../../provider/provider.ts";
import { type AttemptResult, sendAdapting } from "../../provider/send-adapting.ts";

/** Enough for a model that reasons before a short answer. */
const SHORT_ANSWER_TOKENS = 2_048;

export interface ExtraRequestDeps extends ModelAccess {
  host: Host;
  /** Its model answers, and its totals count the request. */
  conversation: Pick<Transcript, "modelChoice" | "totals"> & {
    /** Of the session; absent: it belongs to none. */
    id?: string;
    addUsage(spent: readonly Totals[]): Promise<void>;
  };
  /** What requests cost today. Default: not known. */
  spending?: { today(): Promise<{ cost: number; requests: number }> };
  session: { readonly busy: boolean; readonly idle: Promise<unknown> };
}

/** Instructions to the model, and the text that they are about. */
export interface ExtraQuestion {
  purpose: RequestPurpose;
  system: string;
  text: string;
  /** Maximum length of the answer in tokens. Default: that of a short answer. */
  answerTokens?: number;
}

export interface ExtraAnswer {
  text: string;
  usage: Usage | undefined;
}

export class ExtraRequests {
  readonly #deps: ExtraRequestDeps;

  constructor(deps: ExtraRequestDeps) {
    this.#deps = deps;
  }

  /** The model that the session currently uses. */
  get profile(): ModelProfile {
    const { conversation, settings, profiles } = this.#deps;
    return profiles.of(conversation.modelChoice(settings()));
  }

  /** Whether a limit of costs or of a day's requests has been reached, so that no request may be sent. */
  async isLimitReached(): Promise<boolean> {
    const { conversation, settings, spending } = this.#deps;
    const { maxCost, maxCostPerDay, maxRequestsPerDay } = settings().approval;
    if (maxCost > 0 && (conversation.totals.cost ?? 0) >= maxCost) return true;
    const today = await spending?.today();
    if (!today) return false;
    const isCostReached = maxCostPerDay > 0 && today.cost >= maxCostPerDay;
    return isCostReached || (maxRequestsPerDay > 0 && today.requests >= maxRequestsPerDay);
  }

  /**
   * Adapts the request to the endpoint, but does not wait for one that is busy. `onText` receives the answer as it arrives; it
   * starts again with "" when the request is sent again. Rejects with ProviderError, or when the signal aborts.
   */
  async ask(
    question: ExtraQuestion,
    signal: AbortSignal,
    onText: (text: string) => void = () => undefined,
  ): Promise<ExtraAnswer> {
    const { host, settings, apiKey, conversation } = this.#deps;
    const { profile } = this;
    const { connection, model, facts, api } = profile;
    const { provider } = settings();
    const { answerTokens = SHORT_ANSWER_TOKENS } = question;
    const limit = provider.maxOutputTokens;
    const endpoint = {
      connection,
      model,
      facts,
      apiKey: await apiKey(connection),
      reason: {
        purpose: question.purpose,
        ...(conversation.id === undefined ? {} : { session: conversation.id }),
      },
      clock: host.clock,
      fetch: fetchFor(host, connection),
      editorModels: host.editorModels,
      provider: { ...provider, maxOutputTokens: limit > 0 ? Math.min(limit, answerTokens) : answerTokens },
    };
    const first = firstPlan(profile, provider.protocol);
    const request = this.#request(question, first.protocol);
    const { result, failed } = await sendAdapting<ExtraAnswer>(first, formAdaptations(profile), profile, {
      send: async ({ quirks }): Promise<AttemptResult<ExtraAnswer>> => {
        const answer: ExtraAnswer = { text: "", usage: undefined };
        onText("");
        try {
          for await (const part of api.stream(endpoint, request, quirks, signal)) {
            if (part.type === "text") {
              answer.text += part.delta;
              onText(answer.text);
            } else if (part.type === "usage") answer.usage = withCost(part.usage, facts);
          }
          return { result: answer };
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          return { result: answer, failed: { error, shown: false, images: 0 } };
        }
      },
      wait: async () => undefined,
    });
    if (failed) throw failed.error;
    return result;
  }

  /** As `ask`, and counts what the answer cost; if it breaks off, the part that was received. */
  async askAndCount(
    question: ExtraQuestion,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<{ text: string; spent: Totals }> {
    let received = "";
    let answer: ExtraAnswer;
    try {
      answer = await this.ask(question, signal, (text) => {
        received = text;
        onText(text);
      });
    } catch (error) {
      if (received !== "") await this.count(question, { text: received, usage: undefined });
      throw error;
    }
    return { text: answer.text, spent: await this.count(question, answer) };
  }

  /** Adds what an answer, or the beginning of one, cost to the conversation's totals, and returns it. */
  async count(
    { system, text: asked }: Pick<ExtraQuestion, "system" | "text">,
    { text, usage }: ExtraAnswer,
  ): Promise<Totals> {
    const { conversation, session } = this.#deps;
    const estimate = {
      inputTokens: estimateTokens(system + asked),
      outputTokens: estimateTokens(text),
    };
    const spent: Totals = totalsWith(emptyTotals, {
      usage: usage ?? estimate,
      contextWindow: 0,
      estimated: !usage,
    });
    // The totals of a turn in progress are written with its answers, one at a time.
    while (session.busy) await session.idle;
    await conversation.addUsage([spent]);
    return spent;
  }

  #request({ system, text }: ExtraQuestion, protocol: ModelRequest["protocol"]): ModelRequest {
    const { host } = this.#deps;
    const message: Message = {
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [{ type: "text", text }],
    };
    return { system, messages: [message], protocol, tools: [] };
  }
}

/** A model's answer without its thinking, which some models write as text. */
export function withoutThinking(answer: string): string {
  return withoutReasoning(answer);
}
