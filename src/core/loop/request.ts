/** Sends the loop's requests to the model: builds them, fits them into the context window, adapts those that fail. */
import type { Message } from "../../shared/message.ts";
import type { ModelFacts } from "../../shared/models/facts.ts";
import type { Forecast, WindowContents } from "../../shared/models/window-contents.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import { wait } from "../async.ts";
import { keepingLatest } from "../cached-value.ts";
import { estimateTokens } from "../context/tokens.ts";
import { ProviderError, throwIfAborted } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import type { RequestPurpose } from "../ports/request-observer.ts";
import type { Fetch } from "../ports/web.ts";
import { TaskPrompt } from "../prompts/sections.ts";
import {
  fallBackToXml,
  firstPlan,
  formAdaptations,
  MalformedCallFallback,
  maxTries,
  type RequestPlan,
  retryAfterDelay,
} from "../provider/adaptations.ts";
import { withCost } from "../provider/catalog/price.ts";
import { fetchFor, SentBytes } from "../provider/connect/connection-fetch.ts";
import { imageCount } from "../provider/images.ts";
import type { ModelAccess } from "../provider/model-access.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import type { ModelRequest, Protocol, StreamPart } from "../provider/provider.ts";
import { type AttemptResult, sendAdapting } from "../provider/send-adapting.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { CallStream, Tool, ToolContext } from "../tools/tool.ts";
import { Fitter, type Summarize, smallerWindow } from "../window/fit.ts";
import { askListedWindow } from "../window/listed-window.ts";
import { Windows } from "../window/model-windows.ts";
import { withoutRefusedTools, withoutTools } from "../window/refused-tools.ts";
import { isWindowStep, messageTokens } from "../window/request-messages.ts";
import type { RequestFrame } from "../window/sizer.ts";
import { askSummary, type Summary } from "../window/summarize.ts";
import { type ReceivedAnswer, receiveAnswer, unusable } from "./answer.ts";
import { retryMalformedCall } from "./calls/constrained-call.ts";
import { hasMalformedCall } from "./malformed-calls.ts";
import { PrefixReports } from "./prefix-reports.ts";
import { RefusalReports } from "./refusal-reports.ts";
import { AnsweredUnits, contentsOf, RefusalSearch } from "./refusal-search.ts";
import { costByModel, tokensByKind } from "./token-kinds.ts";
import type { Transcript } from "./transcript.ts";
import type { MessageLimits } from "./turn.ts";

/** What the user's hooks say about condensing the conversation. Both reject with Interrupt when the signal aborts. */
export interface CondensingHooks {
  /** False: it is not condensed. */
  beforeCondensing(trigger: "manual" | "auto", focus: string, signal: AbortSignal): Promise<boolean>;
  afterCondensing(trigger: "manual" | "auto", summary: string, signal: AbortSignal): Promise<void>;
}

export interface ModelRequestsDeps extends ModelAccess {
  host: Host;
  registry: ToolSet;
  conversation: Transcript;
  /** For tools that show an edit while its call streams. */
  context: ToolContext;
  /** The rules at the task's start, which the system prompt contains. */
  rules(): string;
  /** The agent whose instructions the task follows; undefined: none. Changes only between turns. */
  agent(): SessionAgent | undefined;
  /** Whether a call of the tool can run; the edit of one that cannot is not shown while it streams. */
  mayRun(tool: Tool): boolean;
  /** The user's hooks; absent: none run. */
  hooks?: CondensingHooks;
  random(): number;
}

/** A request that fits the context window, and the plan's number of refits for which it was fitted. */
type FittedRequest = ModelRequest & RequestFrame & { refits: number };

export class ModelRequests {
  readonly sent = new SentBytes();
  readonly #counted = keepingLatest((send: Fetch | undefined) => this.sent.counted(send));
  readonly #deps: ModelRequestsDeps;
  readonly #prompt: TaskPrompt;
  readonly #fitter: Fitter;
  readonly #windows: Windows;
  readonly #prefix: PrefixReports;
  readonly #answered = new AnsweredUnits();
  readonly #malformedCallFallback = new MalformedCallFallback();
  readonly #refusals: RefusalReports;
  /** Set while a failed request waits for its next attempt. */
  #retryWait: AbortController | undefined;
  #streams = new Map<string, CallStream>();

