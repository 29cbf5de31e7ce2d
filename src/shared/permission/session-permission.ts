/** The user's decisions for one session, which override the settings for all sessions. */
import type { Settings } from "../settings.ts";
import * as z from "../zod.ts";
import { ACCESS_CLASSES, type AccessClass, type AccessSettings, accessClassSchema } from "./levels.ts";

/**
 * `classes`: those that the user switched in this session; the settings decide about the others. `exceptions`: tools by their
 * name and servers by their `serverKey`, each with whether its calls run without asking; they take precedence over the classes.
 */
export const sessionPermissionSchema = z.object({
  classes: z.partialRecord(accessClassSchema, z.boolean()),
  exceptions: z.record(z.string().check(z.maxLength(300)), z.boolean()),
});
export type SessionPermission = z.infer<typeof sessionPermissionSchema>;

/** A change by the user. An exception that is null is removed; `exceptions: null` removes all of them. */
export const permissionChangeSchema = z.object({
  classes: z.optional(z.partialRecord(accessClassSchema, z.boolean())),
  exceptions: z.optional(z.nullable(z.record(z.string().check(z.maxLength(300)), z.nullable(z.boolean())))),
});
export type PermissionChange = z.infer<typeof permissionChangeSchema>;

export const NO_PERMISSION: SessionPermission = { classes: {}, exceptions: {} };

/** For a session whose stored permission cannot be read: everything asks. */
export const ASK_ALL: SessionPermission = {
  classes: Object.fromEntries(ACCESS_CLASSES.map((name) => [name, false])),
  exceptions: {},
};

/** Settings as they apply to one session. */
export interface SessionSettings extends Settings {
  /** As in `SessionPermission`. */
  exceptions?: Readonly<Record<string, boolean>>;
}

/** The key of a server in `exceptions`; a tool's name has no colon. */
export function serverKey(name: string): string {
  return `server:${name}`;
}

export function changedPermission(
  permission: SessionPermission,
  { classes = {}, exceptions = {} }: PermissionChange,
): SessionPermission {
  const next: Record<string, boolean> = exceptions === null ? {} : { ...permission.exceptions };
  for (const [name, runs] of Object.entries(exceptions ?? {})) {
    if (runs === null) delete next[name];
    else next[name] = runs;
  }
  return { classes: { ...permission.classes, ...classes }, exceptions: next };
}

/** The classes that apply, given those of the settings. */
export function accessOf(general: AccessSettings, permission: SessionPermission): AccessSettings {
  return { ...general, ...permission.classes };
}

export function settingsWith(settings: Settings, permission: SessionPermission): SessionSettings {
  return {
    ...settings,
    approval: { ...settings.approval, ...permission.classes },
    exceptions: permission.exceptions,
  };
}

/** The exception for a call of this tool, whose server has this name; undefined: the classes decide. */
export function exceptionFor(
  { exceptions = {} }: SessionSettings,
  tool: string | undefined,
  server: string | undefined,
): boolean | undefined {
  const own = (key: string | undefined) =>
    key !== undefined && Object.hasOwn(exceptions, key) ? exceptions[key] : undefined;
  return own(tool) ?? own(server === undefined ? undefined : serverKey(server));
}

/** The access of a tool's calls, as in `Access` of event.ts. */
type CallAccess = "read" | "edit" | "command" | "web" | "mcp" | "talk";

/** The class that decides about calls of this access, apart from exceptions. */
export function approvalClass(access: Exclude<CallAccess, "talk">): AccessClass {
  return access === "command" ? "commandSafe" : access;
}

type Approval = Settings["approval"];

/** The classes for a call that has an exception. An exception never covers commands that are not safe. */
export function approvalWith(approval: Approval, access: CallAccess, runs: boolean | undefined): Approval {
  if (runs === undefined) return approval;
  switch (access) {
    case "read":
      return { ...approval, read: runs };
    case "edit":
      return { ...approval, edit: runs };
    case "command":
      return runs
        ? { ...approval, commandSafe: true }
        : { ...approval, commandRead: false, commandSafe: false, commandAll: false };
    case "web":
      return { ...approval, web: runs };
    case "mcp":
      return { ...approval, mcp: runs };
    case "talk":
      // Calls that only talk to the user never ask.
      return approval;
  }
}
