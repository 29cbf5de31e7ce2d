/** Rules files as the panel shows them: where they come from, and whether they apply. */
import * as z from "zod";

/** `global`: the person's own, for every project; the others: whose kind of file it is. */
export const ruleSourceSchema = z.enum([
  "global",
  "nekode",
  "agents",
  "cline",
  "cursor",
  "windsurf",
  "claude",
  "copilot",
]);
export type RuleSource = z.infer<typeof ruleSourceSchema>;

/** Whether the next task gets a rules file, or why not. */
export const ruleStateSchema = z.enum([
  "applies",
  /** It is switched off, or all of its kind are. */
  "off",
  "source-off",
  /** None of the project's files matches its paths. */
  "no-match",
  "untrusted",
  /** The same text is read from another file already. */
  "same",
  "empty",
  "too-large",
  "not-text",
  /** A link that leads out of the folder, to what may hold secrets, or to what .nekodeignore names. */
  "elsewhere",
  "secret",
  "ignored",
  "too-many",
  "no-room",
  "unreadable",
]);
export type RuleState = z.infer<typeof ruleStateSchema>;

/** States of files that were meant to be used and cannot be. */
export const ruleFaults = [
  "elsewhere",
  "secret",
  "ignored",
  "too-large",
  "not-text",
  "too-many",
  "no-room",
  "unreadable",
] as const;
export type RuleFault = (typeof ruleFaults)[number];

export const ruleFileSchema = z.object({
  source: ruleSourceSchema,
  /** Relative to the workspace, or with `~`. */
  name: z.string(),
  /** Patterns of the files that it is for; none: all. */
  paths: z.array(z.string()),
  state: ruleStateSchema,
});
export type RuleFile = z.infer<typeof ruleFileSchema>;
