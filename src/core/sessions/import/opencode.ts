/** Reads a session of opencode in the form of its export: `{info, messages: [{info, parts}]}`. */
import * as z from "../../../shared/zod.ts";
import type {
  ForeignContent,
  ForeignEntry,
  ForeignMessage,
  ForeignPart,
  ForeignSession,
} from "./foreign-session.ts";
import { UnreadableSession } from "./foreign-session.ts";
import { dataImage, fieldsSchema, inputOf, nonEmptyText, timeOf, usageFrom } from "./values.ts";

export interface OpencodeSession {
  info: unknown;
  /** In order. */
  messages: { info: unknown; parts: unknown[] }[];
}

const timeSchema = z.catch(z.optional(z.looseObject({ created: z.optional(z.unknown()) })), undefined);
const infoSchema = z.looseObject({
  id: z.string(),
  title: z.catch(z.optional(z.string()), undefined),
  directory: z.catch(z.optional(z.string()), undefined),
  time: timeSchema,
  /** The user went back to before this message. */
  revert: z.catch(z.nullish(z.looseObject({ messageID: z.string() })), undefined),
});
const messageSchema = z.looseObject({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  time: timeSchema,
  modelID: z.catch(z.optional(z.string()), undefined),
  cost: z.optional(z.unknown()),
  tokens: z.catch(z.optional(fieldsSchema), undefined),
  /** It condenses what precedes it. */
  summary: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});
type MessageInfo = z.infer<typeof messageSchema>;

const partSchema = z.looseObject({ type: z.string() });
const textSchema = z.looseObject({
  text: z.string(),
  synthetic: z.catch(z.optional(z.boolean()), undefined),
  ignored: z.catch(z.optional(z.boolean()), undefined),
});
const toolSchema = z.looseObject({
  tool: z.string(),
  callID: z.optional(z.string()),
  state: z.looseObject({
    status: z.string(),
    input: z.optional(z.unknown()),
    output: z.catch(z.optional(z.string()), undefined),
    error: z.catch(z.optional(z.string()), undefined),
    attachments: z.catch(z.optional(z.array(fieldsSchema)), undefined),
  }),
});
const fileSchema = z.looseObject({ url: z.string(), filename: z.catch(z.optional(z.string()), undefined) });

/** Kinds of parts that are not part of the conversation. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  "agent",
  "compaction",
  "patch",
  "retry",
  "snapshot",
  "step-finish",
  "step-start",
  "subtask",
]);

/** Throws UnreadableSession. */
export function readOpencode(session: OpencodeSession): ForeignSession {
  const info = infoSchema.safeParse(session.info).data;
  if (!info) throw new UnreadableSession("unknown-version");
  const entries: ForeignEntry[] = [];
  let [unreadable, leftOut] = [0, 0];
  let isReverted = false;
  session.messages.forEach(({ info: own, parts }, index) => {
    const message = messageSchema.safeParse(own).data;
    isReverted ||= message !== undefined && message.id === info.revert?.messageID;
    if (isReverted) leftOut++;
    else if (!message) unreadable++;
    else {
      const read = readMessage(message, parts, index);
      entries.push(...read.entries);
      unreadable += read.unreadable;
      leftOut += read.leftOut;
    }
  });
  if (!entries.some(({ kind }) => kind === "message")) throw new UnreadableSession("no-messages");
  const startedAt = timeOf(info.time?.created);
  return {
    product: "opencode",
    id: info.id,
    title: info.title ?? "",
    ...(info.directory === undefined ? {} : { folder: info.directory }),
    ...(startedAt === undefined ? {} : { startedAt }),
    entries,
    unreadable,
    leftOut,
  };
}

interface ReadMessage {
  entries: ForeignEntry[];
  unreadable: number;
  leftOut: number;
}

function readMessage(info: MessageInfo, raw: readonly unknown[], index: number): ReadMessage {
  const at = timeOf(info.time?.created);
  const time = at === undefined ? {} : { at };
  const read: ReadMessage = { entries: [], unreadable: 0, leftOut: 0 };
  const parts: ForeignPart[] = [];
  const results: ForeignEntry[] = [];
  raw.forEach((one, position) => {
    const part = readPart(one, info.role, `${index}-${position}`);
    if (part === "unreadable") read.unreadable++;
    else if (part === "left-out") read.leftOut++;
    else if (part) {
      parts.push(part.part);
      if (part.result) results.push({ kind: "result", ...part.result, ...time });
    }
  });
  if (parts.length === 0) return read;
  if (info.role === "assistant" && info.summary === true) {
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
    read.entries.push({ kind: "summary", text, ...time });
  } else if (info.role === "user") read.entries.push({ kind: "message", role: "user", parts, ...time });
  else read.entries.push({ ...answerOf(info, parts), ...time }, ...results);
  return read;
}

function answerOf({ modelID, tokens, cost, error }: MessageInfo, parts: ForeignPart[]): ForeignMessage {
  const cache = fieldsSchema.safeParse(tokens?.cache).data;
  return {
    kind: "message",
    role: "assistant",
    parts,
    ...(modelID === undefined ? {} : { model: modelID }),
    ...(tokens
      ? {
          usage: usageFrom({
            input: tokens.input,
            output: tokens.output,
            cacheRead: cache?.read,
            cacheWrite: cache?.write,
            cost,
          }),
        }
      : {}),
    ...(error === undefined || error === null ? {} : { isInterrupted: true }),
  };
}

interface ReadPart {
  part: ForeignPart;
  result?: { callId: string; isError: boolean; content: ForeignContent[] };
}

/** undefined: it has no content. `id`: for a call without one. */
function readPart(raw: unknown, role: string, id: string): ReadPart | "unreadable" | "left-out" | undefined {
  const type = partSchema.safeParse(raw).data?.type;
  if (type === undefined) return "unreadable";
  switch (type) {
    case "text":
    case "reasoning": {
      const part = textSchema.safeParse(raw).data;
      if (!part) return "unreadable";
      if (part.text.trim() === "" || part.ignored) return undefined;
      if (type === "reasoning") return { part: { type, text: part.text } };
      const isContext = role === "user" && part.synthetic === true;
      return { part: { type, text: part.text, ...(isContext ? { isContext } : {}) } };
    }
    case "tool":
      return toolPart(raw, id);
    case "file": {
      const file = fileSchema.safeParse(raw).data;
      if (!file) return "unreadable";
      const name = nonEmptyText(file.filename) ?? "file";
      return { part: dataImage(file.url) ?? { type: "text", text: `[${name}]`, isContext: true } };
    }
    default:
      return OTHER_KINDS.has(type) ? undefined : "left-out";
  }
}

function toolPart(raw: unknown, id: string): ReadPart | "unreadable" {
  const part = toolSchema.safeParse(raw).data;
  if (!part) return "unreadable";
  const { tool, callID: callId = id, state } = part;
  const call: ForeignPart = { type: "call", id: callId, name: tool, input: inputOf(state.input) };
  const isError = state.status === "error";
  // Pending and running: the product ended before the call did.
  if (!isError && state.status !== "completed") return { part: call };
  const text = (isError ? state.error : state.output) ?? "";
  const images = (state.attachments ?? []).flatMap(({ url }) => dataImage(url) ?? []);
  const content: ForeignContent[] = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images];
  return { part: call, result: { callId, isError, content } };
}
