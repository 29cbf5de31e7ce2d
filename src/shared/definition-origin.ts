/** Where a skill, a command or an agent comes from. */
import * as z from "./zod.ts";

/** The product whose folder holds the file. */
export type DefinitionSource =
  | "nekode"
  | "agents"
  | "copilot"
  | "claude"
  | "cline"
  | "codex"
  | "opencode"
  | "roo"
  | "kilo"
  | "cursor"
  | "windsurf"
  | "gemini"
  | "plugin";

/**
 * `project`: the workspace or a folder above it in its repository. `system`: set up for all users of the machine. `plugin`: from a plugin
 * that the user installed.
 */
export type DefinitionScope = "project" | "user" | "system" | "plugin";

/** Where a file is from. */
export const definitionOriginSchema = z.object({
  /** What the product is called. */
  source: z.string(),
  /** See `DefinitionScope`. */
  scope: z.string(),
  /** Relative to the workspace, or starting with `~` or `/`. Also what switches it off. */
  file: z.string(),
});
