/**
 * The loop: while the last message asks for something, do that one thing. Its whole state is the conversation, so it
 * can end at any point and go on from there, after a Stop, a failed request or a crash.
 */
import type { Message } from "../../shared/message.ts";
import { modelOf } from "../../shared/model.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import { systemPrompt } from "../prompts/system-prompt.ts";
import { chatCompletions, saysToolsUnsupported } from "../provider/chat-completions.ts";
import { withImagesWhereTaken } from "../provider/image-fallback.ts";
import { prefersXml } from "../provider/presets.ts";
import type { ModelRequest, Protocol, Provider } from "../provider/provider.ts";
import { SessionTakenOver } from "../sessions/claims.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { CallStream, ToolContext, TurnEnd } from "../tools/tool.ts";
import { Fitter, type Summarize } from "../window/fit.ts";
import { Windows } from "../window/model-windows.ts";
import type { Frame } from "../window/sizer.ts";
import { askSummary } from "../window/summarize.ts";
import { messageTokens } from "../window/window.ts";
import type { Approvals } from "./approvals.ts";
import type { Conversation } from "./conversation.ts";
import { errorView } from "./error-view.ts";
import type { Limits } from "./limits.ts";
import type { GoingOn } from "./move-to-background.ts";
import type { Judge } from "./permission.ts";
import { RulesInForce } from "./rules-in-force.ts";
import { emptiness, type StepResult, step } from "./step.ts";
import { runCalls } from "./tool-calls.ts";
import { type Said, saidText, userMessage } from "./turn.ts";
import { holdsUnread, unreadReply } from "./unread.ts";

export interface TaskDeps {
  host: Host;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  registry: ToolRegistry;
  conversation: Conversation;
  approvals: Approvals;
  goingOn: GoingOn;
  judge: Judge;
  limits: Limits;
  checkpoints?: Checkpoints;
  /** Takes what the person said while the agent worked. */
  takeQueued(): Said[];
  random(): number;
}

/** Why the loop ended; `replied`: an answer without a call, the person's turn. */
export type RunEnd = TurnEnd | "replied" | "limit" | "stopped" | "failed" | "handed-over";

/** Models that refused native calling or answered it in XML, by endpoint and name, for as long as the host lives. */
const withoutNative = new Set<string>();

export class Task {
  readonly #d: TaskDeps;
  readonly context: ToolContext;
  #signal: AbortSignal = AbortSignal.abort();
  #streams = new Map<string, CallStream>();
  /** Fixed for a task, so that the prompt's prefix stays the same. */
  #prompt: { key: string; text: string } | undefined;
  /** Makes the requests fit; takes a summary that the person accepted. */
  readonly fitter: Fitter;
  readonly #windows: Windows;
  /** Set when the person asked to condense: that is all that the next run does. */
  compact: { focus: string; display: string } | undefined;
  readonly rules: RulesInForce;
  /** Set when the mode became act: the next message asks for a todo list. */
  enteredAct = false;
  askAgain = false;
  /** After a run that was handed over: the context that the next task begins with. */
  handOver = "";

