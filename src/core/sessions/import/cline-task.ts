/**
 * Reads a task of Cline 3, Roo Code or Kilo Code: a folder with `api_conversation_history.json`, which has messages in the form of
 * Anthropic's API with calls in XML or of the API itself, and `ui_messages.json`, which has the costs.
 */
import type { AgentProduct } from "../../../shared/history/session-origin.ts";
import * as z from "../../../shared/zod.ts";
import { anthropicContent } from "./anthropic-content.ts";
import {
  type ForeignEntry,
  type ForeignPart,
  type ForeignSession,
  UnreadableSession,
} from "./foreign-session.ts";
import { type Fields, fieldsSchema, jsonOf, nonEmptyText, timeOf, usageFrom } from "./values.ts";
import { withXmlCalls } from "./xml-calls.ts";

/** The contents of a task's files; undefined: there is no such file. */
export interface TaskFiles {
  /** `api_conversation_history.json` */
  conversation: unknown;
  /** `ui_messages.json` */
  shown: unknown;
  /** `task_metadata.json` */
  metadata: unknown;
  /** The task's item in the list of tasks. */
  item: unknown;
}

const messageSchema = z.looseObject({
  role: z.enum(["user", "assistant"]),
  content: z.optional(z.unknown()),
  ts: z.optional(z.unknown()),
  /** Condensed: it replaces what precedes it. */
  isSummary: z.catch(z.optional(z.boolean()), undefined),
  isTruncationMarker: z.catch(z.optional(z.boolean()), undefined),
  modelInfo: z.catch(z.optional(fieldsSchema), undefined),
  metrics: z.catch(z.optional(fieldsSchema), undefined),
});

const itemSchema = z.looseObject({
  task: z.catch(z.optional(z.string()), undefined),
  ts: z.optional(z.unknown()),
  tokensIn: z.catch(z.optional(z.number()), undefined),
  tokensOut: z.catch(z.optional(z.number()), undefined),
  cacheWrites: z.catch(z.optional(z.number()), undefined),
  cacheReads: z.catch(z.optional(z.number()), undefined),
  totalCost: z.catch(z.optional(z.number()), undefined),
  modelId: z.catch(z.optional(z.string()), undefined),
  cwdOnTaskInitialization: z.catch(z.optional(z.string()), undefined),
  workspace: z.catch(z.optional(z.string()), undefined),
  /** Indices of the messages that requests omit. */
  conversationHistoryDeletedRange: z.catch(z.nullish(z.tuple([z.number(), z.number()])), undefined),
});
type Item = z.infer<typeof itemSchema>;

