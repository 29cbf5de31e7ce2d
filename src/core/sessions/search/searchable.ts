/** What of a stored message a person may look for: what was said, asked, done and answered; no images, ids or keys. */
import { payloadOf } from "../db/payloads.ts";

export interface Piece {
  /** The text itself, or the name of the payload that holds it. */
  text: string | { payload: string };
  /** Whose words: those of people are what a result shows first. */
  by: "person" | "agent" | "tool";
  /** Id of the row that shows it. */
  row: string;
}

type Fields = Record<string, unknown>;

export function piecesOf(message: Fields): Piece[] {
  const pieces: Piece[] = [];
  const id = String(message.id);
  let row = id;
  const add = (value: unknown, by: Piece["by"]): void => {
    if (typeof value === "string") {
      if (value !== "") pieces.push({ text: value, by, row });
    } else if (Array.isArray(value)) {
      for (const item of value) add(item, by);
    } else if (isFields(value)) {
      const payload = payloadOf(value);
      if (payload === undefined) for (const item of Object.values(value)) add(item, by);
      else pieces.push({ text: { payload }, by, row });
    }
  };
  add(message.display, "person");
  const blocks = Array.isArray(message.blocks) ? message.blocks : [];
  for (const [index, block] of blocks.entries()) {
    if (!isFields(block)) continue;
    row = message.role === "assistant" ? `${id}:${index}` : id;
    if (block.type === "tool-call") row = String(block.id);
    if (block.type === "tool-result") row = String(block.callId);
    switch (block.type) {
      case "text":
        // Environment details name the same files in every session.
        if (block.source !== "context") add(block.text, message.role === "assistant" ? "agent" : "tool");
        break;
      case "reasoning":
        add(block.text, "agent");
        break;
      case "tool-call":
        add(block.params, "tool");
        break;
      case "tool-result":
        for (const part of Array.isArray(block.parts) ? block.parts : []) {
          if (isFields(part) && part.type === "text") add(part.text, "tool");
        }
        if (isFields(block.shown)) {
          add(block.shown.comment, "person");
          add(block.shown.text, "tool");
        }
        break;
      default:
    }
  }
  return pieces;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
