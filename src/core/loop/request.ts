/** What the loop asks of the model: which model, with which prompt, and what is tried where it does not answer. */
import { modelOf } from "../../shared/model.ts";
import type { Settings } from "../../shared/settings.ts";
import { ProviderError, throwIfAborted } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { TaskPrompt } from "../prompts/task-prompt.ts";
import { firstPlan, inAnotherForm, type RequestPlan, waiting, xmlInstead } from "../provider/adaptations.ts";
import { hasImage, withoutImages } from "../provider/images.ts";
import type { ModelProfile, ModelProfiles } from "../provider/model-profile.ts";
import type { ModelRequest, Protocol, StreamPart } from "../provider/provider.ts";
import { maxTries } from "../provider/retry.ts";
import { type Sent, sendAdapting } from "../provider/send-adapting.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { CallStream, ToolContext } from "../tools/tool.ts";
import { wait } from "../wait.ts";
import { Fitter, type Summarize } from "../window/fit.ts";
import { Windows } from "../window/model-windows.ts";
import type { Frame } from "../window/sizer.ts";
import { smallerWindow } from "../window/smaller-window.ts";
import { askSummary, type Summary } from "../window/summarize.ts";
import { messageTokens } from "../window/window.ts";
import { emptiness, type StepResult, step } from "./step.ts";
import type { Transcript } from "./transcript.ts";
import { holdsUnread } from "./unread.ts";

export interface ModelRequestsDeps {
  host: Host;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  profiles: ModelProfiles;
  registry: ToolSet;
  conversation: Transcript;
  /** For edits that are watched as they grow. */
  context: ToolContext;
  /** The rules that the task began with, for the system prompt. */
  rules(): string;
  random(): number;
}

/** A request of the conversation, and for which of the plan's windows it was made. */
type Fitted = ModelRequest & Frame & { refits: number };

export class ModelRequests {
  readonly #deps: ModelRequestsDeps;
  readonly #prompt: TaskPrompt;
  readonly #fitter: Fitter;
  readonly #windows: Windows;
  #streams = new Map<string, CallStream>();

  constructor(deps: ModelRequestsDeps) {
    this.#deps = deps;
    this.#prompt = new TaskPrompt(deps);
    this.#windows = new Windows(deps);
    this.#fitter = new Fitter({ ...deps, windows: this.#windows });
    deps.profiles.forgetStatedWindows();
  }

  /** How the model of the current mode is spoken to. */
  get protocol(): Protocol {
    return this.#plan(this.#profile()).protocol;
  }

  /** The edits of the newest answer that were watched as they grew, by call. */
  get streams(): Map<string, CallStream> {
    return this.#streams;
  }

