/** Plays a task turn by turn through the window alone: no network, no disk, and a real tokenizer as the endpoint's. */

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { toWire, type WireMessage } from "../../../../src/core/provider/chat/wire.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import type { NativeTool, Protocol } from "../../../../src/core/provider/provider.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { Fitter, type Summarize } from "../../../../src/core/window/fit.ts";
import { Windows } from "../../../../src/core/window/model-windows.ts";
import type { EventBody } from "../../../../src/shared/event.ts";
import type { Message } from "../../../../src/shared/message.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { validateChatRequest } from "../../../model-server/chat/validate.ts";
import { modelAt } from "../../../support/connections.ts";

export interface DriverOptions {
  window: number;
  protocol?: Protocol;
  autoCondense?: boolean;
  summarize?: Summarize;
  system?: string;
  /** The endpoint counts so many times what o200k does; 0: it reports no usage. */
  factor?: number;
  /** Tokens that the endpoint counts for each image. */
  imageTokens?: number;
}

export interface Turn {
  tool: string;
  params: Record<string, unknown>;
  result: string;
  text?: string;
}

export class WindowDriver {
  messages: Message[] = [];
  readonly events: EventBody[] = [];
  readonly tools: NativeTool[] = new ToolRegistry().native("compact");
  readonly protocol: Protocol;
  readonly #options: DriverOptions;
  readonly #settings;
  readonly #profile = new ModelProfiles().of(modelAt("", "scripted"));
  readonly #counts = new Map<string, number>();
  #ids = 0;
  fitter: Fitter;
  wire: WireMessage[] = [];
  /** Real tokens of the last request, and what the answer's `usage` says. */
  tokens = 0;
  /** What the fitter expected that to be. */
  expected = 0;
  summaries = 0;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.protocol = options.protocol ?? "native";
    const autoCondense = options.autoCondense ?? true;
    this.#settings = settingsSchema.parse({
      provider: { contextWindow: options.window },
      context: { autoCondense },
    });
    this.fitter = this.restarted();
  }

  /** Another fitter on the same messages, as after a restart. */
  restarted(): Fitter {
    const driver = this;
    const settings = () => this.#settings;
    const clock = { now: () => new Date(0), after: () => ({ dispose: () => undefined }) };
    const log = { info: () => undefined, error: () => undefined };
    this.fitter = new Fitter({
      host: { newId: () => this.#id(), clock },
      settings,
      windows: new Windows({ host: { clock, log }, settings, apiKey: async () => undefined }),
      conversation: {
        get messages() {
          return driver.messages;
        },
        append: async (message) => void driver.messages.push(message),
        emit: (event) => void driver.events.push(event),
      },
    });
    return this.fitter;
  }

  user(text: string, details = "", images: readonly string[] = []): void {
    const blocks: Message["blocks"] = [{ type: "text", text, source: "person" }];
    for (const data of images) blocks.push({ type: "image", mimeType: "image/png", data });
    if (details !== "") blocks.push({ type: "text", text: details, source: "context" });
    this.#push("user", blocks, { display: text });
  }

  /** An answer in words alone. */
  async reply(text: string): Promise<void> {
    await this.request();
    this.#push("assistant", [{ type: "text", text }], this.#answered());
  }

  /** One request and its answer: a call, its result, and the details that go with it. */
  async turn({ tool, params, result, text = "" }: Turn, details = ""): Promise<void> {
    await this.request();
    const id = `call_${this.#id()}`;
    const blocks: Message["blocks"] = [{ type: "tool-call", id, name: tool, params }];
    if (text !== "") blocks.unshift({ type: "text", text });
    this.#push("assistant", blocks, this.#answered());
    const label = `${tool} for '${String(Object.values(params)[0] ?? "")}'`;
    const parts = [{ type: "text" as const, text: result }];
    this.#push("tool", [{ type: "tool-result", callId: id, name: tool, label, outcome: "done", parts }]);
    if (details !== "") this.#push("user", [{ type: "text", text: details, source: "context" }]);
  }

  /** Makes the next request, judges it as a strict endpoint does, and lets the fitter see its usage. */
  async request(): Promise<WireMessage[]> {
    const { system = "You are an agent.", summarize = async () => "", factor = 1 } = this.#options;
    const frame = {
      system,
      protocol: this.protocol,
      profile: this.#profile,
      tools: this.protocol === "native" ? this.tools : [],
    };
    const counting: Summarize = async (messages, focus, signal) => {
      this.summaries++;
      this.judge(toWire({ ...frame, messages }, modelAt("", "scripted")));
      return summarize(messages, focus, signal);
    };
    const messages = await this.fitter.fit(frame, counting, new AbortController().signal);
    checkPairs(messages);
    this.wire = toWire({ ...frame, messages }, modelAt("", "scripted"));
    this.tokens = this.judge(this.wire);
    this.expected = this.fitter.sentTokens;
    const inputTokens = Math.round(this.tokens * factor);
    if (factor > 0) this.fitter.observe({ inputTokens, outputTokens: 50 });
    return this.wire;
  }

  judge(wire: WireMessage[]): number {
    const tools =
      this.protocol === "native" ? this.tools.map((tool) => ({ type: "function", function: tool })) : [];
    validateChatRequest({ model: "scripted", messages: wire, ...(tools.length > 0 ? { tools } : {}) });
    return this.count(wire);
  }

  /** Pieces are counted by themselves and once: the sum is never below the whole's count. */
  count(wire: readonly WireMessage[]): number {
    const tools = this.protocol === "native" ? this.#count(JSON.stringify(this.tools)) : 0;
    const { imageTokens = 765 } = this.#options;
    return wire.reduce(
      (sum, message) => sum + 4 + this.#count(textOf(message)) + imagesOf(message) * imageTokens,
      tools,
    );
  }

  #count(text: string): number {
    let count = this.#counts.get(text);
    if (count === undefined) {
      count = countTokens(text);
      this.#counts.set(text, count);
    }
    return count;
  }

  #answered(): Partial<Message> {
    return { model: "scripted", usage: { inputTokens: this.tokens, outputTokens: 50 } };
  }

  #push(role: Message["role"], blocks: Message["blocks"], more: Partial<Message> = {}): void {
    this.messages.push({
      id: this.#id(),
      role,
      createdAt: "2026-01-01T00:00:00.000Z",
      blocks,
      ...more,
    });
  }

  #id(): string {
    return `id-${++this.#ids}`;
  }
}

/** Throws where a call stands without its result, or a result without its call. */
function checkPairs(messages: readonly Message[]): void {
  const open = new Set<string>();
  for (const { role, blocks } of messages) {
    if (role !== "tool" && open.size > 0) throw new Error(`no result for ${[...open].join()}`);
    for (const block of blocks) {
      if (block.type === "tool-call") open.add(block.id);
      if (block.type === "tool-result" && !open.delete(block.callId)) {
        throw new Error(`no call for the result ${block.callId}`);
      }
    }
  }
}

function imagesOf({ content }: WireMessage): number {
  return typeof content === "string" ? 0 : (content ?? []).filter(({ type }) => type === "image_url").length;
}

function textOf(message: WireMessage): string {
  if (typeof message.content === "string") return message.content;
  const calls = message.role === "assistant" ? JSON.stringify(message.tool_calls ?? []) : "";
  return (message.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n") + calls;
}
