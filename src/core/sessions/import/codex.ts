/**
 * Reads a session of Codex: a rollout of JSON lines, each `{timestamp, type, payload}`. The first versions wrote the items without
 * that envelope. Unknown kinds are tolerated.
 */
import * as z from "../../../shared/zod.ts";
import { resultContent } from "./anthropic-content.ts";
import type {
  ForeignContent,
  ForeignEntry,
  ForeignMessage,
  ForeignPart,
  ForeignSession,
  SessionReader,
} from "./foreign-session.ts";
import {
  dataImage,
  type Fields,
  fieldsSchema,
  inputOf,
  jsonOf,
  nonEmptyText,
  timeOf,
  usageFrom,
} from "./values.ts";

const lineSchema = z.looseObject({
  timestamp: z.optional(z.unknown()),
  type: z.optional(z.string()),
  payload: z.optional(fieldsSchema),
});

/** Items of the conversation, which older versions wrote as lines of their own. */
const ITEMS: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
  "web_search_call",
]);

/** Texts that the product itself puts into user messages. */
const ADDED =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command|skill|subagent_notification|INSTRUCTIONS)\b|# AGENTS\.md instructions)/;

const outputSchema = z.object({ output: z.string(), metadata: z.optional(fieldsSchema) });

/** `name`: of the file, whose end is the session's id if the file does not state it. */
export function codexReader(name: string): SessionReader {
  let id: string | undefined;
  let folder: string | undefined;
  let startedAt: string | undefined;
  let model: string | undefined;
  let title = "";
  let entries: ForeignEntry[] = [];
  let [unreadable, leftOut] = [0, 0];
  let usage: ForeignSession["usage"];
  let requests = 0;
  let calls = 0;

  /** The answer that the next part belongs to: all parts without a result or a user message in between. */
  function answer(at: string | undefined): ForeignMessage {
    const last = entries.at(-1);
    if (last?.kind === "message" && last.role === "assistant") return last;
    const begun: ForeignMessage = {
      kind: "message",
      role: "assistant",
      parts: [],
      ...(at === undefined ? {} : { at }),
      ...(model === undefined ? {} : { model }),
    };
    entries.push(begun);
    return begun;
  }

  function call(at: string | undefined, callId: unknown, tool: unknown, input: unknown): void {
    const own = nonEmptyText(callId) ?? `call-${++calls}`;
    answer(at).parts.push({
      type: "call",
      id: own,
      name: nonEmptyText(tool) ?? "unknown",
      input: inputOf(input),
    });
  }

  function result(at: string | undefined, item: Fields): void {
    const { content, isError } = outputOf(item.output);
    const time = at === undefined ? {} : { at };
    entries.push({ kind: "result", callId: String(item.call_id), isError, content, ...time });
  }

  function takeItem(item: Fields, at: string | undefined): void {
    switch (item.type) {
      case "message":
        takeMessage(item, at);
        return;
      case "reasoning":
        for (const text of [...textsOf(item.summary), ...textsOf(item.content)])
          answer(at).parts.push({ type: "reasoning", text });
        return;
      case "function_call":
        call(at, item.call_id, item.name, item.arguments);
        return;
      case "custom_tool_call":
        call(at, item.call_id, item.name, { input: item.input });
        return;
      case "local_shell_call":
        call(at, item.call_id ?? item.id, "shell", item.action);
        return;
      case "web_search_call": {
        const callId = nonEmptyText(item.id) ?? `search-${++calls}`;
        call(at, callId, "web_search", item.action);
        // The endpoint searched, and its results are not in the file.
        entries.push({ kind: "result", callId, isError: false, content: [] });
        return;
      }
      case "function_call_output":
      case "custom_tool_call_output":
        result(at, item);
        return;
      default:
        leftOut++;
    }
  }

  function takeMessage(item: Fields, at: string | undefined): void {
    const parts = partsOf(item.content);
    if (parts === undefined) {
      unreadable++;
      return;
    }
    // The instructions of the product are not those of this one.
    if (item.role !== "user" && item.role !== "assistant") return;
    if (parts.length === 0) return;
    if (item.role === "assistant") answer(at).parts.push(...parts);
    else
      entries.push({
        kind: "message",
        role: "user",
        parts: parts.map(asTyped),
        ...(at === undefined ? {} : { at }),
      });
  }

  function takeEvent(event: Fields): void {
    if (event.type === "thread_name_updated") title = nonEmptyText(event.thread_name) ?? title;
    if (event.type === "thread_rolled_back") rollBack(Number(event.num_turns));
    if (event.type === "turn_aborted") {
      const last = entries.at(-1);
      if (last?.kind === "message" && last.role === "assistant") last.isInterrupted = true;
    }
    const total = fieldsSchema.safeParse(fieldsSchema.safeParse(event.info).data?.total_token_usage).data;
    if (event.type !== "token_count" || !total) return;
    requests++;
    // Its input includes what was read from the cache.
    const cached = Number(total.cached_input_tokens) || 0;
    usage = {
      ...usageFrom({
        input: Number(total.input_tokens) - cached,
        output: total.output_tokens,
        cacheRead: cached,
      }),
      requests,
    };
  }

  /** The user went back by this number of turns. */
  function rollBack(turns: number): void {
    for (let left = turns; left > 0; left--) {
      const from = entries.findLastIndex(isTyped);
      if (from < 0) return;
      leftOut += entries.length - from;
      entries = entries.slice(0, from);
    }
  }

  function take(line: z.infer<typeof lineSchema>): void {
    const at = timeOf(line.timestamp);
    const { type, payload } = line;
    if (!payload) {
      if (ITEMS.has(type)) takeItem(line, undefined);
      else if (type === undefined && id === undefined && nonEmptyText(line.id)) takeMeta(line, at);
      else if (line.record_type === undefined) leftOut++;
      return;
    }
    switch (type) {
      case "session_meta":
        takeMeta(payload, at);
        return;
      case "turn_context":
        model = nonEmptyText(payload.model) ?? model;
        folder ??= nonEmptyText(payload.cwd);
        return;
      case "response_item":
        takeItem(payload, at);
        return;
      case "event_msg":
        takeEvent(payload);
        return;
      case "compacted":
        entries.push({
          kind: "summary",
          text: nonEmptyText(payload.message),
          ...(at === undefined ? {} : { at }),
        });
        return;
      default:
        leftOut++;
    }
  }

  /** Only the first one: a branch repeats that of its origin. */
  function takeMeta(meta: Fields, at: string | undefined): void {
    if (id !== undefined) return;
    id = nonEmptyText(meta.id);
    folder = nonEmptyText(meta.cwd) ?? folder;
    startedAt = timeOf(meta.timestamp) ?? at;
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
      if (
        !entries.some(isTyped) &&
        !entries.some((entry) => entry.kind === "message" && entry.role === "assistant")
      )
        return undefined;
      return {
        product: "codex",
        id: id ?? name.replace(/^rollout-[\dT:-]*?-(?=[\da-f]{8}-)/, ""),
        title,
        ...(folder === undefined ? {} : { folder }),
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(usage ? { usage } : {}),
        entries,
        unreadable,
        leftOut,
      } satisfies ForeignSession;
    },
  };
}

