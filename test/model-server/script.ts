import { z } from "zod";

/** A substring, or a regular expression written as `/source/flags`. */
const pattern = z.string().superRefine((text, context) => {
  try {
    toRegExp(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: `not a regular expression: ${String(error)}` });
  }
});

/** The expression of a pattern; undefined for a plain substring. Throws on invalid syntax. */
export function toRegExp(text: string): RegExp | undefined {
  const parts = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  return parts?.[1] === undefined ? undefined : new RegExp(parts[1], parts[2]?.replace(/[gy]/g, ""));
}

/** All given conditions must match. */
const matchSchema = z.strictObject({
  /**
   * Text of the last user message, without environment details; messages that contain nothing else are skipped. A tool
   * result under the XML protocol is a user message.
   */
  lastUser: pattern.optional(),
  /** Text of the first user message, without environment details. */
  firstUser: pattern.optional(),
  /** The user's last text, without tool results, file contents and environment details. */
  said: pattern.optional(),
  /** Text of any message except the system prompt. */
  anyMessage: pattern.optional(),
  system: pattern.optional(),
  /** Number of the request in its conversation, from 1: one more than the assistant messages in it. */
  request: z.int().min(1).optional(),
  model: pattern.optional(),
  /** `native` when the request has tools, else `xml`. */
  protocol: z.enum(["native", "xml"]).optional(),
  /** The mode in the latest environment details. */
  mode: z.enum(["plan", "act"]).optional(),
  /** A tool whose result arrived since the last assistant message; with `ever`, at any time. */
  toolResult: z
    .union([
      z.string(),
      z.strictObject({ tool: z.string(), text: pattern.optional(), ever: z.boolean().optional() }),
    ])
    .optional(),
  stream: z.boolean().optional(),
});

const params = z.record(z.string(), z.json());

const nativeToolSchema = z.strictObject({
  name: z.string(),
  params: params.optional(),
  /** The raw arguments text, which replaces `params`; need not be JSON. */
  arguments: z.string().optional(),
  id: z.string().optional(),
  /** Sizes in characters of the argument deltas; the last one repeats; default: the chunk size. */
  splitArguments: z.array(z.int().min(1)).min(1).optional(),
  /** Every delta repeats id and name, as with some endpoints. */
  repeatName: z.boolean().optional(),
  /** One delta with id, name and all arguments, as with some endpoints. */
  wholeAtOnce: z.boolean().optional(),
  /** Deltas without `index`, as with some endpoints. */
  omitIndex: z.boolean().optional(),
  /** Arguments as a JSON object instead of text, in one delta, as with some endpoints. */
  argumentsAsObject: z.boolean().optional(),
});

/** One piece of an answer; `hold` and `wait` (ms) are pauses between pieces, and so is `ping`. */
const partSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({
    reasoning: z.string(),
    field: z.enum(["reasoning_content", "reasoning"]).optional(),
    /** Readable for the model alone, where the API has such reasoning; elsewhere it is not sent. */
    hidden: z.boolean().optional(),
  }),
  z.strictObject({ thinking: z.string(), tag: z.enum(["thinking", "think"]).optional() }),
  z.strictObject({ tool: z.string(), params }),
  z.strictObject({ xml: z.string() }),
  z.strictObject({ nativeTool: nativeToolSchema }),
  z.strictObject({ hold: z.string() }),
  z.strictObject({ wait: z.number().min(0) }),
  /** Comment lines that keep the connection open while the model still reads its prompt, as llama.cpp sends them. */
  z.strictObject({ ping: z.int().min(1) }),
]);

const after = z.int().min(0).optional();
const times = z.int().min(1).optional();

/**
 * `times`: only the first n uses of the turn are faulty, the following ones give the answer; absent: every use.
 * `after`: characters of the answer that are sent before it happens (at the next chunk boundary).
 */
