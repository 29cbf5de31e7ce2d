/**
 * Converts a session of another agent to one of this product: read-only, with new ids, and without anything that could run. Its
 * texts are masked like those of a session that began here.
 */
import type { SessionOrigin } from "../../../shared/history/session-origin.ts";
import type { Message, ResultPart, ToolResultBlock } from "../../../shared/message.ts";
import { emptyTotals, type Totals } from "../../../shared/totals.ts";
import { maskedJson } from "../../secrets.ts";
import type { SessionPatch } from "../journal/records.ts";
import type { NewSession } from "../session-store.ts";
import type {
  ForeignContent,
  ForeignEntry,
  ForeignMessage,
  ForeignPart,
  ForeignResult,
  ForeignSession,
} from "./foreign-session.ts";

export interface ConvertOptions {
  projectPath: string;
  newId(): string;
  now: string;
  /** Masks keys and well-known secrets. */
  mask(text: string): string;
}

export interface ConvertedSession {
  session: NewSession & { origin: SessionOrigin };
  messages: Message[];
  patch: SessionPatch;
}

const TITLE_LENGTH = 200;
/** Characters of an image in Base64. */
const LARGEST_IMAGE = 30_000_000;

/** The texts are as in `exchange.ts`: a session that cannot continue by itself has a result for each call. */
const NO_RESULT = "The result of this call was not recorded.";

export function storedSession(foreign: ForeignSession, options: ConvertOptions): ConvertedSession {
  const messages = new Conversion(foreign, options).messages();
  const times = foreign.entries.flatMap(({ at }) => at ?? []);
  const startedAt = foreign.startedAt ?? times[0] ?? options.now;
  const updatedAt = times.concat(startedAt).sort().at(-1) ?? startedAt;
  const model = foreign.entries.findLast(isAnswer)?.model ?? "";
  return {
    session: {
      id: options.newId(),
      projectPath: options.projectPath,
      title: options.mask(foreignTitle(foreign)),
      startedAt,
      mode: "act",
      model,
      origin: { product: foreign.product, id: foreign.id, updatedAt },
    },
    messages,
    patch: { totals: totalsOf(foreign), endedAt: updatedAt },
  };
}

/** In one line, and without control characters. */
export function foreignTitle({ title, entries }: Pick<ForeignSession, "title" | "entries">): string {
  return oneLine(title) || oneLine(firstTyped(entries));
}

const oneLine = (text: string) =>
  text
    .slice(0, TITLE_LENGTH * 4)
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ")
    .trim()
    .slice(0, TITLE_LENGTH);

function firstTyped(entries: readonly ForeignEntry[]): string {
  for (const entry of entries) {
    const text = entry.kind === "message" && entry.role === "user" ? typedText(entry.parts) : "";
    if (text !== "") return text;
  }
  return "";
}

const isAnswer = (entry: ForeignEntry): entry is ForeignMessage =>
  entry.kind === "message" && entry.role === "assistant" && entry.model !== undefined;

function typedText(parts: readonly ForeignPart[]): string {
  return parts.flatMap((part) => (part.type === "text" && !part.isContext ? [part.text] : [])).join("\n\n");
}

class Conversion {
  readonly #foreign: ForeignSession;
  readonly #options: ConvertOptions;
  /** The results of each call that are not used yet: another call may have the same id. */
  readonly #results = new Map<string, ForeignResult[]>();
  readonly #messages: Message[] = [];
  #at: string;

  constructor(foreign: ForeignSession, options: ConvertOptions) {
    this.#foreign = foreign;
    this.#options = options;
    this.#at = foreign.startedAt ?? options.now;
    for (const entry of foreign.entries) {
      if (entry.kind !== "result") continue;
      const known = this.#results.get(entry.callId);
      if (known) known.push(entry);
      else this.#results.set(entry.callId, [entry]);
    }
  }

  messages(): Message[] {
    for (const entry of this.#foreign.entries) {
      this.#at = entry.at ?? this.#at;
      if (entry.kind === "summary") this.#summary(entry.text, entry.tokens);
      else if (entry.kind === "message" && entry.role === "user") this.#user(entry.parts);
      else if (entry.kind === "message") this.#answer(entry);
    }
    return this.#messages;
  }

