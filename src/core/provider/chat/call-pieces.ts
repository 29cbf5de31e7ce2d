/**
 * Reads chunks that are the same text as an earlier one but for a piece of a call's arguments. A long call arrives in
 * thousands of them. What is the same text means the same, so the parse of the earlier chunk holds for all of it but the
 * piece.
 */
import type { ToolCallDelta } from "../../answer-deltas.ts";
import type { StreamPart } from "../provider.ts";

export class CallPieces {
  /** The text of the remembered chunk before and after the piece, with the quotes around it. */
  #before = "";
  #after = "";
  #delta: ToolCallDelta | undefined;

  /** Returns the delta in a chunk with this text; undefined: the chunk is not like the remembered one. */
  read(text: string): ToolCallDelta | undefined {
    const from = this.#before.length - 1;
    const to = text.length - this.#after.length + 1;
    if (!this.#delta || to - from < 2 || !text.startsWith(this.#before) || !text.endsWith(this.#after))
      return undefined;
    const piece = stringIn(text.slice(from, to));
    return piece === undefined ? undefined : { ...this.#delta, arguments: piece };
  }

  /** Remembers the chunk with this text, if `parts`, all that it says, is one piece of one call. */
  remember(text: string, parts: readonly StreamPart[]): void {
    this.#delta = undefined;
    const [only] = parts;
    if (parts.length !== 1 || only?.type !== "tool-calls" || only.deltas.length !== 1) return;
    const [delta] = only.deltas;
    if (delta?.arguments === undefined) return;
    const piece = JSON.stringify(delta.arguments);
    const from = text.indexOf('"arguments"');
    // Only one place can be meant, and the endpoint writes the piece as we do.
    if (from < 0 || from !== text.lastIndexOf('"arguments"')) return;
    const at = text.indexOf(piece, from + '"arguments"'.length);
    if (at < 0 || !/^"arguments"\s*:\s*$/.test(text.slice(from, at))) return;
    this.#before = text.slice(0, at + 1);
    this.#after = text.slice(at + piece.length - 1);
    this.#delta = delta;
  }
}

/** Returns the string that the JSON text is; undefined if it is not one string. */
function stringIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
