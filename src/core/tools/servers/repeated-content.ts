import { isRecord } from "../../assistant/record.ts";

/** Whether the texts of a result repeat its structured content. */
export function isRepeated(texts: readonly string[], structured: unknown): boolean {
  try {
    return haveSameContent(texts, structured);
  } catch {
    // A text is JSON that is nested too deeply to compare.
    return false;
  }
}

/**
 * Servers repeat structured content as text, for clients that do not know it: as JSON in one text or a text for each item, or
 * its only property as it is.
 */
function haveSameContent(texts: readonly string[], structured: unknown): boolean {
  if (texts.length === 0) return false;
  const whole = sortedJson(structured);
  const values = texts.map(jsonOrText);
  if (values.some((value) => sortedJson(value) === whole) || sortedJson(values) === whole) return true;
  const [only, ...others] = isRecord(structured) ? Object.values(structured) : [];
  if (only === undefined || others.length > 0) return false;
  if (typeof only === "string") return texts.join("\n").trim() === only.trim();
  return haveSameContent(texts, only);
}

/** The value of a JSON text; the text itself if it is none. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** JSON that is the same for objects with the same properties in another order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
