/**
 * Exports a session as Markdown for reading or as JSON for import elsewhere, and imports that JSON without trusting any
 * of it.
 */
import { type Message, messageSchema, modeSchema, toolCalls, unansweredCalls } from "../../shared/message.ts";
import { totalsSchema } from "../../shared/totals.ts";
import { callStateText } from "../../shared/words/outcome-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import * as z from "../../shared/zod.ts";
import type { SessionPatch } from "./journal/records.ts";
import type { NewSession, StoredSession } from "./session-store.ts";

const FORMAT = "nekode-session";
const VERSION = 1;

/** In bytes. A larger file is not read. */
export const IMPORT_LIMIT = 64 * 1024 * 1024;

/** Why a file cannot be imported. `not-ours`: JSON, but not a session; `damaged`: an incomplete session. */
export type ImportRefusal = "too-large" | "not-json" | "not-ours" | "newer-version" | "damaged";

export class ImportRefused extends Error {
  override name = "ImportRefused";
  readonly code: ImportRefusal;
  /** Where in the file the problem is, and what it is. */
  readonly detail: string;
  constructor(code: ImportRefusal, detail = "") {
    super(`the file was not taken in: ${code}${detail === "" ? "" : `: ${detail}`}`);
    this.code = code;
    this.detail = detail;
  }
}

export function toJson(session: StoredSession): string {
  const { summary, mode, model, todo, totals, messages } = session;
  const { title, startedAt } = summary;
  return `${JSON.stringify({ format: FORMAT, version: VERSION, session: { title, startedAt, mode, model, todo, totals, messages } }, null, 1)}\n`;
}

const time = z.string().check(z.refine((text) => Number.isFinite(Date.parse(text)), "not a time"));
const count = z.number().check(z.nonnegative());
const sessionSchema = z.object({
  title: z.string().check(z.maxLength(10_000)),
  startedAt: time,
  mode: modeSchema,
  model: z.string().check(z.maxLength(1000)),
  todo: z.string().check(z.maxLength(1_000_000)),
  totals: z.extend(totalsSchema, {
    requests: count,
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    cacheWriteTokens: z.optional(count),
    cost: z.optional(count),
  }),
  messages: z.array(z.extend(messageSchema, { createdAt: time })).check(z.maxLength(200_000)),
});

export interface ImportedSession {
  session: NewSession;
  messages: Message[];
  patch: SessionPatch;
}

/**
 * Reads a session that `toJson` wrote. The session gets new ids and is closed: no call in it awaits approval, and undo
 * cannot write anything from it to files. Throws ImportRefused.
 */
export function readImport(
  bytes: Uint8Array,
  options: { projectPath: string; newId(): string; now: string },
): ImportedSession {
  if (bytes.length > IMPORT_LIMIT) throw new ImportRefused("too-large");
  const file = z.looseObject({ format: z.literal(FORMAT), version: z.number() }).safeParse(parseJson(bytes));
  if (!file.success) throw new ImportRefused("not-ours");
  if (file.data.version > VERSION) throw new ImportRefused("newer-version");
  const { data: session, error } = sessionSchema.safeParse(file.data.session);
  if (!session) throw new ImportRefused("damaged", reasonOf(error));
  const ids = new Map(session.messages.map((message) => [message.id, options.newId()]));
  const messages = session.messages.map((message) => ({
    ...message,
    id: ids.get(message.id) ?? options.newId(),
    // Rules become part of the system prompt, so rules from elsewhere are dropped.
    blocks: message.blocks.filter(({ type }) => type !== "rules").map((block) => withNewIds(block, ids)),
  }));
  // Nekode never writes duplicate message or call ids, and endpoints reject them.
  const calls = messages.flatMap(toolCalls);
  const hasDuplicates =
    ids.size !== messages.length || new Set(calls.map((call) => call.id)).size !== calls.length;
  if (hasDuplicates) throw new ImportRefused("damaged", "duplicate ids");
  const open = unansweredCalls(messages);
  if (open.length > 0) messages.push(closingMessage(open, options));
  const { title, startedAt, mode, model, todo, totals } = session;
  return {
    session: {
      id: options.newId(),
      projectPath: options.projectPath,
      title: title.replace(/\s+/g, " ").trim().slice(0, 200),
      startedAt,
      mode,
      model,
    },
    messages,
    patch: { todo, totals, endedAt: options.now },
  };
}

