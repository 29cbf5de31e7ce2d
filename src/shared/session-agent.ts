/**
 * The agent that the user chose for a session: instructions, and what the session may use of what the user allows it. It is stored with
 * the session as it was when it was chosen. It never allows anything: permissions are the user's.
 */
import * as z from "./zod.ts";

/** Some tools: one by its name, all of an access class, or those of an MCP server (with `tool`, that one). */
const toolSelectorSchema = z.discriminatedUnion("of", [
  z.object({ of: z.literal("tool"), name: z.string() }),
  z.object({ of: z.literal("access"), name: z.enum(["read", "edit", "command", "web", "mcp"]) }),
  z.object({ of: z.literal("server"), name: z.string(), tool: z.optional(z.string()) }),
]);
export type ToolSelector = z.infer<typeof toolSelectorSchema>;

/** A glob, or a regular expression that cannot take long. Both match paths relative to the workspace folder, with `/`. */
const filePatternSchema = z.object({ kind: z.enum(["glob", "regex"]), pattern: z.string() });
export type FilePattern = z.infer<typeof filePatternSchema>;

/** A button after a turn: it chooses `agent`, and writes `prompt` into the composer, or sends it. */
export const handoffSchema = z.object({
  label: z.string(),
  /** Its name, or the name of its file without the ending. */
  agent: z.string(),
  prompt: z.string(),
  send: z.boolean(),
});
export type Handoff = z.infer<typeof handoffSchema>;

export const sessionAgentSchema = z.object({
  name: z.string(),
  /** For the user: the file; "": it is built in. */
  file: z.string(),
  instructions: z.string(),
  /** Absent: all tools. */
  tools: z.optional(z.array(toolSelectorSchema)),
  /** What it has not, whatever `tools` says. */
  denied: z.array(toolSelectorSchema),
  /** The files that it may change; absent: all. */
  editable: z.optional(z.array(filePatternSchema)),
  /** The beginnings of the commands that it may run, as on the user's allow list; absent: all. */
  commands: z.optional(z.array(z.string())),
  /** It changes nothing, as in plan mode. */
  mode: z.optional(z.literal("plan")),
  /** The agents that its subtasks may have; absent: all. Empty: it starts no subtasks. */
  subagents: z.optional(z.array(z.string())),
  handoffs: z.array(handoffSchema),
});
export type SessionAgent = z.infer<typeof sessionAgentSchema>;