/** Throws UnreadableSession. */
export function readClineTask(product: AgentProduct, id: string, files: TaskFiles): ForeignSession {
  const list = z.array(z.unknown()).safeParse(files.conversation).data;
  if (!list) throw new UnreadableSession(files.conversation === undefined ? "missing" : "not-json");
  const item: Item = itemSchema.safeParse(files.item).data ?? {};
  const model = item.modelId ?? modelOf(files.metadata);
  const entries: ForeignEntry[] = [];
  let unreadable = 0;
  const omittedUpTo = item.conversationHistoryDeletedRange?.[1];
  list.forEach((raw, index) => {
    const read = entriesOf(raw, model);
    unreadable += read.unreadable;
    entries.push(...read.entries);
    if (index === omittedUpTo) entries.push({ kind: "summary", text: undefined });
  });
  if (!entries.some(({ kind }) => kind === "message")) throw new UnreadableSession("no-messages");
  const folder = item.cwdOnTaskInitialization ?? item.workspace ?? folderIn(entries);
  const startedAt = entries.find(({ at }) => at !== undefined)?.at ?? timeOf(Number(id)) ?? timeOf(item.ts);
  const usage = usageIn(item) ?? usageShown(files.shown);
  return {
    product,
    id,
    title: item.task ?? "",
    ...(folder === undefined ? {} : { folder }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(usage ? { usage } : {}),
    entries: withXmlCalls(entries),
    unreadable,
    leftOut: 0,
  };
}

function entriesOf(raw: unknown, model: string | undefined): { entries: ForeignEntry[]; unreadable: number } {
  const message = messageSchema.safeParse(raw).data;
  // Reasoning that only its endpoint can read is an item of its own.
  if (!message)
    return { entries: [], unreadable: fieldsSchema.safeParse(raw).data?.type === "reasoning" ? 0 : 1 };
  const { parts, results, unreadable } = anthropicContent(message.content);
  const at = timeOf(message.ts);
  const time = at === undefined ? {} : { at };
  if (message.isTruncationMarker)
    return { entries: [{ kind: "summary", text: undefined, ...time }], unreadable };
  if (message.isSummary) {
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
    return { entries: [{ kind: "summary", text, ...time }], unreadable };
  }
  const entries: ForeignEntry[] = results.map((result) => ({ ...result, ...time }));
  if (parts.length === 0) return { entries, unreadable };
  if (message.role === "user") {
    entries.push({ kind: "message", role: "user", parts: parts.flatMap(userParts), ...time });
    return { entries, unreadable };
  }
  const own = nonEmptyText(message.modelInfo?.modelId) ?? model;
  const usage = message.metrics && fieldsSchema.safeParse(message.metrics.tokens).data;
  entries.push({
    kind: "message",
    role: "assistant",
    parts,
    ...time,
    ...(own === undefined ? {} : { model: own }),
    ...(usage
      ? {
          usage: usageFrom({
            input: usage.prompt,
            output: usage.completion,
            cacheRead: usage.cached,
            cost: message.metrics?.cost,
          }),
        }
      : {}),
  });
  return { entries, unreadable };
}

/** What the user wrote is in these elements; everything else in the text was added. */
const TYPED = /<(task|user_message|feedback|answer)>\n?([\s\S]*?)\n?<\/\1>/g;
/** A text that the product added as a whole. */
const ADDED =
  /^\s*(?:<(?:environment_details|explicit_instructions|file_content|folder_content|workspace_diagnostics|system-reminder)\b|\[(?:TASK RESUMPTION|ERROR|NOTE|DUPLICATE|context)|# (?:task_progress|todo_list)|The user (?:denied|has provided)|\[[^\]\n]{1,300}\] Result:)/i;

/** Splits a text into what the user wrote and what the product added. */
function userParts(part: ForeignPart): ForeignPart[] {
  if (part.type !== "text") return [part];
  const typed = [...part.text.matchAll(TYPED)]
    .map(([, , text = ""]) => text.trim())
    .filter((text) => text !== "");
  if (typed.length > 0) {
    const rest = part.text.replace(TYPED, "").trim();
    return [
      ...(rest === "" ? [] : [{ type: "text" as const, text: rest, isContext: true }]),
      ...typed.map((text) => ({ type: "text" as const, text })),
    ];
  }
  return [ADDED.test(part.text) ? { ...part, isContext: true } : part];
}

const FOLDER = /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/;

function folderIn(entries: readonly ForeignEntry[]): string | undefined {
  for (const entry of entries) {
    if (entry.kind !== "message" || entry.role !== "user") continue;
    for (const part of entry.parts) {
      const folder = part.type === "text" && part.isContext ? FOLDER.exec(part.text)?.[1] : undefined;
      if (folder !== undefined) return folder;
    }
  }
  return undefined;
}

const metadataSchema = z.looseObject({ model_usage: z.array(z.looseObject({ model_id: z.string() })) });

const modelOf = (metadata: unknown): string | undefined =>
  metadataSchema.safeParse(metadata).data?.model_usage.at(-1)?.model_id;

function usageIn({ tokensIn, tokensOut, cacheReads, cacheWrites, totalCost }: Item): ForeignSession["usage"] {
  if (tokensIn === undefined && tokensOut === undefined) return undefined;
  return usageFrom({
    input: tokensIn,
    output: tokensOut,
    cacheRead: cacheReads,
    cacheWrite: cacheWrites,
    cost: totalCost,
  });
}

const requestSchema = z.looseObject({ say: z.literal("api_req_started"), text: z.string() });

/** The sum of the requests that the product showed. */
function usageShown(shown: unknown): ForeignSession["usage"] {
  const requests = (z.array(z.unknown()).safeParse(shown).data ?? []).flatMap((message): Fields[] => {
    const { text } = requestSchema.safeParse(message).data ?? {};
    const request = text === undefined ? undefined : fieldsSchema.safeParse(jsonOf(text)).data;
    return request ? [request] : [];
  });
  if (requests.length === 0) return undefined;
  const sum = (name: string) => requests.reduce((total, request) => total + (Number(request[name]) || 0), 0);
  const usage = usageFrom({
    input: sum("tokensIn"),
    output: sum("tokensOut"),
    cacheRead: sum("cacheReads"),
    cacheWrite: sum("cacheWrites"),
    cost: sum("cost"),
  });
  return { ...usage, requests: requests.length };
}
