/**
 * The messages of a conversation as they are stored, in a form that does not depend on the provider. All requests and
 * views are derived from them. A message does not change after it is appended; its id is a UUID.
 */
import { errorViewSchema } from "./models/request-error.ts";
import type { ReasonData } from "./reason.ts";
import { ruleSourceSchema } from "./rule-list.ts";
import { childTaskSchema } from "./view/child-task.ts";
import * as z from "./zod.ts";

export const reasonSchema: z.ZodMiniType<ReasonData> = z.object({
  code: z.string(),
  values: z.readonly(z.array(z.string())),
});

/**
 * Tokens as reported by the endpoint. `inputTokens`: of the whole prompt, including those read from a cache (`cachedTokens`)
 * and written to it. `cost` is in USD, and set if the endpoint or the settings give a price.
 */
const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Input tokens that were read from the endpoint's prompt cache, and those that were written to it. */
  cachedTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  /** USD that the endpoint's prompt cache saved, if the prices are known; negative: writing it cost more. */
  saved: z.optional(z.number()),
  cost: z.optional(z.number()),
});
export type Usage = z.infer<typeof usageSchema>;

/**
 * An image of a call's result, without its bytes: the panel requests them with `chat/picture` when the image comes on
 * screen. The picture at an index is the image at that index among the result's image parts, or
 * else among the images that only the row shows.
 */
export const pictureSchema = z.object({
  /** In pixels; absent: unknown. */
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  /** A description of the picture, for the alternative text. */
  about: z.optional(z.string()),
  /** A place to mark, such as a click, in pixels from the upper left corner. */
  mark: z.optional(z.object({ x: z.number(), y: z.number() })),
});
export type Picture = z.infer<typeof pictureSchema>;

/** The results of a search or a listing, in its order. */
export const hitListSchema = z.object({
  found: z.array(
    z.object({
      /** As links name it: relative to the workspace with `/`, or absolute. A folder ends with `/`. */
      path: z.string(),
      /** 1-based. */
      line: z.optional(z.number()),
      /** The line without leading and trailing spaces; long lines are truncated. */
      text: z.optional(z.string()),
    }),
  ),
  /** How many more were found; a minimum if the search ended early. */
  more: z.number(),
});
export type HitList = z.infer<typeof hitListSchema>;

/** Where in the sandbox a command runs. Default: in the profile "work", without network. */
export const sandboxPlaceSchema = z.object({
  profile: z.optional(z.enum(["read", "work"])),
  network: z.optional(z.boolean()),
});
export type ShownSandboxPlace = z.infer<typeof sandboxPlaceSchema>;

/** Files and folders that take effect by themselves and that a command made, as displayed. */
export const madeFilesSchema = z.object({
  /** They may instruct agents. */
  rules: z.array(z.string()),
  others: z.array(z.string()),
  /** How many are not named. */
  more: z.number(),
});
export type MadeFiles = z.infer<typeof madeFilesSchema>;

/** What the sandbox stopped. access: a file that commands cannot read. `path`: as the command's output names it. */
export const sandboxBlockSchema = z.object({
  kind: z.enum(["network", "write", "access"]),
  path: z.optional(z.string()),
});
export type SandboxBlock = z.infer<typeof sandboxBlockSchema>;

/**
 * What a call's row shows about its result, also after a reload. The model never receives it. `output` is the end of a
 * command's output, limited in length.
 */
export const shownResultSchema = z.object({
  text: z.optional(z.string()),
  output: z.optional(z.string()),
  exitCode: z.optional(z.nullable(z.number())),
  /** The user stopped the command. */
  stoppedByUser: z.optional(z.boolean()),
  durationMs: z.optional(z.number()),
  /** The id of the command that continues in the background. */
  background: z.optional(z.string()),
  /** The command ran in the sandbox, what that stopped, and what it did not stop but the user must know. */
  sandbox: z.optional(
    z.extend(sandboxPlaceSchema, {
      block: z.optional(sandboxBlockSchema),
      made: z.optional(madeFilesSchema),
    }),
  ),
  /** The command ran outside the sandbox, although there is one. */
  outside: z.optional(z.boolean()),
  added: z.optional(z.number()),
  removed: z.optional(z.number()),
  created: z.optional(z.boolean()),
  /** How long the call waited for the user, if that was a second or more. */
  waitedMs: z.optional(z.number()),
  /** The user's comment on approving or rejecting. */
  comment: z.optional(z.string()),
  /** Why the call was refused. */
  reason: z.optional(reasonSchema),
  /** Why the call failed, instead of `text`, which the model reads. */
  fault: z.optional(reasonSchema),
  /** unchanged: there was nothing to change. refused: it was not valid, so it never ran. */
  note: z.optional(z.enum(["unchanged", "refused"])),
  pictures: z.optional(z.array(pictureSchema)),
  hits: z.optional(hitListSchema),
  /** The task that the call started, as it was when the call ended. */
  task: z.optional(childTaskSchema),
  /** What a run of tests found: a `ShownTests`. */
  tests: z.optional(z.unknown()),
  /** What the call changed in the project's memory: a `MemoryChange`. */
  memory: z.optional(z.unknown()),
});
export type ShownResult = z.infer<typeof shownResultSchema>;

