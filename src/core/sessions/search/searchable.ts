/**
 * Extracts the searchable texts of a stored message: what was written, asked, done and answered; no images, ids or
 * keys.
 */
import type { Block } from "../../../shared/message.ts";
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

type Part = [by: SearchablePiece["by"], value: unknown];

/** Returns the searchable parts of a stored block; none of a type that only a later version knows. */
function partsOf(block: Fields, role: unknown): Part[] {
  const { type } = block;
  return typeof type === "string" && isBlockType(type) ? PARTS[type](block, role) : [];
}

function isBlockType(type: string): type is Block["type"] {
  return Object.hasOwn(PARTS, type);
}

const noParts = (): Part[] => [];

/** What can be searched in each type of block. */
const PARTS: Readonly<Record<Block["type"], (block: Fields, role: unknown) => Part[]>> = {
  // Environment details contain the same file names in every session.
  text: ({ source, text }, role) =>
    source === "context" ? [] : [[role === "assistant" ? "agent" : "tool", text]],
  reasoning: ({ text }) => [["agent", text]],
  "tool-call": ({ params }) => [["tool", params]],
  "tool-result"(block) {
    const parts = Array.isArray(block.parts) ? block.parts : [];
    const shown = isFields(block.shown) ? block.shown : {};
    return [
      ["tool", parts.filter((part) => isFields(part) && part.type === "text").map(({ text }) => text)],
      ["person", shown.comment],
      ["tool", shown.text],
    ];
  },
  image: noParts,
  window: noParts,
  rules: noParts,
  refused: noParts,
  answers: noParts,
  chosen: noParts,
};

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