const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status"),
    times,
    status: z.int().min(400).max(599),
    message: z.string().optional(),
    type: z.string().optional(),
    code: z.string().optional(),
    /** `Retry-After`: seconds, or an HTTP date so many seconds from now. */
    retryAfter: z.union([z.number().min(0), z.strictObject({ dateIn: z.number() })]).optional(),
    /** `retry-after-ms`. */
    retryAfterMs: z.number().min(0).optional(),
  }),
  /** Any body with any content type: an HTML error page by default. */
  z.strictObject({
    kind: z.literal("body"),
    times,
    status: z.int().min(200).max(599).default(502),
    contentType: z.string().default("text/html; charset=utf-8"),
    body: z
      .string()
      .default("<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"),
  }),
  z.strictObject({
    kind: z.literal("contextLength"),
    times,
    /** Default: that of the API's maker. */
    wording: z
      .enum(["openai", "anthropic", "vllm", "llamacpp", "openrouter", "gemini", "mistral"])
      .optional(),
    limit: z.int().default(8192),
    used: z.int().default(9001),
  }),
  /** Destroys the socket in the middle of a UTF-8 character; default: halfway. */
  z.strictObject({ kind: z.literal("cut"), times, after }),
  /** Sends nothing more until the client gives up: before the headers, right after them, or within the stream. */
  z.strictObject({
    kind: z.literal("stall"),
    times,
    where: z.enum(["connection", "headers", "stream"]),
    after,
  }),
  /** Destroys the connection without a response. */
  z.strictObject({ kind: z.literal("reset"), times }),
  /** Ends the stream without `[DONE]`; with `finish: false`, also without a finish_reason. */
  z.strictObject({ kind: z.literal("noDone"), times, finish: z.boolean().default(true) }),
  /** A data line that is not JSON; default: halfway. */
  z.strictObject({
    kind: z.literal("malformed"),
    times,
    after,
    line: z.string().default('data: {"id":"broken","cho'),
  }),
  /** An error object inside the stream, which then ends; default: halfway. */
  z.strictObject({
    kind: z.literal("streamError"),
    times,
    after,
    error: z.looseObject({ message: z.string() }).default({
      message: "The server had an error while processing your request.",
      type: "server_error",
      code: "server_error",
    }),
  }),
  /** An empty 200: no content, no tool call; `choices: false`: not even a choice. */
  z.strictObject({ kind: z.literal("empty"), times, choices: z.boolean().default(true) }),
]);

const usageSchema = z.union([
  z.literal("estimated"),
  z.literal("none"),
  z.strictObject({
    promptTokens: z.int().min(0).optional(),
    completionTokens: z.int().min(0).optional(),
    cachedTokens: z.int().min(0).optional(),
    reasoningTokens: z.int().min(0).optional(),
    /** USD, as OpenRouter reports it; omitted: no price is reported. */
    cost: z.number().min(0).optional(),
  }),
]);

/** How answers are split and paced; a turn's own values override the script's. */
const delivery = {
  /** Characters (code points) in a delta. */
  chunkSize: z.int().min(1).optional(),
  /** Bytes in a write to the socket: splits server-sent events and UTF-8 characters anywhere. */
  writeSize: z.int().min(1).optional(),
  /** Milliseconds before each delta. */
  pace: z.number().min(0).optional(),
  /** Deltas of adjacent native tool calls alternate. */
  interleave: z.boolean().optional(),
  /** A comment line before each delta, as some gateways send to keep the connection open. */
  keepAlive: z.string().optional(),
};

export const turnSchema = z.strictObject({
  /** Shown in records and errors. */
  name: z.string().optional(),
  match: matchSchema.optional(),
  /** How often the turn may be used in a conversation; true: always. */
  times: z.union([z.int().min(1), z.literal(true)]).default(1),
  answer: z.array(partSchema).default([]),
  fault: faultSchema.optional(),
  finishReason: z.enum(["stop", "length", "tool_calls", "content_filter"]).optional(),
  usage: usageSchema.optional(),
  /** Answers without streaming even if a stream was requested. */
  wholeAnswer: z.boolean().optional(),
  ...delivery,
});

