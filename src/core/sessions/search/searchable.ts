/**
 * Extracts the searchable texts of a stored message: what was written, asked, done and answered; no images, ids or
 * keys.
 */
import { payloadOf } from "../db/payloads.ts";

export interface SearchablePiece {
  /** The text itself, or the name of the payload that contains it. */
  text: string | { payload: string };
  /** Whose text it is. Results show the user's text first. */
  by: "person" | "agent" | "tool";
  /** Id of the row that shows it. */
  row: string;
}

type Fields = Record<string, unknown>;

export function piecesOf(message: Fields): SearchablePiece[] {
  const id = String(message.id);
  const pieces = (value: unknown, by: SearchablePiece["by"], row: string): SearchablePiece[] =>
    textsOf(value).map((text) => ({ text, by, row }));
  const blocks = Array.isArray(message.blocks) ? message.blocks : [];
  return [
    ...pieces(message.display, "person", id),
    ...blocks.flatMap((block, index) => {
      if (!isFields(block)) return [];
      const row = message.role === "assistant" ? `${id}:${index}` : id;
      return partsOf(block, message.role).flatMap(([by, value]) => pieces(value, by, rowOf(block) ?? row));
    }),
  ];
}

/** All texts of a value, in order. */
function textsOf(value: unknown): SearchablePiece["text"][] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isFields(value)) return [];
  const payload = payloadOf(value);
  return payload === undefined ? Object.values(value).flatMap(textsOf) : [{ payload }];
}

/** The row of its own that a block has. */
function rowOf({ type, id, callId }: Fields): string | undefined {
  if (type === "tool-call") return String(id);
  return type === "tool-result" ? String(callId) : undefined;
}

function partsOf(block: Fields, role: unknown): [by: SearchablePiece["by"], value: unknown][] {
  const parts = Array.isArray(block.parts) ? block.parts : [];
  const shown = isFields(block.shown) ? block.shown : {};
  switch (block.type) {
    case "text":
      // Environment details contain the same file names in every session.
      return block.source === "context" ? [] : [[role === "assistant" ? "agent" : "tool", block.text]];
    case "reasoning":
      return [["agent", block.text]];
    case "tool-call":
      return [["tool", block.params]];
    case "tool-result":
      return [
        ["tool", parts.filter((part) => isFields(part) && part.type === "text").map(({ text }) => text)],
        ["person", shown.comment],
        ["tool", shown.text],
      ];
    default:
      return [];
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
