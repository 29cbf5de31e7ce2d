/**
 * Reads a session of Claude Code: JSON lines, which form a tree by `parentUuid`. The conversation is the path to the last
 * message. The format is internal to that product, so unknown fields and kinds of lines are tolerated.
 */
import * as z from "../../../shared/zod.ts";
import { anthropicContent } from "./anthropic-content.ts";
import type {
  ForeignEntry,
  ForeignMessage,
  ForeignPart,
  ForeignSession,
  SessionReader,
} from "./foreign-session.ts";
import { fieldsSchema, jsonOf, nonEmptyText, timeOf, usageFrom } from "./values.ts";

const lineSchema = z.looseObject({
  type: z.string(),
  uuid: z.catch(z.optional(z.string()), undefined),
  parentUuid: z.catch(z.nullish(z.string()), undefined),
  /** Set after condensing, where the path would end. */
  logicalParentUuid: z.catch(z.nullish(z.string()), undefined),
  isSidechain: z.catch(z.optional(z.boolean()), undefined),
  isMeta: z.catch(z.optional(z.boolean()), undefined),
  isCompactSummary: z.catch(z.optional(z.boolean()), undefined),
  isApiErrorMessage: z.catch(z.optional(z.boolean()), undefined),
  cwd: z.catch(z.optional(z.string()), undefined),
  sessionId: z.catch(z.optional(z.string()), undefined),
  timestamp: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
});
type Line = z.infer<typeof lineSchema>;

const messageSchema = z.looseObject({
  id: z.catch(z.optional(z.string()), undefined),
  model: z.catch(z.optional(z.string()), undefined),
  content: z.optional(z.unknown()),
  usage: z.catch(z.optional(fieldsSchema), undefined),
});

/** Kinds of lines that are not part of the conversation. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  "attachment",
  "file-history-snapshot",
  "last-prompt",
  "permission-mode",
  "progress",
  "queue-operation",
  "system",
]);

/** A line in the tree. */
interface Node {
  parent: string | undefined;
  /** Position among all nodes. */
  index: number;
  isSidechain: boolean;
  entries: ForeignEntry[];
  /** Of the answer that the line is a part of. */
  answer?: string;
  isMessage: boolean;
}

/** `id`: the name of the file, which is the session's id. */
export function claudeReader(id: string): SessionReader {
  const nodes = new Map<string, Node>();
  const all: Node[] = [];
  let [unreadable, leftOut] = [0, 0];
  const titles = { custom: "", generated: "", summary: "" };
  let folder: string | undefined;
  let startedAt: string | undefined;
  let last: Node | undefined;

  function take(line: Line): void {
    folder ??= nonEmptyText(line.cwd);
    if (line.type === "summary") titles.summary = nonEmptyText(line.summary) ?? titles.summary;
    else if (line.type === "custom-title") titles.custom = nonEmptyText(line.customTitle) ?? titles.custom;
    else if (line.type === "ai-title") titles.generated = nonEmptyText(line.aiTitle) ?? titles.generated;
    else if (line.uuid !== undefined) add(line, line.uuid);
    else if (!OTHER_KINDS.has(line.type)) leftOut++;
  }

  function add(line: Line, uuid: string): void {
    // A resumed session repeats lines.
    if (nodes.has(uuid)) return;
    const at = timeOf(line.timestamp);
    startedAt ??= at;
    const read = entriesOf(line, at);
    unreadable += read.unreadable;
    const node: Node = {
      parent: line.parentUuid ?? line.logicalParentUuid ?? undefined,
      index: all.length,
      isSidechain: line.isSidechain === true,
      entries: read.entries,
      isMessage: read.entries.length > 0,
      ...(read.answer === undefined ? {} : { answer: read.answer }),
    };
    nodes.set(uuid, node);
    all.push(node);
    if (node.isMessage && !node.isSidechain) last = node;
    else if (node.isSidechain && node.isMessage) leftOut++;
    else if (!node.isMessage && !OTHER_KINDS.has(line.type) && read.unreadable === 0 && !isEmpty(line))
      leftOut++;
  }

  /** The lines from the beginning to the last message, in order. */
  function path(): Node[] {
    const chain = new Set<Node>();
    for (let node = last; node && !chain.has(node); ) {
      chain.add(node);
      const parent: Node | undefined = node.parent === undefined ? undefined : nodes.get(node.parent);
      // A parent that is not there is a fault of the file: the line before is taken for it.
      node = node.parent !== undefined && parent === undefined ? before(node) : parent;
    }
    const answers = new Set([...chain].flatMap(({ answer }) => answer ?? []));
    const calls = new Set(
      all
        .filter((node) => chain.has(node) || isPartOf(node, answers))
        .flatMap((node) => node.entries.flatMap(callIds)),
    );
    // Calls of one answer are lines of their own, and so are their results, of which the path contains only one.
    return all.filter(
      (node) => chain.has(node) || isPartOf(node, answers) || (!node.isSidechain && answersCall(node, calls)),
    );
  }

  function before({ index }: Node): Node | undefined {
    return all.slice(0, index).findLast((node) => node.isMessage && !node.isSidechain);
  }

  return {
    line(text) {
      if (text.trim() === "") return;
      const line = lineSchema.safeParse(jsonOf(text)).data;
      if (line) take(line);
      else unreadable++;
    },
    lost() {
      unreadable++;
    },
    end() {
      const chosen = path();
      const left = all.filter((node) => node.isMessage && !node.isSidechain).length;
      const kept = chosen.filter(({ isMessage }) => isMessage).length;
      const entries = joined(chosen);
      if (!entries.some(({ kind }) => kind === "message")) return undefined;
      return {
        product: "claude",
        id,
        title: titles.custom || titles.generated || titles.summary,
        ...(folder === undefined ? {} : { folder }),
        ...(startedAt === undefined ? {} : { startedAt }),
        entries,
        unreadable,
        leftOut: leftOut + left - kept,
      } satisfies ForeignSession;
    },
  };
}