const llamaCppSchema = z.strictObject({
  /** Tokens that a slot takes. */
  window: z.int().min(1).default(32_768),
  /** Requests that are answered at once; others wait. Each slot keeps the prompt that it had last. */
  slots: z.int().min(1).default(1),
  /** The chat template that the server shows. */
  template: z.string().default(""),
  /** Whether the model sees images. */
  images: z.boolean().default(false),
  /** Starts a server for each of `models`, which takes no other name. */
  router: z.boolean().default(false),
});
export type LlamaCppOptions = z.output<typeof llamaCppSchema>;

const scriptSchema = z.strictObject({
  turns: z.array(turnSchema),
  /** The key that `Authorization: Bearer` must carry; absent: any or none. */
  apiKey: z.string().optional(),
  /** The models that exist (others get a 404), as ids or as entries of `/models`; absent: any. */
  models: z.array(z.union([z.string(), z.looseObject({ id: z.string() })])).optional(),
  /** Tokens, by this server's estimate, above which a prompt is rejected as too long. */
  contextWindow: z.int().min(1).optional(),
  /** Accepted parameters and message fields beyond OpenAI's own. */
  accepts: z.array(z.string()).default([]),
  /** false: requests with tools get a 400, as from endpoints whose model has no native tool calling. */
  supportsTools: z.boolean().default(true),
  /** Chat completions: requests whose roles do not alternate as Mistral's templates want it are refused. */
  alternatingRoles: z.boolean().default(false),
  /** The server is llama.cpp's: what it says of itself, its slots and their cache, and how it writes answers and errors. */
  llamaCpp: llamaCppSchema.optional(),
  /** Chat completions: answers carry Gemini's thought signatures, and requests without them are refused. */
  thoughtSignatures: z.boolean().default(false),
  /** The only form in which models can be asked to think; absent: both. Over the Messages API. */
  thinkingForm: z.enum(["budget", "adaptive"]).optional(),
  /** Whether `times` counts per conversation or over all of them. */
  scope: z.enum(["conversation", "server"]).default("conversation"),
  ...delivery,
});

export type Script = z.input<typeof scriptSchema>;
export type ScriptTurn = z.input<typeof turnSchema>;
export type ScriptPart = z.input<typeof partSchema>;
export type ParsedScript = z.output<typeof scriptSchema>;
export type ModelEntry = NonNullable<ParsedScript["models"]>[number];
export type ParsedTurn = z.output<typeof turnSchema>;
export type Match = z.output<typeof matchSchema>;
export type Part = z.output<typeof partSchema>;
export type Fault = z.output<typeof faultSchema>;

/** Parses a script; throws an Error that lists each error with its path. */
export function parseScript(script: unknown): ParsedScript {
  const result = scriptSchema.safeParse(script);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${describe(issue, [])}`);
  throw new Error(`The script of the model server is wrong:\n${lines.join("\n")}`);
}

const PART_KINDS = "text, reasoning, thinking, tool, xml, nativeTool, hold, wait, ping";

function describe(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): string {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The intended branch is the one with the fewest errors; a tie means that there is none.
    const branches = [...issue.errors].sort((a, b) => a.length - b.length);
    const [best, second] = branches;
    if (best !== undefined && best.length > 0 && (second === undefined || best.length < second.length)) {
      return best.map((inner) => describe(inner, path)).join("; ");
    }
    if (path.at(-2) === "answer")
      return `${place(path)}: not a part of an answer; expected one of ${PART_KINDS}`;
  }
  return `${place(path)}: ${issue.message}`;
}

function place(path: readonly PropertyKey[]): string {
  return (
    path
      .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
      .join("")
      .replace(/^\./, "") || "script"
  );
}
