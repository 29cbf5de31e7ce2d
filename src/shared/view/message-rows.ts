/** Converts a complete message to rows. */
import type { Block, Message, WindowBlock } from "../message.ts";
import { DEFAULT_CONNECTION, modelName } from "../models/connection.ts";
import { listInElements } from "../text/nested-elements.ts";
import { presentationOf, type ToolPresentation, type ToolPresentations } from "../tool-presentation.ts";
import * as z from "../zod.ts";
import type { CallRow, ChatView, Row } from "./chat-view.ts";
import { applyChosen, comparisonRow } from "./comparison-rows.ts";
import { finishCall, settle, upsert, upsertCall } from "./row-updates.ts";

/**
 * The part of a message from which rows are made, for hosts that only reduce events: without what only the model reads
 * (contents of files, results, images, arguments of calls), which can be large. Produces the same rows.
 */
export function shownPart(message: Message, faces: ToolPresentations): Message {
  const { role } = message;
  return { ...message, blocks: message.blocks.map((block) => shownBlock(block, role, faces)) };
}

function shownBlock(block: Block, role: Message["role"], faces: ToolPresentations): Block {
  switch (block.type) {
    case "text":
      return role === "assistant" ? block : { ...block, text: "" };
    case "reasoning": {
      const { signed: _signed, ...rest } = block;
      return rest;
    }
    case "tool-call": {
      const names = new Set(Object.values(presentationOf(faces, block.name)?.shows ?? {}));
      const shown = Object.entries(block.params).filter(([name]) => names.has(name));
      return { ...block, params: Object.fromEntries(shown) };
    }
    case "tool-result": {
      const { removed: _removed, pictures: _pictures, ...rest } = block;
      return { ...rest, parts: [] };
    }
    case "image":
      return { ...block, data: "" };
    case "window":
    case "refused":
    case "chosen":
      return block;
    case "answers":
      return { ...block, answers: block.answers.map((answer) => ({ ...answer, messages: "" })) };
    case "rules":
      return { ...block, rules: [] };
  }
}

export function applyMessage(view: ChatView, message: Message, subjects: Record<string, string>): ChatView {
  if (message.role === "user") {
    // Content that an endpoint refused is stored when the answer after it is already shown.
    const [block] = message.blocks;
    if (block?.type === "answers") return upsert(view, comparisonRow(message.id, block));
    if (block?.type === "chosen") return applyChosen(view, block);
    const isBeforeAnswer = block?.type === "refused";
    const next = isBeforeAnswer ? view : settle(view);
    const rows: Row[] = [];
    const images = message.blocks.filter((block) => block.type === "image" && !block.supplied).length;
    if (message.display !== undefined) {
      const { id, display: text, createdAt: at } = message;
      rows.push({ kind: "user", id, text, ...(images > 0 ? { images } : {}), at });
    }
    message.blocks.forEach((block, index) => {
      const notice = blockNotice(block);
      if (notice) rows.push({ id: `${message.id}:${index}`, ...notice });
    });
    return rows.length === 0 ? next : { ...next, settled: [...next.settled, ...rows] };
  }
  if (message.role === "assistant") return applyAssistant(view, message, subjects);
  let next = view;
  for (const block of message.blocks) {
    if (block.type !== "tool-result") continue;
    const { outcome, shown } = block;
    next = upsertCall(next, block.callId, (row) => ({
      ...finishCall(row, outcome, shown),
      ...(row.tool === "" ? { tool: block.name } : {}),
    }));
  }
  if (message.display !== undefined && message.display !== "") {
    next = upsert(next, { kind: "user", id: message.id, text: message.display, at: message.createdAt });
  }
  return next;
}

type Notice = Omit<Extract<Row, { kind: "notice" }>, "id">;

/** The text that a block shows to the user rather than to the model, in the form that every host shows. */
export function blockNotice(block: Block): Notice | undefined {
  if (block.type === "window") return windowNotice(block);
  if (block.type === "refused")
    return { kind: "notice", code: "refused-part", values: [block.kind, block.detail ?? ""] };
  if (block.type !== "rules" || !block.changed) return undefined;
  return { kind: "notice", code: "rules-changed", values: [block.changed.join(", ")] };
}

function windowNotice(block: WindowBlock): Notice {
  const { leftOut, shortened } = block;
  if (!leftOut) return { kind: "notice", code: "context-shortened", values: [String(shortened.length)] };
  const values = [String(leftOut.count)];
  return leftOut.summary === undefined
    ? { kind: "notice", code: "context-pruned", values }
    : { kind: "notice", code: "condensed", values, detail: leftOut.summary };
}

function applyAssistant(view: ChatView, message: Message, subjects: Record<string, string>): ChatView {
  let next = message.interrupted ? view : withoutRevoked(view, message);
  const { model, connection = DEFAULT_CONNECTION } = message;
  const by = model === undefined ? {} : { by: modelName({ connection: { name: connection }, model }) };
  const written = { ...by, at: message.createdAt };
  message.blocks.forEach((block, index) => {
    if (block.type === "text" || block.type === "reasoning") {
      if (block.text.trim() === "") return;
      const row = { id: `${message.id}:${index}`, text: block.text, streaming: false };
      next = upsert(
        next,
        block.type === "text" ? { kind: "text", ...row, ...written } : { kind: "reasoning", ...row },
      );
    } else if (block.type === "tool-call") {
      next = upsertCall(next, block.id, (row) => ({
        ...row,
        tool: block.name,
        subject: subjects[block.id] ?? row.subject,
        state: block.partial ? "not-run" : row.state,
        ...shownParams(block.params, presentationOf(view.faces, block.name)?.shows),
        ...written,
      }));
    }
  });
  return next;
}

/** Removes text that the rows showed while the message streamed, and that turned out to be reasoning. */
function withoutRevoked(view: ChatView, { id, blocks }: Message): ChatView {
  const finalIds = new Set(
    blocks.map((block, index) => (block.type === "tool-call" ? block.id : `${id}:${index}`)),
  );
  const isRevoked = (row: Row) =>
    !finalIds.has(row.id) &&
    (row.kind === "call" ? row.state === "streaming" : "streaming" in row && row.id.startsWith(`${id}:`));
  return view.live.some(isRevoked) ? { ...view, live: view.live.filter((row) => !isRevoked(row)) } : view;
}

/** What the row shows of the call's parameters. A command is offered only together with the text that it belongs to. */
function shownParams(
  params: Record<string, unknown>,
  shows: ToolPresentation["shows"],
): Partial<Pick<CallRow, "text" | "options" | "proposal">> {
  if (!shows) return {};
  const text = params[shows.text];
  const options = shows.options === undefined ? [] : optionsOf(params[shows.options]);
  const command = shows.command === undefined ? undefined : params[shows.command];
  return {
    ...(typeof text === "string" ? { text } : {}),
    ...(options.length > 0 ? { options } : {}),
    ...(typeof text === "string" && typeof command === "string" ? { proposal: command } : {}),
  };
}

/**
 * Reads options as models write them: a JSON array of strings, one element each, or one a line. None, if it begins like
 * JSON and is not: such a call is refused.
 */
function optionsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  if (typeof value !== "string" || value.trim() === "") return [];
  const elements = listInElements(value);
  if (elements !== undefined) return elements;
  try {
    return optionsOf(z.array(z.unknown()).parse(JSON.parse(value)));
  } catch {
    if (value.trimStart().startsWith("[")) return [];
    return value
      .split("\n")
      .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "").trim())
      .filter((line) => line !== "");
  }
}