/**
 * "done": the call ran. "failed": it ran and failed, or was refused with an error. "rejected": the user did not
 * approve it. "interrupted": it started, but did not end. "not-run": it never started.
 */
export const callOutcomeSchema = z.enum(["done", "failed", "rejected", "interrupted", "not-run"]);
export type CallOutcome = z.infer<typeof callOutcomeSchema>;

const textBlockSchema = z.object({
  type: z.literal("text"),
  text: z.string(),
  /** `context` marks text that the product added (environment details, todo reminders). */
  source: z.optional(z.enum(["person", "context"])),
  /** The notes of the project's memory in the text, see `memoryNoteSchema`. */
  memory: z.optional(z.unknown()),
});
const reasoningBlockSchema = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  /**
   * The same reasoning as its endpoint signed or encrypted it; opaque. It is sent back unchanged in its place, and only
   * to the model and connection that wrote the message.
   */
  signed: z.optional(z.record(z.string(), z.unknown())),
});
const toolCallBlockSchema = z.object({
  type: z.literal("tool-call"),
  id: z.string(),
  /** The name as the model wrote it; the registry resolves it. */
  name: z.string(),
  /**
   * The name that the model used for the tool if it is another product's; the tool's contract in that product
   * applies.
   */
  alias: z.optional(z.string()),
  /** Raw arguments: strings under the XML protocol, any JSON under native calling. */
  params: z.record(z.string(), z.unknown()),
  /** The call was cut off before its end. It is shown and gets a result, but never runs. */
  partial: z.optional(z.boolean()),
  /** Why the call or its arguments could not be read; used in the reply to the model. */
  malformed: z.optional(z.string()),
  /** The endpoint constrained the call, which the message's text contains in a form that could not be read. */
  constrained: z.optional(z.boolean()),
  /** Data that the endpoint sent with the call and expects back with it; opaque. */
  extra: z.optional(z.record(z.string(), z.unknown())),
  /** Set in imported sessions: this product made the call, with a tool of its own. It never runs, and requests contain it as text. */
  foreign: z.optional(z.string()),
});
const resultPartSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    /**
     * The origin of the text: "remote" for a page or a server, "local" for anything else that a tool found. Absent: text of the
     * product or the user.
     */
    origin: z.optional(z.enum(["local", "remote"])),
  }),
  z.object({ type: z.literal("image"), mimeType: z.string(), data: z.string() }),
]);
export type ResultPart = z.infer<typeof resultPartSchema>;
const resultImageSchema = z.object({ mimeType: z.string(), data: z.string() });
export type ResultImage = z.infer<typeof resultImageSchema>;
/** A file before a call removed it. Base64 if it is not text that can be restored byte for byte. */
const removedFileSchema = z.object({
  path: z.string(),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]),
});
export type RemovedFile = z.infer<typeof removedFileSchema>;
const toolResultBlockSchema = z.object({
  type: z.literal("tool-result"),
  callId: z.string(),
  name: z.string(),
  /** As in `[replace_in_file for 'neko.txt'] Result:`, without the brackets. */
  label: z.string(),
  outcome: callOutcomeSchema,
  parts: z.array(resultPartSchema),
  /** Images that only the row shows; never sent to the model. `data` is Base64. */
  pictures: z.optional(z.array(resultImageSchema)),
  shown: z.optional(shownResultSchema),
  /** What the call removed, for restoring it; neither shown nor sent to the model. */
  removed: z.optional(z.array(removedFileSchema)),
  /** As in the call. */
  foreign: z.optional(z.string()),
});
const imageBlockSchema = z.object({
  type: z.literal("image"),
  mimeType: z.string(),
  /** Base64. */
  data: z.string(),
  /** It belongs to a mention or a prompt that the user typed, and is not an attachment of the user. */
  supplied: z.optional(z.boolean()),
});
/**
 * A step that shortened the conversation to fit the context window: what requests leave out from here on. The
 * messages that it names stay in the session unchanged.
 */
const windowBlockSchema = z.object({
  type: z.literal("window"),
  /** Calls whose results are replaced by a note. */
  shortened: z.array(z.string()),
  /** Id of the last message whose added details are no longer sent. */
  detailsUpTo: z.optional(z.string()),
  /** Messages after the first one, up to this id, are not sent; `summary` (Markdown) replaces them. */
  leftOut: z.optional(z.object({ upTo: z.string(), count: z.number(), summary: z.optional(z.string()) })),
  /** Tokens of the request before and after this step. */
  before: z.number(),
  after: z.number(),
});
export type WindowBlock = z.infer<typeof windowBlockSchema>;
/**
 * A rules file as it was read: its text, and the patterns of the files that it applies to (no patterns: all files).
 */
