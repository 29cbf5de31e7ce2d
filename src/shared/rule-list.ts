/** Rules files as the panel shows them: their source, and whether they apply. */
import * as z from "zod";
import { definitionOriginSchema } from "./definition-list.ts";

const enabled = z.boolean().default(true);

/** The sources of rules, each of which the user can disable. */
export const ruleSwitchesSchema = z.object({
  /** The user's rules for all projects; the others are kinds of files. */
  global: enabled,
  nekode: enabled,
  agents: enabled,
  cline: enabled,
  cursor: enabled,
  windsurf: enabled,
  claude: enabled,
  copilot: enabled,
});

export const ruleSourceSchema = ruleSwitchesSchema.keyof();
export type RuleSource = z.infer<typeof ruleSourceSchema>;

/** What the sources that other programs define are called, in every language. */
export const SOURCE_NAMES: Readonly<Record<Exclude<RuleSource, "global" | "nekode">, string>> = {
  agents: "AGENTS.md",
  cline: "Cline",
  cursor: "Cursor",
  windsurf: "Windsurf",
  claude: "CLAUDE.md",
  copilot: "GitHub Copilot",
};

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

export const ruleFileSchema = z.object({
  source: ruleSourceSchema,
  /** Relative to the workspace, or starting with `~`. */
  name: z.string(),
  /** Patterns of the files that it applies to; none: all files. */
  paths: z.array(z.string()),
  state: ruleStateSchema,
});
export type RuleFile = z.infer<typeof ruleFileSchema>;
/**
 * `workflow`: the text of a prompt file or a skill. `description`: what its file says of it, or a server about its prompt; empty for built-in
 * commands, whose words are in `command-words.ts`. A prompt's name is `server:prompt`.
 */
export const slashCommandSchema = z.object({
  name: z.string(),
  kind: z.enum(["command", "workflow", "prompt"]),
  description: z.string(),
  /** What to write after the name, such as `city [state]`; what is optional is in brackets. */
  args: z.string().optional(),
  /** The file of a workflow or a skill. */
  from: definitionOriginSchema.optional(),
});
export type SlashCommand = z.infer<typeof slashCommandSchema>;

export const slashListSchema = z.object({
  commands: z.array(slashCommandSchema),
  /** MCP servers whose prompts are not known, because they have not run yet. */
  unlisted: z.array(z.string()),
});
