/** The tools as hosts list them, with what each adds to a request. */
import * as z from "./zod.ts";

const listedToolSchema = z.object({
  /** Unique in its group. */
  name: z.string(),
  /** Absent: it has only its name. */
  title: z.exactOptional(z.string()),
  /** For the model, in the words of whoever offers it. */
  description: z.string(),
  on: z.boolean(),
  /** Estimated tokens of its definition in a request; 0: it cannot be offered. */
  tokens: z.number(),
  /** needed: it cannot be switched off. editor-chat: it works only in the editor's own chat. broken: its schema cannot be used. */
  fixed: z.exactOptional(z.enum(["needed", "editor-chat", "broken"])),
});
export type ListedModelTool = z.infer<typeof listedToolSchema>;

export const TOOL_ORIGINS = ["built-in", "server", "extension"] as const;

const toolGroupSchema = z.object({
  origin: z.enum(TOOL_ORIGINS),
  /** Of the server or the extension; "": the built-in tools. */
  owner: z.string(),
  /** Absent: the group has one owner. Otherwise the id of the extension. */
  id: z.exactOptional(z.string()),
  tools: z.array(listedToolSchema),
});
export type ToolGroup = z.infer<typeof toolGroupSchema>;

export const toolListSchema = z.object({
  groups: z.array(toolGroupSchema),
  /** False: there is no data folder that could store a choice. */
  canChange: z.boolean(),
});
export type ToolList = z.infer<typeof toolListSchema>;

export const toolSwitchSchema = z.object({
  origin: z.enum(TOOL_ORIGINS),
  /** The id of the group if it has one, otherwise its owner. */
  owner: z.string(),
  name: z.string(),
  on: z.boolean(),
});
export type ToolSwitchAction = z.infer<typeof toolSwitchSchema>;

/** Estimated tokens of the tools that are switched on. */
export function tokensOfTools(tools: readonly Pick<ListedModelTool, "on" | "tokens">[]): number {
  return tools.reduce((sum, { on, tokens }) => sum + (on ? tokens : 0), 0);
}
