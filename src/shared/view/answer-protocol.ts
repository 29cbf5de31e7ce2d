/** Requests about what an answer or message contains: code, symbols, images. */
import * as z from "../zod.ts";

/** The kinds of tokens that a color theme distinguishes. */
export const TOKEN_KINDS = [
  ...["comment", "keyword", "control", "string", "regexp", "number", "literal", "function"],
  ...["type", "variable", "property", "attribute", "tag", "builtin", "meta", "operator"],
  ...["heading", "inserted", "deleted"],
] as const;

/** Maximum number of file names in one request. */
export const MAX_ANSWER_FILES = 1_000;

const nothing = z.object({});
const imageSchema = z.object({ mimeType: z.string(), data: z.string() });

export const answerProtocol = {
  /** The colors of code in the theme with that id, by the kind of token; none: the theme cannot be read. */
  "answer/colors": {
    params: z.object({ theme: z.string() }),
    result: z.object({ colors: z.record(z.string(), z.string().check(z.regex(/^#[0-9a-f]{3,8}$/i))) }),
  },
  /** Replaces the selection in the editor that was used last. */
  "answer/insert": { params: z.object({ text: z.string() }), result: nothing },
  /** Opens an untitled file. `language`: as a code block names it. */
  "answer/new-file": { params: z.object({ text: z.string(), language: z.string() }), result: nothing },
  /** Runs a command in Nekode's terminal, as if the user had typed it. Asks first unless the user's settings allow it. */
  "answer/run": { params: z.object({ command: z.string() }), result: nothing },
  /** Opens the definition of a symbol of the workspace. */
  "answer/symbol": { params: z.object({ name: z.string() }), result: nothing },
  /** An image of the workspace; none: there is none, it is too large, or reading it requires approval. */
  "answer/image": {
    params: z.object({ path: z.string() }),
    result: z.object({ image: z.optional(imageSchema) }),
  },
  /** Those of the named files that are not in the workspace. */
  "answer/missing": {
    params: z.object({ paths: z.array(z.string()).check(z.maxLength(MAX_ANSWER_FILES)) }),
    result: z.object({ missing: z.array(z.string()) }),
  },
  /** An image that the user sent with a message, by its index; none: the session no longer has it. */
  "answer/sent": {
    params: z.object({ messageId: z.string(), index: z.number() }),
    result: z.object({ image: z.optional(imageSchema) }),
  },
} as const;
