/** A session as a file for elsewhere: Markdown to be read, JSON to be taken in again. What comes in is trusted in nothing. */
import * as z from "zod";
import { totalsSchema } from "../../shared/event.ts";
import { type Message, messageSchema, modeSchema, toolCalls, unansweredCalls } from "../../shared/message.ts";
import { callStateText, type Translate } from "../../shared/words/task-words.ts";
import type { SessionPatch } from "./journal/records.ts";
import type { NewSession, StoredSession } from "./session-store.ts";

const format = "nekode-session";
const version = 1;

/** Bytes. A larger file is not read. */
export const importLimit = 64 * 1024 * 1024;

/** Why a file is not taken in. `not-ours`: JSON, but no session; `damaged`: a session in part. */
export type ImportRefusal = "too-large" | "not-json" | "not-ours" | "newer-version" | "damaged";

export class ImportRefused extends Error {
  override name = "ImportRefused";
  readonly code: ImportRefusal;
  /** Where in the file, and what is wrong there. */
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
  return `${JSON.stringify({ format, version, session: { title, startedAt, mode, model, todo, totals, messages } }, null, 1)}\n`;
}

const time = z.string().refine((text) => Number.isFinite(Date.parse(text)), "not a time");
const count = z.number().nonnegative();
const sessionSchema = z.object({
  title: z.string().max(10_000),
  startedAt: time,
  mode: modeSchema,
  model: z.string().max(1000),
  todo: z.string().max(1_000_000),
  totals: totalsSchema.extend({
    requests: count,
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    cost: count.optional(),
  }),
  messages: z.array(messageSchema.extend({ createdAt: time })).max(200_000),
});

export interface Import {
  session: NewSession;
  messages: Message[];
  patch: SessionPatch;
}

/**
 * A session that `toJson` wrote, under new ids, closed: nothing in it waits for a yes, and nothing of it is put back into
 * files. Throws ImportRefused.
 */
export function readImport(
  bytes: Uint8Array,
  options: { projectPath: string; newId(): string; now: string },
): Import {
  if (bytes.length > importLimit) throw new ImportRefused("too-large");
  const file = z.looseObject({ format: z.literal(format), version: z.number() }).safeParse(parseJson(bytes));
  if (!file.success) throw new ImportRefused("not-ours");
  if (file.data.version > version) throw new ImportRefused("newer-version");
  const { data: session, error } = sessionSchema.safeParse(file.data.session);
  if (!session) throw new ImportRefused("damaged", reasonOf(error));
  const ids = new Map(session.messages.map((message) => [message.id, options.newId()]));
  const messages = session.messages.map((message) => ({
    ...message,
    id: ids.get(message.id) ?? options.newId(),
    // Rules go into the system prompt: those of another place have no say here.
    blocks: message.blocks.filter(({ type }) => type !== "rules").map((block) => renamed(block, ids)),
  }));
  // Two messages or calls of one id were never ours, and endpoints refuse them.
  const calls = messages.flatMap(toolCalls);
  const isTwice = ids.size !== messages.length || new Set(calls.map((call) => call.id)).size !== calls.length;
  if (isTwice) throw new ImportRefused("damaged", "ids stand twice");
  const open = unansweredCalls(messages);
  if (open.length > 0) messages.push(closing(open, options));
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

function reasonOf(error: z.ZodError | undefined): string {
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

function renamed(block: Block, ids: ReadonlyMap<string, string>): Block {
  const to = (id: string) => ids.get(id) ?? id;
  if (block.type === "tool-result") {
    // Undoing a removal writes these bytes, and whoever made the file chose them.
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

/** A call that waits would ask the person as soon as the session is opened: here it ends. */
function closing(
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
    default:
      return [];
  }
}

/** In a fence longer than any in the text, so that nothing in it ends it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