function reasonOf(error: z.core.$ZodError | undefined): string {
  const issue = error?.issues[0];
  return issue ? `${issue.path.join(".")}: ${issue.message}`.slice(0, 300) : "";
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ImportRefused("not-json");
  }
}

type Block = Message["blocks"][number];

function withNewIds(block: Block, ids: ReadonlyMap<string, string>): Block {
  const to = (id: string) => ids.get(id) ?? id;
  if (block.type === "tool-result") {
    // Undoing a removal writes these bytes to a file, and whoever made the import file chose them.
    const { removed: _, ...rest } = block;
    return rest;
  }
  if (block.type !== "window") return block;
  const { detailsUpTo, leftOut, ...rest } = block;
  return {
    ...rest,
    ...(detailsUpTo === undefined ? {} : { detailsUpTo: to(detailsUpTo) }),
    ...(leftOut === undefined ? {} : { leftOut: { ...leftOut, upTo: to(leftOut.upTo) } }),
  };
}

/** A pending call would ask the user for approval as soon as the session opens, so it is closed here. */
function closingMessage(
  calls: ReturnType<typeof unansweredCalls>,
  options: { newId(): string; now: string },
): Message {
  return {
    id: options.newId(),
    role: "tool",
    createdAt: options.now,
    blocks: calls.map((call) => ({
      type: "tool-result",
      callId: call.id,
      name: call.name,
      label: call.name,
      outcome: "not-run",
      parts: [
        { type: "text", text: "This call was open when the conversation was exported. It did not run." },
      ],
    })),
  };
}

export function toMarkdown(session: StoredSession, t: Translate): string {
  const { summary, model, messages } = session;
  const title = summary.title.replace(/\s+/g, " ").trim();
  const parts = [`# ${title === "" ? summary.id : title}`, `${summary.startedAt} · ${model}`];
  for (const message of messages) {
    const body = message.blocks.flatMap((block) => blockText(block, message, t));
    if (message.display !== undefined && message.display !== "")
      body.unshift(`## ${t("You")}`, message.display);
    else if (message.role === "assistant" && body.length > 0) body.unshift(`## ${model}`);
    parts.push(...body);
  }
  return `${parts.join("\n\n")}\n`;
}

function blockText(block: Block, message: Message, t: Translate): string[] {
  switch (block.type) {
    case "text":
      return message.role === "assistant" && block.text.trim() !== "" ? [block.text.trim()] : [];
    case "reasoning":
      return [
        block.text
          .trim()
          .split("\n")
          .map((line) => `> ${line}`)
          .join("\n"),
      ];
    case "tool-call":
      return [`### ${block.name}`, fenced(JSON.stringify(block.params, null, 2), "json")];
    case "tool-result": {
      const texts = block.parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`));
      const state = callStateText(t, block.outcome);
      const comment = block.shown?.comment;
      return [
        `**${block.label}${state === "" ? "" : `: ${state}`}**`,
        ...(comment === undefined ? [] : [`${t("You")}: ${comment}`]),
        fenced(texts.join("\n"), ""),
      ];
    }
    case "window":
      return block.leftOut?.summary === undefined ? [] : [fenced(block.leftOut.summary, "md")];
    // Markdown has the conversation in words, and of the rest only summaries.
    case "image":
    case "refused":
    case "rules":
    case "answers":
    case "chosen":
      return [];
  }
}

/** Uses a fence longer than any fence in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
