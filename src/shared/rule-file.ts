/** Rules files as the panel shows them: their source, and whether they apply. */
import { ruleSourceSchema } from "./rule-list.ts";
import * as z from "./zod.ts";

/** Whether the next task gets a rules file, or why not. */
const ruleStateSchema = z.enum([
  "applies",
  /** The model knows its description, and reads the file if the description fits. */
  "described",
  /** It applies once a file of its folder is read or edited. */
  "nested",
  /** A running task gets it with the user's next message. */
  "next-message",
  /** Its format wants it to be chosen by hand, or in a mode that Nekode does not have. */
  "by-hand",
  "other-mode",
  /** Another file of its folder stands in its place. */
  "overridden",
  /** A file that another one imports: it does not exist, or it is imported over too many others. */
  "missing",
  "too-deep",
  /** The file is turned off, or all files of its kind are. */
  "off",
  "source-off",
  /** None of the project's files matches its patterns. */
  "no-match",
  "untrusted",
  /** Another file with the same text is already included. */
  "same",
  "empty",
  "too-large",
  "not-text",
  /** It is not valid YAML. */
  "front-matter",
  /** The file is a link to a file outside the folder, to one that may contain secrets, or to one that .nekodeignore lists. */
  "elsewhere",
  "secret",
  "ignored",
  "too-many",
  "no-room",
  "unreadable",
]);
export type RuleState = z.infer<typeof ruleStateSchema>;

/** States of files that should apply but cannot be used. */
export const RULE_FAULTS = [
  "elsewhere",
  "secret",
  "ignored",
  "too-large",
  "not-text",
  "front-matter",
  "too-many",
  "no-room",
  "unreadable",
] as const;
export type RuleFault = (typeof RULE_FAULTS)[number];

const ruleFileSchema = z.object({
  source: ruleSourceSchema,
  /** Relative to the workspace, or starting with `~`. */
  name: z.string(),
  /** Patterns of the files that it applies to; none: all files. */
  paths: z.array(z.string()),
  state: ruleStateSchema,
  /** The file that imports it, has the same text or stands in its place. */
  by: z.optional(z.string()),
  /** A file of the project that matches its patterns. */
  match: z.optional(z.string()),
  /** A file in its folder that the task has read or edited, or that folder. */
  workedOn: z.optional(z.string()),
  /** Estimated, of its text. */
  tokens: z.optional(z.number()),
  /** Why it cannot be used, as a code and its detail. */
  why: z.optional(z.array(z.string())),
});
export type RuleFile = z.infer<typeof ruleFileSchema>;
/** In the order in which the model gets them. */
export const ruleFilesSchema = z.array(ruleFileSchema);
