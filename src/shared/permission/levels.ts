/**
 * Levels of permission: what runs without asking. A level stands for access classes of `nekode.approval.*`; a session may also
 * have classes that differ from its level. What must always ask (protected files, denied commands, changed tools) asks at
 * every level.
 */
import * as z from "zod";

export const LEVELS = ["ask", "edits", "safe", "all"] as const;
export const levelSchema = z.enum(LEVELS);
export type Level = z.infer<typeof levelSchema>;

/** The access classes, by their names in `nekode.approval.*`. */
export const ACCESS_CLASSES = [
  "read",
  "readOutside",
  "edit",
  "editOutside",
  "commandSafe",
  "commandAll",
  "web",
  "mcp",
] as const;
export const accessClassSchema = z.enum(ACCESS_CLASSES);
export type AccessClass = z.infer<typeof accessClassSchema>;

/** Which classes run without asking. */
export const accessSchema = z.object({
  read: z.boolean(),
  readOutside: z.boolean(),
  edit: z.boolean(),
  editOutside: z.boolean(),
  commandSafe: z.boolean(),
  commandAll: z.boolean(),
  web: z.boolean(),
  mcp: z.boolean(),
}) satisfies z.ZodType<Record<AccessClass, boolean>>;
export type AccessSettings = z.infer<typeof accessSchema>;

const NOTHING: AccessSettings = {
  read: false,
  readOutside: false,
  edit: false,
  editOutside: false,
  commandSafe: false,
  commandAll: false,
  web: false,
  mcp: false,
};

/** The classes that each level lets run without asking. */
export const LEVEL_ACCESS: Readonly<Record<Level, AccessSettings>> = {
  ask: { ...NOTHING, read: true },
  edits: { ...NOTHING, read: true, edit: true },
  safe: { ...NOTHING, read: true, edit: true, commandSafe: true },
  all: {
    read: true,
    readOutside: true,
    edit: true,
    editOutside: true,
    commandSafe: true,
    commandAll: true,
    web: true,
    mcp: true,
  },
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