  constructor(deps: ModelRequestsDeps) {
    this.#deps = deps;
    this.#prompt = new TaskPrompt(deps);
    this.#windows = new Windows(deps);
    this.#fitter = new Fitter({ ...deps, windows: this.#windows });
    const { conversation, host } = deps;
    this.#refusals = new RefusalReports(deps);
    this.#prefix = new PrefixReports(conversation.emit, () => host.newId());
    deps.profiles.forgetPassing();
  }

  /** The protocol of the next request. */
  get protocol(): Protocol {
    return this.#plan(this.#profile()).protocol;
  }

  /** The previews of the newest answer's edits, by call id. `loop.ts` removes those that it uses. */
  get streams(): Map<string, CallStream> {
    return this.#streams;
  }

  /** Closes the previews of edits whose calls did not run. */
  async abandonStreams(): Promise<void> {
    for (const stream of this.#streams.values()) await stream.abandon();
    this.#streams.clear();
  }

  /** Replaces the earlier messages with a summary that the user accepted, from the next request on. */
  applyCondense(summary: string): void {
    this.#fitter.applyCondense(summary);
  }

  /** Tokens of the context window of the current mode's model. */
  contextWindow(signal: AbortSignal): Promise<number> {
    return this.#windows.ask(this.#profile(), signal);
  }

  async messageLimits(signal: AbortSignal): Promise<MessageLimits> {
    const profile = this.#profile();
    const contextWindow = await this.#windows.ask(profile, signal);
    const frame = this.#frame(profile, this.#plan(profile));
    return { contextWindow, maxMessageTokens: this.#fitter.maxMessageTokens(frame) };
  }

  /** What a message with this text would send, as far as that is known without reading what it mentions. */
  forecast(text: string): Forecast {
    const { conversation } = this.#deps;
    const profile = this.#profile();
    const tokens = this.#fitter.forecast(this.#frame(profile, this.#plan(profile)), estimateTokens(text));
    const { cachedTokens, contextTokens } = conversation.totals;
    const isCached = cachedTokens > 0 && this.#prefix.cachedFor === profile;
    return forecastOf(tokens, isCached ? contextTokens : 0, profile.facts);
  }

  /** What the next request would contain, and what the answers so far have cost. */
  contents(): WindowContents {
    const { conversation, registry } = this.#deps;
    const profile = this.#profile();
    const frame = this.#frame(profile, this.#plan(profile));
    const planned = this.#fitter.planned(frame);
    const prompt = this.#prompt.parts(frame.protocol, this.#windows.wording(profile));
    const { shortened, leftOutUpTo, summary } = planned.state;
    return {
      tokens: planned.tokens,
      size: this.#windows.of(profile),
      parts: tokensByKind({ frame, prompt, planned, find: (name) => registry.find(name) }),
      leftOut: { messages: leftOutUpTo, results: shortened.size, isSummarized: summary !== undefined },
      models: costByModel(conversation.messages),
    };
  }

  /** Ends the wait before the next attempt. False: no request waits. */
  retryNow(): boolean {
    this.#retryWait?.abort();
    return this.#retryWait !== undefined;
  }

  /** Condenses at the user's request. `display` is what the user typed. */
  async condense(request: { focus: string; display: string }, signal: AbortSignal): Promise<void> {
    const profile = this.#profile();
    const plan = this.#plan(profile);
    const frame = this.#frame(profile, plan);
    await this.#fitter.compact(frame, request, this.#summarizer(frame, plan, "manual"), signal);
  }

  /**
   * Requests one answer and appends it to the conversation. Rejects with ProviderError, or with Interrupt after a
   * Stop.
   */
  async send(signal: AbortSignal): Promise<void> {
    const { conversation, random } = this.#deps;
    const profile = this.#profile();
    await this.#windows.ask(profile, signal);
    conversation.emit({ type: "request", messageId: "", number: conversation.totals.requests + 1 });
    let fitted = await this.#fit(profile, this.#plan(profile), signal);
    const search = new RefusalSearch(profile, this.#answered, conversation.messages, () => fitted.messages);
    const adaptations = [
      search.images,
      ...formAdaptations(profile),
      this.#malformedCallFallback.row,
      retryAfterDelay(random),
      smallerWindow(this.#fitter),
      withoutRefusedTools({ ...this.#deps, profile, offered: () => fitted.tools }),
      fallBackToXml,
      search.contents,
    ];
    this.#refusals.unusual(fitted.messages);
    // Planned again, because fitting may have requested a summary, which may have updated the profile.
    const first = { ...this.#plan(profile), withheld: search.known };
    let last: RequestPlan = first;
    const { result, failed } = await sendAdapting<ReceivedAnswer>(first, adaptations, profile, {
      send: async (plan) => {
        throwIfAborted(signal);
        last = plan;
        const { protocol, refits } = plan;
        if (fitted.protocol !== protocol || fitted.refits !== refits)
          fitted = await this.#fit(profile, plan, signal);
        return this.#attempt(plan, fitted, signal);
      },
      wait: (delayMs, { error }, attempt) => this.waitForRetry(delayMs, error, attempt, signal),
    });
    // A failed answer that the user has seen is stored first; `#storeAnswer` then throws its failure.
    if (failed && !failed.shown) throw failed.error;
    await this.#refusals.answered(profile, search.answered(last));
    if (result.usage) this.#fitter.observe(result.usage);
    if (!failed) this.#malformedCallFallback.answered();
    if (!failed)
      await retryMalformedCall(result, {
        ...this.#deps,
        request: { ...fitted, messages: contentsOf(last, fitted.messages) },
        stream: (request) => this.#stream(last, { ...fitted, ...request }, signal),
        list: () => askListedWindow(profile, this.#deps, signal),
        contextWindow: this.#windows.of(profile),
      });
    await this.#storeAnswer(result, this.#windows.of(profile));
    // The model wrote XML although native calling was offered, so the next request uses the XML protocol.
    if (result.speaksXml && !first.protocolIsSet) profile.learnXml();
  }

  /** The profile of the current mode's model. */
  #profile(): ModelProfile {
    const { conversation, profiles, settings } = this.#deps;
    return profiles.of(conversation.modelChoice(settings()));
  }

  #plan(profile: ModelProfile): RequestPlan {
    return firstPlan(profile, this.#deps.settings().provider.protocol);
  }

  #frame(profile: ModelProfile, { protocol }: RequestPlan): RequestFrame {
    const wording = this.#windows.wording(profile);
    const tools = protocol === "native" ? this.#deps.registry.native(wording) : [];
    return { system: this.#prompt.text(protocol, wording), protocol, profile, tools, wording };
  }

  async #fit(profile: ModelProfile, plan: RequestPlan, signal: AbortSignal): Promise<FittedRequest> {
    const frame = this.#frame(profile, plan);
    const messages = await this.#fitter.fit(frame, this.#summarizer(frame, plan), signal);
    return { ...frame, messages, refits: plan.refits };
  }

  async #attempt(
    plan: RequestPlan,
    request: ModelRequest & RequestFrame,
    signal: AbortSignal,
  ): Promise<AttemptResult<ReceivedAnswer>> {
    const { conversation, host, registry } = this.#deps;
    const messages = contentsOf(plan, request.messages);
    this.#prefix.sending({
      frame: request,
      plan,
      messages,
      toolSet: registry.native(),
      windowSteps: conversation.messages.filter(isWindowStep).length,
    });
    const result = await receiveAnswer({
      stream: () => this.#stream(plan, { ...request, messages }, signal),
      model: request.profile.model,
      connection: request.profile.connection.name,
      clock: host.clock,
      registry,
      newId: () => host.newId(),
      emit: conversation.emit,
      watch: (tool) =>
        conversation.mode === "act" && tool.modes.includes("act") && this.#deps.mayRun(tool)
          ? tool.stream?.(this.#deps.context)
          : undefined,
      usedIds: conversation.usedCallIds(),
      isGiven: (text) => hasReceived(conversation.messages, text),
    });
    const { failure: error, message } = result;
    if (!(error instanceof ProviderError)) return { result };
    const shown = message.blocks.length > 0;
    return { result, failed: { error, shown, images: imageCount(request.messages) } };
  }

  async *#stream(
    plan: RequestPlan,
    request: ModelRequest & RequestFrame,
    signal: AbortSignal,
    purpose: RequestPurpose = "turn",
  ): AsyncGenerator<StreamPart> {
    const { conversation, host, settings, apiKey } = this.#deps;
    const { connection, model, api, facts } = request.profile;
    const { clock, editorModels } = host;
    const endpoint = {
      connection,
      provider: settings().provider,
      model,
      facts,
      apiKey: await apiKey(connection),
      reason: { purpose, session: conversation.id },
      clock,
      editorModels,
      fetch: this.#counted(fetchFor(host, connection)),
    };
    for await (const part of api.stream(endpoint, withoutTools(request, plan), plan.quirks, signal))
      yield part.type === "usage" ? { ...part, usage: withCost(part.usage, facts) } : part;
  }

  /** Waits before an attempt, as `retrying` says. */
  async waitForRetry(
    delayMs: number,
    error: ProviderError,
    attempt: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#deps.host;
    const at = new Date(clock.now().getTime() + delayMs).toISOString();
    const retry = { at, try: attempt, of: Math.max(attempt, maxTries(error)), error: error.view };
    this.#deps.conversation.emit({ type: "status", status: "retrying", retry });
    const retryNow = new AbortController();
    this.#retryWait = retryNow;
    try {
      await wait(clock, delayMs, AbortSignal.any([signal, retryNow.signal]));
    } catch (error) {
      if (signal.aborted || !retryNow.signal.aborted) throw error;
    } finally {
      this.#retryWait = undefined;
    }
  }

  /** Requests a summary, adapting the request to the endpoint but without retry waits. */
  #summarizer(frame: RequestFrame, first: RequestPlan, trigger: "manual" | "auto" = "auto"): Summarize {
    const { conversation, hooks, host } = this.#deps;
    const { profile } = frame;
    return async (messages, focus, signal) => {
      if (hooks && !(await hooks.beforeCondensing(trigger, focus, signal))) return "";
      conversation.emit({ type: "status", status: "waiting" });
      const { result, failed } = await sendAdapting<Summary>(first, formAdaptations(profile), profile, {
        send: async (plan) => {
          try {
            const stream = (request: ModelRequest) =>
              this.#stream(plan, { ...frame, ...request }, signal, "summary");
            const sent = contentsOf(plan, messages);
            return { result: await askSummary(stream, { ...frame, messages: sent }, focus, host) };
          } catch (error) {
            if (!(error instanceof ProviderError)) throw error;
            const failed = { error, shown: false, images: imageCount(messages) };
            return { result: { summary: "", usage: undefined }, failed };
          }
        },
        wait: (delayMs, { error }, attempt) => this.waitForRetry(delayMs, error, attempt, signal),
      });
      if (failed) throw failed.error;
      const { summary, usage } = result;
      if (usage) await conversation.addUsage({ usage, contextWindow: this.#windows.of(profile) });
      if (hooks && summary !== "") await hooks.afterCondensing(trigger, summary, signal);
      return summary;
    };
  }

  /** Appends the answer, even if it is only a part. Throws if it failed or is empty. */
  async #storeAnswer(result: ReceivedAnswer, contextWindow: number): Promise<void> {
    const { conversation, host } = this.#deps;
    this.#streams = result.streams;
    const { message, usage } = result;
    const broken = result.failure && message.blocks.length === 0 ? undefined : this.#prefix.answered();
    // For an endpoint that reports no usage, or an answer that was cut off before it.
    const estimate = { inputTokens: this.#fitter.sentTokens, outputTokens: messageTokens(message) };
    if (message.blocks.length > 0) {
      await conversation.append(message, {
        usage: usage ?? estimate,
        contextWindow,
        estimated: !usage,
        broken,
      });
    } else if (usage) await conversation.addUsage({ usage, contextWindow, broken });
    if (result.failure) throw result.failure;
    const error = unusable(result);
    if (error && !hasMalformedCall([message], this.#deps.registry)) throw error;
    if (result.finish === "length")
      conversation.emit({ type: "notice", id: host.newId(), code: "reply-cut" });
  }
}

/**
 * What a request of so many tokens would cost, as far as its size decides that. `cachedTokens`: the part that the endpoint's cache
 * probably supplies.
 */
function forecastOf(tokens: number, cachedTokens: number, facts: ModelFacts): Forecast {
  const cached = Math.min(tokens, cachedTokens);
  const { cost } = withCost({ inputTokens: tokens, cachedTokens: cached, outputTokens: 0 }, facts);
  return { tokens, cachedTokens: cached, ...(cost === undefined ? {} : { cost }) };
}

/** Whether the model received this text in the conversation: it is in a message that the model did not write itself. */
function hasReceived(messages: readonly Message[], text: string): boolean {
  return messages.some(
    ({ role, blocks }) =>
      role !== "assistant" &&
      blocks.some((block) => {
        if (block.type === "text") return block.text.includes(text);
        if (block.type !== "tool-result") return false;
        return block.parts.some((part) => part.type === "text" && part.text.includes(text));
      }),
  );
}
