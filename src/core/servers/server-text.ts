/** Cleans and bounds texts and schemas that a server describes itself with, which become part of the prompt. */
import { sliceWhole } from "../text.ts";

/**
 * Characters that a reader does not see but a model reads: controls, format and bidirectional characters, tags, fillers, private
 * use, and lone surrogates. Tabs and line feeds stay.
 */
const hidden = () => /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;
const SEPARATORS = /\r\n?|[\u2028\u2029]/g;

/** Levels of a schema. */
const MOST_LEVELS = 64;

/** Nothing in it is hidden or separates lines. */
const PLAIN = /^[\x20-\x7e]*$/;

export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(SEPARATORS, "\n").replace(hidden(), "");
}

/** Clean text of at most `most` characters, with a mark where it was cut. */
export function boundedText(text: string, most: number): string {
  const clean = cleanText(text).trim();
  return clean.length <= most ? clean : `${sliceWhole(clean, 0, most - 1)}…`;
}

/** The same JSON value with clean texts and keys. Throws RangeError if it is nested too deeply. */
export function cleanJson(value: unknown, levels = MOST_LEVELS): unknown {
  if (levels === 0) throw new RangeError("it is nested too deeply");
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, levels - 1));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [cleanText(key), cleanJson(item, levels - 1)]);
  return Object.fromEntries(entries);
}

/** One line of clean text, for lists. */
export function boundedLine(text: string, most: number): string {
  return boundedText(text.replace(/\s+/g, " "), most);
}
