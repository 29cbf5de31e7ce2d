/** Small readers that several formats share. They accept anything and return what can be used. */
import type { Usage } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import type { ForeignContent } from "./foreign-session.ts";

export const fieldsSchema = z.record(z.string(), z.unknown());
export type Fields = z.infer<typeof fieldsSchema>;

/** undefined: it is not valid JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A time as ISO 8601 in UTC, from a text or from milliseconds; undefined: it is neither. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const time = new Date(value);
  const year = Number.isNaN(time.getTime()) ? 0 : time.getUTCFullYear();
  // Other years have another form in ISO 8601, and no agent existed then.
  return year >= 2000 && year <= 9999 ? time.toISOString() : undefined;
}

/** A text that is not empty. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The arguments of a call, which some APIs send as JSON in a text. */
export function inputOf(value: unknown): Record<string, unknown> {
  const read = typeof value === "string" ? jsonOf(value) : value;
  const fields = fieldsSchema.safeParse(read).data;
  if (fields) return fields;
  return value === undefined || value === null || value === "" ? {} : { input: value };
}

const DATA_ADDRESS = /^data:([\w/+.-]+);base64,([\s\S]*)$/;

/** The image of a `data:` address; undefined: it is not one. */
export function dataImage(address: unknown): Extract<ForeignContent, { type: "image" }> | undefined {
  const [, mimeType, data] = (typeof address === "string" && DATA_ADDRESS.exec(address)) || [];
  return mimeType === undefined || data === undefined ? undefined : { type: "image", mimeType, data };
}

const count = z.catch(z.number().check(z.nonnegative()), 0);

/** `input` excludes what was read from the cache and written to it. */
export function usageFrom(values: {
  input: unknown;
  output: unknown;
  cacheRead?: unknown;
  cacheWrite?: unknown;
  cost?: unknown;
}): Usage {
  const [input, output] = [count.parse(values.input), count.parse(values.output)];
  const [read, write] = [count.parse(values.cacheRead ?? 0), count.parse(values.cacheWrite ?? 0)];
  const cost = z.number().check(z.nonnegative()).safeParse(values.cost).data;
  return {
    inputTokens: input + read + write,
    outputTokens: output,
    cachedTokens: read,
    cacheWriteTokens: write,
    ...(cost === undefined ? {} : { cost }),
  };
}
