/**
 * The loop: while the last message asks for something, do that one thing. Its whole state is the conversation, so it
 * can end at any point and go on from there, after a Stop, a failed request or a crash.
 */
import type { Message } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { findUnknownCalls } from "../assistant/names.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports.ts";
import * as replies from "../prompts/replies.ts";
import { systemPrompt } from "../prompts/system.ts";
import { chatCompletions, saysToolsUnsupported } from "../provider/chat-completions.ts";
import { fallbackContextWindow, prefersXml } from "../provider/presets.ts";
import type { Protocol } from "../provider/provider.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { CallStream, ToolContext, TurnEnd } from "../tools/tool.ts";
import { isEmpty } from "./answer.ts";
import type { Approvals } from "./approvals.ts";
import type { Conversation } from "./conversation.ts";
import type { Limits } from "./limits.ts";
import type { Judge } from "./permission.ts";
import { type StepResult, step } from "./step.ts";
import { runCalls } from "./tool-calls.ts";
import { type Said, saidText, userMessage } from "./turn.ts";

export interface TaskDeps {
  host: Host;
  settings(): Settings;
  apiKey(): Promise<string | undefined>;
  registry: ToolRegistry;
  conversation: Conversation;
  approvals: Approvals;
  judge: Judge;
  limits: Limits;
  /** Takes what the person said while the agent worked. */
  takeQueued(): Said[];
  random(): number;
}

/** Why the loop ended; `replied`: an answer without a call, the person's turn. */
export type RunEnd = TurnEnd | "replied" | "limit" | "stopped" | "failed";

/** Models that refused native calling or answered it in XML, by endpoint and name, for as long as the host lives. */
const withoutNative = new Set<string>();

export class Task {
  readonly #d: TaskDeps;
  readonly context: ToolContext;
  #signal: AbortSignal = AbortSignal.abort();
  #streams = new Map<string, CallStream>();
  /** Fixed for a task, so that the prompt's prefix stays the same. */
  #prompt: { key: string; text: string } | undefined;
  /** Set when the mode became act: the next message asks for a todo list. */
  enteredAct = false;
  askAgain = false;

  constructor(deps: TaskDeps) {
    this.#d = deps;
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
      get signal() {
        return signal();
      },
    };
  }

  /** Runs until it is the person's turn. Never rejects: a fault becomes an error row. */
  async run(signal: AbortSignal): Promise<RunEnd> {
    this.#signal = signal;
    try {
      return await this.#loop(signal);
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
        const { turnEnd } = await runCalls(
          calls,
          { ...this.#d, context: this.context, streams: this.#streams, askAgain: this.askAgain },
          signal,
        );
        this.askAgain = false;
        if (turnEnd) return turnEnd;
      }
      const last = conversation.messages.at(-1);
      if (last?.role === "assistant" && !(await this.#replyTo(last, signal))) return "replied";
      const limit = limits.next(settings().approval, conversation.totals.cost);
      if (limit) {
        conversation.emit({ type: "notice", id: this.#d.host.newId(), ...limit });
        return "limit";
      }
      if (conversation.messages.at(-1)?.role === "tool") await this.#append([], signal);
      await this.#request(signal);
    }
  }

  /** An answer without calls ends the turn, unless it was cut off, or meant a call that we do not know. */
  async #replyTo(last: Message, signal: AbortSignal): Promise<boolean> {
    if (last.interrupted) {
      await this.#append([replies.continueAfterCut], signal);
      return true;
    }
    const text = last.blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    const names = this.#d.registry.tools.map((tool) => tool.name);
    const missed = findUnknownCalls(text, names).find((call) => !call.inCode && call.tool === undefined);
    if (!missed) return false;
    this.#d.limits.mistake(`unknown call ${missed.name}`);
    await this.#append([replies.unknownCall(missed.name, missed.suggestions)], signal);
    return true;
  }

  /** A user message with what was said meanwhile, `texts`, and the environment. */
  async #append(texts: string[], signal: AbortSignal): Promise<void> {
    const options = { ...this.#d, context: this.context, signal };
    const queued = this.#d.takeQueued();
    const said = await Promise.all(queued.map((item) => saidText(item, replies.userMessage, options)));
    const message = await userMessage(
      {
        texts: [...texts, ...said],
        images: queued.flatMap((item) => item.images),
        enteredAct: this.enteredAct,
        ...(queued.length > 0 ? { display: queued.map((item) => item.text).join("\n\n") } : {}),
      },
      options,
    );
    this.enteredAct = false;
    await this.#d.conversation.append(message);
  }

  async #request(signal: AbortSignal): Promise<void> {
    const { conversation, settings } = this.#d;
    const { provider } = settings();
    const planModel = conversation.mode === "plan" ? provider.planModel : "";
    const model = planModel === "" ? provider.model : planModel;
    const key = `${provider.baseUrl} ${model}`;
    const auto: Protocol = prefersXml(model) || withoutNative.has(key) ? "xml" : "native";
    const protocol = provider.protocol === "auto" ? auto : provider.protocol;
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
    const { conversation, host, registry, settings } = this.#d;
    const { provider } = settings();
    conversation.emit({ type: "request", messageId: "", number: conversation.totals.requests + 1 });
    const result = await step(
      {
        system: this.#systemPrompt(protocol),
        messages: conversation.messages,
        protocol,
        tools: protocol === "native" ? registry.native() : [],
      },
      {
        provider: chatCompletions({ provider, model, apiKey: await this.#d.apiKey(), clock: host.clock }),
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
    await this.#keep(result, provider.contextWindow || fallbackContextWindow);
    return result;
  }

  async #keep(result: StepResult, contextWindow: number): Promise<void> {
    const { conversation, host } = this.#d;
    this.#streams = result.streams;
    if (result.message.blocks.length > 0) await conversation.append(result.message);
    if (result.usage) await conversation.addUsage(result.usage, contextWindow);
    if (result.cutAtLimit) conversation.emit({ type: "notice", id: host.newId(), code: "reply-cut" });
    if (result.failure) throw result.failure;
    if (isEmpty(result.message)) throw new ProviderError({ code: "empty-response" });
  }

  #systemPrompt(protocol: Protocol): string {
    const { host, registry, settings } = this.#d;
    const { customInstructions, preferredLanguage } = settings();
    const key = JSON.stringify([
      protocol,
      customInstructions,
      preferredLanguage,
      this.#d.conversation.sessionId,
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
    });
    this.#prompt = { key, text };
    return text;
  }

  #report(error: unknown): void {
    const { conversation, host } = this.#d;
    if (!(error instanceof ProviderError)) host.log.error("the task failed", error);
    const view =
      error instanceof ProviderError
        ? error.view
        : { code: "internal" as const, detail: error instanceof Error ? error.message : String(error) };
    conversation.emit({ type: "error", id: host.newId(), error: view });
  }
}
