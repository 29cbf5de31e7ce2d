/** Reads a session of Cline 4: `<id>.messages.json`, and the manifest `<id>.json`. */
import * as z from "../../../shared/zod.ts";
import { anthropicContent } from "./anthropic-content.ts";
import { type ForeignEntry, type ForeignSession, UnreadableSession } from "./foreign-session.ts";
import { fieldsSchema, nonEmptyText, timeOf, usageFrom } from "./values.ts";

const fileSchema = z.looseObject({ version: z.number(), messages: z.array(z.unknown()) });
const messageSchema = z.looseObject({
  role: z.enum(["user", "assistant"]),
  content: z.optional(z.unknown()),
  ts: z.optional(z.unknown()),
  modelInfo: z.catch(z.optional(fieldsSchema), undefined),
  metrics: z.catch(z.optional(fieldsSchema), undefined),
  metadata: z.catch(z.optional(fieldsSchema), undefined),
});
const manifestSchema = z.looseObject({
  started_at: z.optional(z.unknown()),
  cwd: z.catch(z.optional(z.string()), undefined),
  workspace_root: z.catch(z.optional(z.string()), undefined),
  model: z.catch(z.optional(z.string()), undefined),
  metadata: z.catch(z.optional(fieldsSchema), undefined),
});

/** The version of the file that is known. */
const VERSION = 1;

/** `manifest`: undefined if there is none. Throws UnreadableSession. */
export function readClineSession(id: string, file: unknown, manifest: unknown): ForeignSession {
  const read = fileSchema.safeParse(file).data;
  if (!read) throw new UnreadableSession(file === undefined ? "missing" : "not-json");
  if (read.version > VERSION) throw new UnreadableSession("unknown-version");
  const facts = manifestSchema.safeParse(manifest).data;
  const entries: ForeignEntry[] = [];
  let unreadable = 0;
  for (const raw of read.messages) {
    const one = entriesOf(raw, facts?.model);
    entries.push(...one.entries);
    unreadable += one.unreadable;
  }
  if (!entries.some(({ kind }) => kind === "message")) throw new UnreadableSession("no-messages");
  const folder = facts?.workspace_root ?? facts?.cwd;
  const startedAt = timeOf(facts?.started_at);
  return {
    product: "cline",
    id,
    title: nonEmptyText(facts?.metadata?.title) ?? "",
    ...(folder === undefined ? {} : { folder }),
    ...(startedAt === undefined ? {} : { startedAt }),
    entries,
    unreadable,
    leftOut: 0,
  };
}

function entriesOf(raw: unknown, model: string | undefined): { entries: ForeignEntry[]; unreadable: number } {
  const message = messageSchema.safeParse(raw).data;
  if (!message) return { entries: [], unreadable: 1 };
  const { parts, results, unreadable } = anthropicContent(message.content);
  const at = timeOf(message.ts);
  const time = at === undefined ? {} : { at };
  if (message.metadata?.kind === "compaction_summary") {
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const text = nonEmptyText(message.metadata.summary) ?? texts.join("\n\n");
    const tokens = Number(message.metadata.tokensBefore) || 0;
    return { entries: [{ kind: "summary", text, tokens, ...time }], unreadable };
  }
  const entries: ForeignEntry[] = results.map((result) => ({ ...result, ...time }));
  if (parts.length === 0) return { entries, unreadable };
  if (message.role === "user") entries.push({ kind: "message", role: "user", parts, ...time });
  else {
    const { metrics, modelInfo } = message;
    const own = nonEmptyText(modelInfo?.id) ?? model;
    entries.push({
      kind: "message",
      role: "assistant",
      parts,
      ...time,
      ...(own === undefined ? {} : { model: own }),
      ...(metrics ? { usage: usageOfMetrics(metrics) } : {}),
    });
  }
  return { entries, unreadable };
}

/** Their input includes what was read from the cache. */
function usageOfMetrics(metrics: Record<string, unknown>) {
  const [read, write] = [Number(metrics.cacheReadTokens) || 0, Number(metrics.cacheWriteTokens) || 0];
  const input = Math.max(0, (Number(metrics.inputTokens) || 0) - read - write);
  return usageFrom({
    input,
    output: metrics.outputTokens,
    cacheRead: read,
    cacheWrite: write,
    cost: metrics.cost,
  });
}