  #append(message: Omit<Message, "id" | "createdAt">): void {
    this.#messages.push({ id: this.#options.newId(), createdAt: this.#at, ...message });
  }

  #user(parts: readonly ForeignPart[]): void {
    const { mask } = this.#options;
    const display = mask(typedText(parts));
    const blocks = parts.flatMap((part): Message["blocks"] => {
      if (part.type === "text")
        return [{ type: "text", text: mask(part.text), source: part.isContext ? "context" : "person" }];
      if (part.type !== "image") return [];
      const content = this.#content(part);
      return content.type === "image" ? [content] : [{ ...content, source: "context" as const }];
    });
    if (blocks.length === 0) return;
    const isTyped = display !== "" || blocks.some(({ type }) => type === "image");
    this.#append({ role: "user", blocks, ...(isTyped ? { display } : {}) });
  }

  #answer({ parts, model, usage, isInterrupted }: ForeignMessage): void {
    const { mask, newId } = this.#options;
    const { product } = this.#foreign;
    const results: ToolResultBlock[] = [];
    const blocks = parts.flatMap((part): Message["blocks"] => {
      if (part.type === "image") return [];
      if (part.type !== "call") return [{ type: part.type, text: mask(part.text) }];
      const id = newId();
      const name = oneLine(part.name) || "unknown";
      results.push({ ...this.#result(part.id, name), callId: id });
      const params: unknown = maskedJson(part.input, mask);
      return [{ type: "tool-call", id, name, params: { ...(params as object) }, foreign: product }];
    });
    if (blocks.length === 0) return;
    this.#append({
      role: "assistant",
      blocks,
      ...(model === undefined ? {} : { model: oneLine(model) }),
      ...(usage ? { usage } : {}),
      ...(isInterrupted ? { interrupted: true } : {}),
    });
    if (results.length > 0) this.#append({ role: "tool", blocks: results });
  }

  #result(callId: string, name: string): ToolResultBlock {
    const { product } = this.#foreign;
    const found = this.#results.get(callId)?.shift();
    const common = { type: "tool-result" as const, callId, name, label: name, foreign: product };
    if (!found) {
      const parts: ResultPart[] = [{ type: "text", text: NO_RESULT }];
      return { ...common, outcome: "interrupted", parts };
    }
    const parts = found.content.map((content): ResultPart => {
      const part = this.#content(content);
      return part.type === "text" ? { ...part, origin: "local" } : part;
    });
    const output = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    const shown = output.trim() === "" ? {} : { shown: { output: output.slice(-SHOWN_OUTPUT) } };
    return { ...common, outcome: found.isError ? "failed" : "done", parts, ...shown };
  }

  #content(content: ForeignContent): ForeignContent {
    if (content.type === "text") return { type: "text", text: this.#options.mask(content.text) };
    const { mimeType, data } = content;
    const isImage = /^image\/[\w.+-]{1,40}$/.test(mimeType) && data.length <= LARGEST_IMAGE;
    if (isImage && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data))
      return { type: "image", mimeType, data: data.replace(/\s+/g, "") };
    return { type: "text", text: "[An image was here. It could not be read.]" };
  }

  /** What precedes it stays readable and is not sent any more. The first message is always sent. */
  #summary(text: string | undefined, tokens = 0): void {
    const upTo = this.#messages.at(-1);
    const { mask } = this.#options;
    if (!upTo || this.#messages.length < 2) {
      if (text !== undefined)
        this.#append({ role: "user", blocks: [{ type: "text", text: mask(text), source: "context" }] });
      return;
    }
    const leftOut = {
      upTo: upTo.id,
      count: this.#messages.length - 1,
      ...(text === undefined ? {} : { summary: mask(text) }),
    };
    this.#append({
      role: "user",
      blocks: [{ type: "window", shortened: [], leftOut, before: tokens, after: 0 }],
    });
  }
}

/** Characters of a result that its row shows; the end, as of a command's output. */
const SHOWN_OUTPUT = 20_000;

function totalsOf({ entries, usage }: ForeignSession): Totals {
  const all = usage
    ? [usage]
    : entries.flatMap((entry) => (entry.kind === "message" && entry.usage ? [entry.usage] : []));
  const sum = (of: (one: (typeof all)[number]) => number | undefined) =>
    all.reduce((total, one) => total + (of(one) ?? 0), 0);
  const costs = all.filter(({ cost }) => cost !== undefined);
  return {
    ...emptyTotals,
    requests:
      usage?.requests ??
      entries.filter((entry) => entry.kind === "message" && entry.role === "assistant").length,
    inputTokens: sum((one) => one.inputTokens),
    outputTokens: sum((one) => one.outputTokens),
    cachedTokens: sum((one) => one.cachedTokens),
    cacheWriteTokens: sum((one) => one.cacheWriteTokens),
    ...(costs.length > 0 ? { cost: sum((one) => one.cost) } : {}),
  };
}