const ruleSchema = z.object({
  source: ruleSourceSchema,
  name: z.string(),
  paths: z.array(z.string()),
  text: z.string(),
});
/** A skill as the model knows it, before it loads it. */
export const knownSkillSchema = z.object({ name: z.string(), description: z.string() });
export type KnownSkill = z.infer<typeof knownSkillSchema>;
/**
 * All rules and skills that the model knows from here on; no request includes this block. The rules of the first such block are
 * in the system prompt and stay there, and so do the skills of the first block that has any. `changed`: names of the rules and skills
 * that differ from before; the message next to this block reports them to the model. `adds`: the rules come to those that the model knew
 * before, and the skills are as before.
 */
const rulesBlockSchema = z.object({
  type: z.literal("rules"),
  rules: z.array(ruleSchema),
  skills: z.optional(z.array(knownSkillSchema)),
  /** The agents that subtasks can have; only in the first block. */
  agents: z.optional(z.array(knownSkillSchema)),
  changed: z.optional(z.array(z.string())),
  adds: z.optional(z.literal(true)),
});
export type RulesBlock = z.infer<typeof rulesBlockSchema>;
/**
 * What the endpoint of this model refuses: requests to it contain a note instead. Messages that it names stay in the session
 * unchanged.
 */
const refusedBlockSchema = z.object({
  type: z.literal("refused"),
  model: z.string(),
  connection: z.string(),
  kind: z.enum(["image", "message"]),
  /** Identifies the part; see `Unit`. */
  key: z.string(),
  /** The endpoint's own message. */
  detail: z.optional(z.string()),
});
export type RefusedBlock = z.infer<typeof refusedBlockSchema>;
/** The answer of one of several models that were asked side by side. */
export const comparedAnswerSchema = z.object({
  /** `connection/id` of the model. */
  name: z.string(),
  text: z.string(),
  outcome: z.enum(["done", "failed", "stopped"]),
  usage: usageSchema,
  durationMs: z.number(),
  error: z.optional(errorViewSchema),
  /** The messages as JSON, which become part of the conversation if the user continues with this answer. */
  messages: z.string(),
});
export type ComparedAnswer = z.infer<typeof comparedAnswerSchema>;
/** The answers to the user's message before it. No request contains them. */
const answersBlockSchema = z.object({ type: z.literal("answers"), answers: z.array(comparedAnswerSchema) });
/** The user continues with one of the answers, whose messages follow. `comparison`: id of the message with the answers. */
const chosenBlockSchema = z.object({ type: z.literal("chosen"), comparison: z.string(), index: z.number() });
const blockSchema = z.discriminatedUnion("type", [
  textBlockSchema,
  reasoningBlockSchema,
  toolCallBlockSchema,
  toolResultBlockSchema,
  imageBlockSchema,
  windowBlockSchema,
  rulesBlockSchema,
  refusedBlockSchema,
  answersBlockSchema,
  chosenBlockSchema,
]);
export type Block = z.infer<typeof blockSchema>;
export type ToolCallBlock = z.infer<typeof toolCallBlockSchema>;
export type ImageBlock = z.infer<typeof imageBlockSchema>;
export type ToolResultBlock = z.infer<typeof toolResultBlockSchema>;

export const modeSchema = z.enum(["plan", "act"]);
export type Mode = z.infer<typeof modeSchema>;

export const messageSchema = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant", "tool"]),
  blocks: z.array(blockSchema),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** What the user typed, before mentions were expanded. Only on messages that a user wrote. */
  display: z.optional(z.string()),
  /** The model's answer was cut off: Stop, a lost connection, a crash. */
  interrupted: z.optional(z.boolean()),
  usage: z.optional(usageSchema),
  /** The id of the model that wrote the message, and the name of its connection. */
  model: z.optional(z.string()),
  connection: z.optional(z.string()),
  /** Reasoning in the form that its endpoint expects back, including signatures; opaque, only for the same model. */
  reasoningDetails: z.optional(z.array(z.record(z.string(), z.unknown()))),
});
export type Message = z.infer<typeof messageSchema>;

export function toolCalls(message: Message | undefined): ToolCallBlock[] {
  return (message?.blocks ?? []).filter((block) => block.type === "tool-call");
}

/** Calls of the last assistant message that no later message answers, in order. */
export function unansweredCalls(messages: readonly Message[]): ToolCallBlock[] {
  const answered = new Set<string>();
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (!message) break;
    for (const block of message.blocks) if (block.type === "tool-result") answered.add(block.callId);
    if (message.role === "assistant") return toolCalls(message).filter((call) => !answered.has(call.id));
  }
  return [];
}
