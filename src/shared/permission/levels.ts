/**
 * Levels of permission: what runs without asking. A level stands for access classes of `nekode.approval.*`; a session may also
 * have classes that differ from its level. What must always ask (protected files, denied commands, changed tools) asks at
 * every level.
 */
import * as z from "../zod.ts";

export const LEVELS = ["ask", "edits", "safe", "all"] as const;
export const levelSchema = z.enum(LEVELS);
export type Level = z.infer<typeof levelSchema>;

/** Which access classes run without asking, by their names in `nekode.approval.*`. */
export const accessSchema = z.object({
  read: z.boolean(),
  readOutside: z.boolean(),
  edit: z.boolean(),
  editOutside: z.boolean(),
  commandRead: z.boolean(),
  commandSafe: z.boolean(),
  commandAll: z.boolean(),
  web: z.boolean(),
  mcp: z.boolean(),
});
export type AccessSettings = z.infer<typeof accessSchema>;

export const accessClassSchema = z.keyof(accessSchema);
export type AccessClass = z.infer<typeof accessClassSchema>;
export const ACCESS_CLASSES: readonly AccessClass[] = accessClassSchema.options;

const only = (...allowed: readonly AccessClass[]): AccessSettings =>
  // Of all classes, which the compiler cannot know of a list.
  Object.fromEntries(ACCESS_CLASSES.map((name) => [name, allowed.includes(name)])) as AccessSettings;

/** The classes that each level lets run without asking. */
export const LEVEL_ACCESS: Readonly<Record<Level, AccessSettings>> = {
  ask: only("read", "commandRead"),
  edits: only("read", "edit", "commandRead"),
  safe: only("read", "edit", "commandRead", "commandSafe"),
  all: only(...ACCESS_CLASSES),
};

/** The level that allows exactly these classes; "custom": no level does. */
export function levelOf(access: AccessSettings): Level | "custom" {
  return (
    LEVELS.find((level) => ACCESS_CLASSES.every((name) => access[name] === LEVEL_ACCESS[level][name])) ??
    "custom"
  );
}

/** session: until it is closed. workspace: in this project, on this machine. always: in the user's settings. */
export const allowScopeSchema = z.enum(["session", "workspace", "always"]);
export type AllowScope = z.infer<typeof allowScopeSchema>;

export interface AllowedEntry {
  /** A command as in the allow list, or an MCP server and its tool. */
  entry: string;
  scope: AllowScope;
}
