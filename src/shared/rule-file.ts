/** Rules files as the panel shows them: their source, and whether they apply. */
import * as z from "zod";
import { ruleSourceSchema } from "./rule-list.ts";

/** Whether the next task gets a rules file, or why not. */
const ruleStateSchema = z.enum([
  "applies",
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
});
export type RuleFile = z.infer<typeof ruleFileSchema>;
/** In the order in which the model gets them. */
export const ruleFilesSchema = z.array(ruleFileSchema);
