/** What the panel asks about MCP servers, and what it inserts from them into a message. */
import { reasonSchema } from "./message.ts";
import * as z from "./zod.ts";

/** The syntax of a prompt's arguments, such as `city [state]`; optional ones are in brackets. */
export function usageOf(args: readonly { name: string; required: boolean }[]): string {
  return args.map(({ name, required }) => (required ? name : `[${name}]`)).join(" ");
}

/** What the user can do with a server from the list. `forget`: removes a user's entry, or a project's approval. */
export const serverActionSchema = z.enum([
  "start",
  "stop",
  "sign-in",
  "sign-out",
  "enable",
  "disable",
  "forget",
  "log",
  "edit",
]);
export type ServerAction = z.infer<typeof serverActionSchema>;

export const toolChoiceSchema = z.enum(["on", "always", "reading"]);
export type ToolChoice = z.infer<typeof toolChoiceSchema>;

/** The result of adding servers from a command, an address or JSON that the user entered. */
export const addedServersSchema = z.object({
  /** Names of the new entries. */
  added: z.array(z.string()),
  /** Names that the user's file already has; these entries were not changed. */
  existing: z.array(z.string()),
  /** Why nothing was added. */
  problems: z.array(z.object({ server: z.optional(z.string()), reason: reasonSchema })),
});
export type AddedServers = z.infer<typeof addedServersSchema>;

/** A resource of an MCP server, or a template of resources. */
export const mentionResourceSchema = z.object({
  /** The text to insert; for a template, up to its first variable, which the user types. */
  mention: z.string(),
  server: z.string(),
  name: z.string(),
  description: z.string(),
  /** For a template, all of its URI, such as `weather://{city}/today`. */
  template: z.optional(z.string()),
});
export type MentionResource = z.infer<typeof mentionResourceSchema>;
