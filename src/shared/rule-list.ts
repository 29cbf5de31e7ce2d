/** The sources of rules, and the commands of the `/` menu. */
import { definitionOriginSchema } from "./definition-origin.ts";
import * as z from "./zod.ts";

const enabled = z._default(z.boolean(), true);

/** The sources of rules, each of which the user can disable. */
export const ruleSwitchesSchema = z.object({
  /** The user's rules for all projects in Nekode's format; the others are the formats of the products, the user's and the project's. */
  global: enabled,
  nekode: enabled,
  agents: enabled,
  cline: enabled,
  cursor: enabled,
  windsurf: enabled,
  claude: enabled,
  copilot: enabled,
  codex: enabled,
  gemini: enabled,
  roo: enabled,
  kilo: enabled,
});

export const ruleSourceSchema = z.keyof(ruleSwitchesSchema);
export type RuleSource = z.infer<typeof ruleSourceSchema>;

/**
 * `workflow`: the text of a prompt file or a skill. `description`: what its file says of it, or a server about its prompt; empty for built-in
 * commands, whose words are in `command-words.ts`. A prompt's name is `server:prompt`.
 */
export const slashCommandSchema = z.object({
  name: z.string(),
  kind: z.enum(["command", "workflow", "prompt"]),
  description: z.string(),
  /** What to write after the name, such as `city [state]`; what is optional is in brackets. */
  args: z.optional(z.string()),
  /** The file of a workflow or a skill. */
  from: z.optional(definitionOriginSchema),
});
export type SlashCommand = z.infer<typeof slashCommandSchema>;

export const slashListSchema = z.object({
  commands: z.array(slashCommandSchema),
  /** MCP servers whose prompts are not known, because they have not run yet. */
  unlisted: z.array(z.string()),
});