function isPartOf({ answer, isSidechain }: Node, answers: ReadonlySet<string>): boolean {
  return answer !== undefined && !isSidechain && answers.has(answer);
}

const callIds = (entry: ForeignEntry): string[] =>
  entry.kind === "message" ? entry.parts.flatMap((part) => (part.type === "call" ? [part.id] : [])) : [];

const answersCall = ({ entries }: Node, calls: ReadonlySet<string>): boolean =>
  entries.length > 0 && entries.every((entry) => entry.kind === "result" && calls.has(entry.callId));

/** Joins the lines of one answer, which repeat its usage. */
function joined(nodes: readonly Node[]): ForeignEntry[] {
  const entries: ForeignEntry[] = [];
  const answers = new Map<string, ForeignMessage>();
  for (const { answer, entries: own } of nodes) {
    for (const entry of own) {
      const begun = answer === undefined ? undefined : answers.get(answer);
      if (begun && entry.kind === "message") {
        begun.parts.push(...entry.parts);
        if (entry.usage) begun.usage = entry.usage;
        continue;
      }
      const copy = entry.kind === "message" ? { ...entry, parts: [...entry.parts] } : entry;
      entries.push(copy);
      if (answer !== undefined && copy.kind === "message") answers.set(answer, copy);
    }
  }
  return entries;
}

interface ReadEntries {
  entries: ForeignEntry[];
  answer?: string | undefined;
  unreadable: number;
}

function entriesOf(line: Line, at: string | undefined): ReadEntries {
  const time = at === undefined ? {} : { at };
  if (line.type !== "user" && line.type !== "assistant") return { entries: [], unreadable: 0 };
  const message = messageSchema.safeParse(line.message).data;
  if (!message) return { entries: [], unreadable: 1 };
  const { parts, results, unreadable } = anthropicContent(message.content);
  if (line.isCompactSummary) {
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
    return { entries: [{ kind: "summary", text, ...time }], unreadable };
  }
  if (line.type === "user") {
    const own = parts.map((part) =>
      part.type === "text" ? userText(part.text, line.isMeta === true) : part,
    );
    const entries: ForeignEntry[] = results.map((result) => ({ ...result, ...time }));
    if (own.length > 0) entries.push({ kind: "message", role: "user", parts: own, ...time });
    return { entries, unreadable };
  }
  if (parts.length === 0) return { entries: [], unreadable };
  const { model, usage, id: answer } = message;
  const isReal = model !== undefined && model !== "<synthetic>";
  const entry: ForeignMessage = {
    kind: "message",
    role: "assistant",
    parts,
    ...time,
    ...(isReal ? { model } : {}),
    ...(isReal && usage ? { usage: anthropicUsage(usage) } : {}),
  };
  return { entries: [entry], answer, unreadable };
}

const anthropicUsage = (usage: Record<string, unknown>) =>
  usageFrom({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
  });

/** A message without content is not a loss. */
function isEmpty({ type, message }: Line): boolean {
  return (type === "user" || type === "assistant") && messageSchema.safeParse(message).success;
}

/** Texts that the product itself puts into user messages. */
const ADDED =
  /^\s*<(?:system-reminder|ide_\w+|local-command-\w+|task-notification|user-prompt-submit-hook|bash-std(?:out|err)|command-contents)\b/;
const COMMAND = /<command-name>\s*([\s\S]*?)\s*<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/;
const SHELL_COMMAND = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;

function userText(text: string, isMeta: boolean): ForeignPart {
  if (isMeta || ADDED.test(text)) return { type: "text", text, isContext: true };
  const shell = SHELL_COMMAND.exec(text)?.[1];
  if (shell !== undefined) return { type: "text", text: `! ${shell.trim()}` };
  const command = COMMAND.exec(text)?.[1];
  if (command === undefined) return { type: "text", text };
  return { type: "text", text: `${command} ${COMMAND_ARGUMENTS.exec(text)?.[1] ?? ""}`.trim() };
}
