/** What the loop asks of the model: which model, with which prompt, and what is tried where it does not answer. */
import { modelOf } from "../../shared/model.ts";
import type { Settings } from "../../shared/settings.ts";
import { ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { systemPrompt } from "../prompts/system-prompt.ts";
import { chatCompletions, saysToolsUnsupported } from "../provider/chat/chat-completions.ts";
import { withImagesWhereTaken } from "../provider/image-fallback.ts";
import { prefersXml } from "../provider/presets.ts";
import type { ModelRequest, Protocol, Provider } from "../provider/provider.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { CallStream, ToolContext } from "../tools/tool.ts";
import { Fitter, type Summarize } from "../window/fit.ts";
import { Windows } from "../window/model-windows.ts";
import type { Frame } from "../window/sizer.ts";
import { askSummary } from "../window/summarize.ts";
import { messageTokens } from "../window/window.ts";
import { emptiness, type StepResult, step } from "./step.ts";
import type { Transcript } from "./transcript.ts";
import { holdsUnread } from "./unread.ts";

export interface ModelRequestsDeps {
  host: Host;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  registry: ToolRegistry;
  conversation: Transcript;
  /** For edits that are watched as they grow. */
  context: ToolContext;
  /** The rules that the task began with, for the system prompt. */
  rules(): string;
  random(): number;
}

/** Models that refused native calling or answered it in XML, by endpoint and name, for as long as the host lives. */
const withoutNative = new Set<string>();

export class ModelRequests {
  readonly #d: ModelRequestsDeps;
  readonly #fitter: Fitter;
  readonly #windows: Windows;
  /** Fixed for a task, so that the prompt's prefix stays the same. */
  #prompt: { key: string; text: string } | undefined;
  #streams = new Map<string, CallStream>();

  constructor(deps: ModelRequestsDeps) {
    this.#d = deps;
    this.#windows = new Windows(deps);
    this.#fitter = new Fitter({ ...deps, windows: this.#windows });
  }

  /** How the model of the current mode is spoken to. */
  get protocol(): Protocol {
    return this.#model().protocol;
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

  /** The model of the current mode, and how it is spoken to. */
  #model(): { model: string; protocol: Protocol; key: string } {
    const { conversation, settings } = this.#d;
    const { provider } = settings();
    const model = modelOf(provider, conversation.mode);
    const key = `${provider.baseUrl} ${model}`;
    const auto: Protocol = prefersXml(model) || withoutNative.has(key) ? "xml" : "native";
    return { model, key, protocol: provider.protocol === "auto" ? auto : provider.protocol };
  }

  /** Tokens of the window of the model that answers next, and how many of our own estimate a message may have in it. */
  async room(signal: AbortSignal): Promise<{ window: number; room: number }> {
    const { model, protocol } = this.#model();
    const window = await this.#windows.ask(model, signal);
    return { window, room: this.#fitter.room(this.#frame(protocol, model)) };
  }

  /** Condenses because the person asked. */
  async condense(wish: { focus: string; display: string }, signal: AbortSignal): Promise<void> {
    const { model, protocol } = this.#model();
    const frame = this.#frame(protocol, model);
    await this.#fitter.compact(frame, wish, await this.#summarizer(frame), signal);
  }

  /** One answer of the model, as a message of the conversation. Rejects with ProviderError. */
  async send(signal: AbortSignal): Promise<void> {
    const { provider } = this.#d.settings();
    const { model, protocol, key } = this.#model();
    await this.#windows.ask(model, signal);
    try {
      const { speaksXml } = await this.#step(protocol, model, signal);
      // It was offered native calling and wrote XML: from the next request on it is spoken to in its own way.
      if (speaksXml && provider.protocol === "auto") withoutNative.add(key);
    } catch (error) {
      const retry = provider.protocol === "auto" && protocol === "native" && error instanceof ProviderError;
      if (!retry || !saysToolsUnsupported(error)) throw error;
      withoutNative.add(key);
      await this.#step("xml", model, signal);
    }
  }

  async #step(protocol: Protocol, model: string, signal: AbortSignal): Promise<StepResult> {
    const { conversation } = this.#d;
    const frame = this.#frame(protocol, model);
    const summarize = await this.#summarizer(frame);
    conversation.emit({ type: "request", messageId: "", number: conversation.totals.requests + 1 });
    for (let refused = false; ; refused = true) {
      const messages = await this.#fitter.fit(frame, summarize, signal);
      const said = conversation.messages.length;
      try {
        return await this.#attempt({ ...frame, messages }, signal);
      } catch (error) {
        // The endpoint counts otherwise than we thought: once more, with what it said of its window.
        if (refused || !(error instanceof ProviderError) || !this.#fitter.learn(error, model)) throw error;
        // What came of the answer before it was refused stands; going on from there is the person's matter.
        if (conversation.messages.length > said) throw error;
      }
    }
  }

  #frame(protocol: Protocol, model: string): Frame {
    const tools = protocol === "native" ? this.#d.registry.native() : [];
    return { system: this.#systemPrompt(protocol), protocol, model, tools };
  }

  async #provider(model: string): Promise<Provider> {
    const { host, settings } = this.#d;
    const { provider } = settings();
    const endpoint = chatCompletions({ ...host, provider, model, apiKey: await this.#d.apiKey() });
    return withImagesWhereTaken(endpoint, `${provider.baseUrl} ${model}`);
  }

  async #summarizer(frame: Frame): Promise<Summarize> {
    const { conversation, host } = this.#d;
    const provider = await this.#provider(frame.model);
    return async (messages, focus, signal) => {
      conversation.emit({ type: "status", status: "waiting" });
      const { summary, usage } = await askSummary(provider, { ...frame, messages }, focus, host, signal);
      if (usage) await conversation.addUsage({ usage, contextWindow: this.#windows.of(frame.model) });
      return summary;
    };
  }

  async #attempt(request: ModelRequest & { model: string }, signal: AbortSignal): Promise<StepResult> {
    const { conversation, host, registry } = this.#d;
    const { model } = request;
    const result = await step(
      request,
      {
        provider: await this.#provider(model),
        model,
        clock: host.clock,
        random: this.#d.random,
        registry,
        newId: () => host.newId(),
        emit: conversation.emit,
        watch: (tool) =>
          conversation.mode === "act" && tool.modes.includes("act")
            ? tool.stream?.(this.#d.context)
            : undefined,
        usedIds: conversation.usedCallIds(),
      },
      signal,
    );
    if (result.usage) this.#fitter.observe(result.usage);
    await this.#keep(result, this.#windows.of(model));
    return result;
  }

  async #keep(result: StepResult, contextWindow: number): Promise<void> {
    const { conversation, host } = this.#d;
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
    if (empty && !holdsUnread([message], this.#d.registry)) throw empty;
  }

  #systemPrompt(protocol: Protocol): string {
    const { host, registry, settings } = this.#d;
    const { customInstructions, preferredLanguage } = settings();
    const key = JSON.stringify([
      protocol,
      customInstructions,
      preferredLanguage,
      this.#d.conversation.id,
      // They are read after the first message is said, and the same from then on.
      this.#d.rules(),
    ]);
    if (this.#prompt?.key === key) return this.#prompt.text;
    const text = systemPrompt({
      protocol,
      documentation: registry.documentation(),
      root: host.workspace.root ?? "(no folder is open)",
      os: host.system.os,
      shell: host.shell.path,
      home: host.system.home,
      hostName: host.surroundings.hostName,
      customInstructions,
      preferredLanguage,
      rules: this.#d.rules(),
    });
    this.#prompt = { key, text };
    return text;
  }
}