const isTyped = (entry: ForeignEntry): boolean =>
  entry.kind === "message" &&
  entry.role === "user" &&
  entry.parts.some((part) => part.type === "image" || (part.type === "text" && !part.isContext));

const asTyped = (part: ForeignPart): ForeignPart =>
  part.type === "text" && ADDED.test(part.text) ? { ...part, isContext: true } : part;

const partSchema = z.looseObject({ type: z.string(), text: z.optional(z.string()) });

/** undefined: it is not a list of parts. */
function partsOf(content: unknown): ForeignPart[] | undefined {
  const list = z.array(partSchema).safeParse(content).data;
  return list?.flatMap((part): ForeignPart[] => {
    const image = part.type === "input_image" ? dataImage(part.image_url) : undefined;
    if (image) return [image];
    return nonEmptyText(part.text) === undefined ? [] : [{ type: "text", text: part.text ?? "" }];
  });
}

function textsOf(list: unknown): string[] {
  const parts = z.array(partSchema).safeParse(list).data ?? [];
  return parts.flatMap(({ text }) => nonEmptyText(text) ?? []);
}

/** The output of a call: a text, JSON in a text with the exit code, or a list of parts. */
function outputOf(output: unknown): { content: ForeignContent[]; isError: boolean } {
  if (typeof output === "string") {
    const read = output.startsWith("{") ? outputSchema.safeParse(jsonOf(output)).data : undefined;
    if (!read) return { content: resultContent(output), isError: false };
    const code = read.metadata?.exit_code;
    return { content: resultContent(read.output), isError: typeof code === "number" && code !== 0 };
  }
  const fields = fieldsSchema.safeParse(output).data;
  if (fields) return { content: resultContent(fields.content), isError: fields.success === false };
  const parts = partsOf(output);
  const content = parts?.flatMap((part): ForeignContent[] =>
    part.type === "text" || part.type === "image"
      ? [part.type === "text" ? { type: "text", text: part.text } : part]
      : [],
  );
  return { content: content ?? resultContent(output), isError: false };
}