  constructor(deps: TaskDeps) {
    this.#d = deps;
    this.#windows = new Windows(deps);
    this.fitter = new Fitter({ ...deps, windows: this.#windows });
    this.rules = new RulesInForce(deps);
    const signal = () => this.#signal;
    this.context = {
      host: deps.host,
      settings: deps.settings,
      mode: () => deps.conversation.mode,
      seen: new Map(),
      editAllowed: async (path) => {
        if (this.askAgain) return false;
        const use = { paths: [{ path, access: "write" as const }] };
        return (
          (await deps.judge.permission({ access: "edit" }, use, deps.conversation.mode)).verdict === "allow"
        );
      },
      unreadable: (path) => deps.judge.unreadable(path),
      get signal() {
        return signal();
      },
    };
  }

  /** Runs until it is the person's turn. Never rejects: a fault becomes an error row. */
  async run(signal: AbortSignal): Promise<RunEnd> {
    this.#signal = signal;
    try {
      await this.rules.begin(signal);
      this.rules.tell();
      return await (this.compact ? this.#condense(this.compact, signal) : this.#loop(signal));
    } catch (error) {
      if (error instanceof Interrupt || signal.aborted) return "stopped";
      this.#report(error);
      return "failed";
    } finally {
      for (const stream of this.#streams.values()) await stream.abandon();
      this.#streams.clear();
      this.askAgain = false;
    }
  }

  async #loop(signal: AbortSignal): Promise<RunEnd> {
    const { conversation, limits, settings } = this.#d;
    for (;;) {
      const calls = conversation.unanswered();
      if (calls.length > 0) {
        const end = await runCalls(
          calls,
          {
            ...this.#d,
            context: this.context,
            streams: this.#streams,
            askAgain: this.askAgain,
            holdsUnread: holdsUnread(conversation.messages, this.#d.registry),
            condense: (summary) => this.fitter.applyCondense(summary),
          },
          signal,
        );
        this.askAgain = false;
        if (end && "newTask" in end) {
          this.handOver = end.newTask;
          return "handed-over";
        }
        if (end) return end.turnEnd;
      }
      const last = conversation.messages.at(-1);
      if (last?.role !== "user") limits.answer(holdsUnread(conversation.messages, this.#d.registry));
      if (last?.role === "assistant" && !(await this.#replyTo(last, signal))) return "replied";
      const limit = limits.next(settings().approval, conversation.totals.cost ?? 0);
      if (limit) {
        conversation.emit({ type: "notice", id: this.#d.host.newId(), ...limit });
        return "limit";
      }
      if (conversation.messages.at(-1)?.role === "tool") {
        await this.#append(unreadReply(this.#d, this.#model().protocol), signal);
      }
      await this.#request(signal);
    }
  }

  /** An answer without calls ends the turn, unless it was cut off, or holds a call that could not be read. */
  async #replyTo(last: Message, signal: AbortSignal): Promise<boolean> {
    if (last.interrupted) {
      await this.#append([replies.continueAfterCut], signal);
      return true;
    }
    const unread = unreadReply(this.#d, this.#model().protocol);
    if (unread.length > 0) await this.#append(unread, signal);
    return unread.length > 0;
  }

  /** A user message with what was said meanwhile, `texts`, and the environment. */
  async #append(texts: string[], signal: AbortSignal): Promise<void> {
    const options = { ...this.#d, context: this.context, signal, ...(await this.room(signal)) };
    const queued = this.#d.takeQueued();
    if (queued.length > 0) await this.rules.check(signal);
    const message = await userMessage(
      {
        texts: async (left) => {
          const share = { ...left, room: left.room / Math.max(1, queued.length) };
          const said = queued.map((item) => saidText(item, replies.userMessage, share));
          return [...texts, ...(await Promise.all(said))];
        },
        news: this.rules.takeNews(),
        images: queued.flatMap((item) => item.images),
        enteredAct: this.enteredAct,
        ...(queued.length > 0 ? { display: queued.map((item) => item.text).join("\n\n") } : {}),
      },
      options,
    );
    this.enteredAct = false;
    await this.#d.conversation.append(message);
    this.rules.tell();
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
    return { window, room: this.fitter.room(this.#frame(protocol, model)) };
  }

  async #condense(wish: { focus: string; display: string }, signal: AbortSignal): Promise<RunEnd> {
    this.compact = undefined;
    const { model, protocol } = this.#model();
    const frame = this.#frame(protocol, model);
    await this.fitter.compact(frame, wish, await this.#summarizer(frame), signal);
    return "replied";
  }

  async #request(signal: AbortSignal): Promise<void> {
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
      const messages = await this.fitter.fit(frame, summarize, signal);
      const said = conversation.messages.length;
      try {
        return await this.#attempt({ ...frame, messages }, signal);
      } catch (error) {
        // The endpoint counts otherwise than we thought: once more, with what it said of its window.
        if (refused || !(error instanceof ProviderError) || !this.fitter.learn(error, model)) throw error;
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
          conversation.mode === "act" && tool.modes.includes("act") ? tool.stream?.(this.context) : undefined,
        usedIds: conversation.usedCallIds(),
      },
      signal,
    );
    if (result.usage) this.fitter.observe(result.usage);
    await this.#keep(result, this.#windows.of(model));
    return result;
  }

  async #keep(result: StepResult, contextWindow: number): Promise<void> {
    const { conversation, host } = this.#d;
    this.#streams = result.streams;
    const { message, usage } = result;
    const said = message.blocks.length > 0;
    // An endpoint that counts nothing, or an answer that was cut off before the count.
    const guess = { inputTokens: this.fitter.sentTokens, outputTokens: messageTokens(message) };
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
      this.#d.conversation.sessionId,
      // They are read after the first message is said, and the same from then on.
      this.rules.text,
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
      rules: this.rules.text,
    });
    this.#prompt = { key, text };
    return text;
  }

  #report(error: unknown): void {
    const { conversation, host } = this.#d;
    if (error instanceof SessionTakenOver) {
      conversation.emit({ type: "notice", id: host.newId(), code: "taken-over" });
      return;
    }
    if (!(error instanceof ProviderError)) host.log.error("the task failed", error);
    conversation.emit({ type: "error", id: host.newId(), error: errorView(error) });
  }
}