  /** Ends watching what is watched still. */
  async abandonStreams(): Promise<void> {
    for (const stream of this.#streams.values()) await stream.abandon();
    this.#streams.clear();
  }

  /** A summary that the person accepted takes the place of the earlier messages from the next request on. */
  applyCondense(summary: string): void {
    this.#fitter.applyCondense(summary);
  }

  /** Tokens of the window of the model that answers next, and how many of our own estimate a message may have in it. */
  async room(signal: AbortSignal): Promise<{ window: number; room: number }> {
    const profile = this.#profile();
    const window = await this.#windows.ask(profile, signal);
    return { window, room: this.#fitter.room(this.#frame(profile, this.#plan(profile))) };
  }

  /** Condenses because the person asked. */
  async condense(wish: { focus: string; display: string }, signal: AbortSignal): Promise<void> {
    const profile = this.#profile();
    const plan = this.#plan(profile);
    const frame = this.#frame(profile, plan);
    await this.#fitter.compact(frame, wish, this.#summarizer(frame, plan), signal);
  }

  /** One answer of the model, as a message of the conversation. Rejects with ProviderError. */
  async send(signal: AbortSignal): Promise<void> {
    const { conversation, random } = this.#deps;
    const profile = this.#profile();
    await this.#windows.ask(profile, signal);
    conversation.emit({ type: "request", messageId: "", number: conversation.totals.requests + 1 });
    const table = [...inAnotherForm(profile), waiting(random), smallerWindow(this.#fitter), xmlInstead];
    let fitted = await this.#fit(profile, this.#plan(profile), signal);
    // A summary may have taught something on the way.
    const first = this.#plan(profile);
    const { result, failed } = await sendAdapting<StepResult>(first, table, profile, {
      send: async (plan) => {
        throwIfAborted(signal);
        const { protocol, refits } = plan;
        if (fitted.protocol !== protocol || fitted.refits !== refits)
          fitted = await this.#fit(profile, plan, signal);
        return this.#try(plan, fitted, signal);
      },
      wait: (delayMs, { error }, attempt) => this.#wait(delayMs, error, attempt, signal),
    });
    if (failed && !failed.shown) throw failed.error;
    if (result.usage) this.#fitter.observe(result.usage);
    await this.#keep(result, this.#windows.of(profile));
    // It was offered native calling and wrote XML: from the next request on it is spoken to in its own way.
    if (result.speaksXml && !first.protocolIsSet) profile.learnXml();
  }

  /** The model of the current mode, and what is known of it. */
  #profile(): ModelProfile {
    const { conversation, profiles, settings } = this.#deps;
    const { provider } = settings();
    return profiles.of(provider.baseUrl, modelOf(provider, conversation.mode));
  }

  #plan(profile: ModelProfile): RequestPlan {
    return firstPlan(profile, this.#deps.settings().provider.protocol);
  }

  #frame(profile: ModelProfile, { protocol }: RequestPlan): Frame {
    const tools = protocol === "native" ? this.#deps.registry.native() : [];
    return { system: this.#prompt.text(protocol), protocol, profile, tools };
  }

  async #fit(profile: ModelProfile, plan: RequestPlan, signal: AbortSignal): Promise<Fitted> {
    const frame = this.#frame(profile, plan);
    const messages = await this.#fitter.fit(frame, this.#summarizer(frame, plan), signal);
    return { ...frame, messages, refits: plan.refits };
  }

  async #try(
    plan: RequestPlan,
    request: ModelRequest & Frame,
    signal: AbortSignal,
  ): Promise<Sent<StepResult>> {
    const { conversation, host, registry } = this.#deps;
    const result = await step({
      stream: () => this.#stream(plan, request, signal),
      model: request.profile.model,
      clock: host.clock,
      registry,
      newId: () => host.newId(),
      emit: conversation.emit,
      watch: (tool) =>
        conversation.mode === "act" && tool.modes.includes("act")
          ? tool.stream?.(this.#deps.context)
          : undefined,
      usedIds: conversation.usedCallIds(),
    });
    const { failure: error, message } = result;
    if (!(error instanceof ProviderError)) return { result };
    const shown = message.blocks.length > 0;
    return { result, failed: { error, shown, images: request.messages.some(hasImage) } };
  }

  async *#stream(
    plan: RequestPlan,
    request: ModelRequest & Frame,
    signal: AbortSignal,
  ): AsyncGenerator<StreamPart> {
    const { host, settings, apiKey } = this.#deps;
    const { model, api } = request.profile;
    const messages = plan.withImages ? request.messages : withoutImages(request.messages);
    const { provider } = settings();
    const endpoint = { provider, model, apiKey: await apiKey(), clock: host.clock, fetch: host.fetch };
    yield* api.stream(endpoint, { ...request, messages }, plan.quirks, signal);
  }

  async #wait(delayMs: number, error: ProviderError, attempt: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps.host;
    const at = new Date(clock.now().getTime() + delayMs).toISOString();
    const retry = { at, try: attempt, of: maxTries(error), error: error.view };
    this.#deps.conversation.emit({ type: "status", status: "retrying", retry });
    await wait(clock, delayMs, signal);
  }

  /** A summary is asked for in another form where the endpoint wants that, and not waited for. */
  #summarizer(frame: Frame, first: RequestPlan): Summarize {
    const { conversation, host } = this.#deps;
    const { profile } = frame;
    return async (messages, focus, signal) => {
      conversation.emit({ type: "status", status: "waiting" });
      const { result, failed } = await sendAdapting<Summary>(first, inAnotherForm(profile), profile, {
        send: async (plan) => {
          try {
            const stream = (request: ModelRequest) => this.#stream(plan, { ...frame, ...request }, signal);
            return { result: await askSummary(stream, { ...frame, messages }, focus, host) };
          } catch (error) {
            if (!(error instanceof ProviderError)) throw error;
            const failed = { error, shown: false, images: messages.some(hasImage) };
            return { result: { summary: "", usage: undefined }, failed };
          }
        },
        wait: (delayMs, { error }, attempt) => this.#wait(delayMs, error, attempt, signal),
      });
      if (failed) throw failed.error;
      const { summary, usage } = result;
      if (usage) await conversation.addUsage({ usage, contextWindow: this.#windows.of(profile) });
      return summary;
    };
  }

  async #keep(result: StepResult, contextWindow: number): Promise<void> {
    const { conversation, host } = this.#deps;
    this.#streams = result.streams;
    const { message, usage } = result;
    const said = message.blocks.length > 0;
    // An endpoint that counts nothing, or an answer that was cut off before the count.
    const guess = { inputTokens: this.#fitter.sentTokens, outputTokens: messageTokens(message) };
    if (said) {
      await conversation.append(message, { usage: usage ?? guess, contextWindow, estimated: !usage });
    } else if (usage) await conversation.addUsage({ usage, contextWindow });
    if (result.finish === "length")
      conversation.emit({ type: "notice", id: host.newId(), code: "reply-cut" });
    if (result.failure) throw result.failure;
    const empty = emptiness(result);
    if (empty && !holdsUnread([message], this.#deps.registry)) throw empty;
  }
}
