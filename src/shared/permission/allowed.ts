/** What the user allows without being asked again. */
import * as z from "zod";

/** session: until it is closed. workspace: in this project, on this machine. always: in the user's settings. */
export const allowScopeSchema = z.enum(["session", "workspace", "always"]);
export type AllowScope = z.infer<typeof allowScopeSchema>;

export interface AllowedEntry {
  /** A command as in the allow list, or an MCP server and its tool. */
  entry: string;
  scope: AllowScope;
}
