/** Converts an editor's configuration values to Settings: invalid values fall back to their defaults. */
import { defaultSettings, type Settings, settingsSchema, WORKSPACE_SETTINGS } from "../shared/settings.ts";
import type * as z from "../shared/zod.ts";

/** A setting's value by where it was set; undefined: not set there. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface BadSetting {
  /** Without the `nekode.` prefix. */
  key: string;
  issue: z.core.$ZodIssue;
  /** The invalid entry of a list or an object, which was left out; the others apply. */
  entry?: string;
}

/** The keys of all settings in the editor, without the `nekode.` prefix. */
export const settingKeys: readonly string[] = Object.entries(defaultSettings).flatMap(([section, value]) =>
  // A section that is empty by default is a single setting, whose entries the user names.
  value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.keys(value).map((name) => `${section}.${name}`)
    : [section],
);

/** Whether a workspace may not set this setting; `WORKSPACE_SETTINGS` has the reasons. */
export function isMachineScoped(key: string): boolean {
  return !WORKSPACE_SETTINGS.includes(key);
}

/** Lists for which the workspace's entries are added to the user's instead of replacing them. */
const ADDS_UP: ReadonlySet<string> = new Set(["context.rulesOff"]);

/** Combines the user's list and the workspace's. A workspace cannot name the user's own rules, which begin with `~`. */
function combined(own: unknown, workspace: unknown): unknown {
  const theirs = Array.isArray(workspace)
    ? workspace.filter((entry) => typeof entry !== "string" || !entry.startsWith("~"))
    : workspace;
  return Array.isArray(own) && Array.isArray(theirs) ? [...own, ...theirs] : (theirs ?? own);
}

/** Reads every setting. `trusted` false: all workspace values are ignored. */
export function readSettings(
  inspect: (key: string) => Inspected | undefined,
  trusted: boolean,
): { settings: Settings; bad: BadSetting[] } {
  const values = configuredValues(inspect, trusted);
  const bad = removeInvalid(values);
  return { settings: settingsSchema.parse(nested(values)), bad };
}

/** The values that apply, by the keys of their settings. */
function configuredValues(
  inspect: (key: string) => Inspected | undefined,
  trusted: boolean,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const key of settingKeys) {
    const scopes = inspect(key);
    const fromWorkspace =
      trusted && !isMachineScoped(key) ? (scopes?.workspaceFolderValue ?? scopes?.workspaceValue) : undefined;
    const value = ADDS_UP.has(key)
      ? combined(scopes?.globalValue, fromWorkspace)
      : (fromWorkspace ?? scopes?.globalValue);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

/** Removes invalid values, or just the invalid entries of lists and objects, and returns what was wrong. */
function removeInvalid(values: Map<string, unknown>): BadSetting[] {
  const bad = new Map<string, BadSetting>();
  const removed = new Set<string>();
  const parsed = settingsSchema.safeParse(nested(values));
  // Last entry first: removing an entry shifts those after it.
  for (const issue of parsed.error?.issues.toReversed() ?? []) {
    const path = issue.path.map(String);
    const key = settingKeys.find((known) => `${path.join(".")}.`.startsWith(`${known}.`));
    if (key === undefined) continue;
    const entry = path[key.split(".").length];
    bad.set(key, { key, issue, ...(entry === undefined ? {} : { entry: entryName(entry, path.at(-1)) }) });
    if (entry === undefined) values.delete(key);
    // One entry can have several faults.
    else if (!removed.has(`${key}/${entry}`)) values.set(key, without(values.get(key), entry));
    removed.add(`${key}/${entry}`);
  }
  return [...bad.values()].reverse();
}

/** `inner`: what is wrong within the entry. Entries of lists are counted from 1. */
function entryName(entry: string, inner: string | undefined): string {
  const name = /^\d+$/.test(entry) ? String(Number(entry) + 1) : entry;
  return inner === undefined || inner === entry ? name : `${name}: ${inner}`;
}

/** A list or an object without one of its entries. */
function without(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.filter((_, index) => String(index) !== name);
  return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => key !== name));
}

function nested(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  const sections = new Map<string, Record<string, unknown>>();
  for (const [key, value] of values) {
    const [section = "", name] = key.split(".");
    if (name === undefined) {
      root[section] = value;
      continue;
    }
    const inner = sections.get(section) ?? {};
    inner[name] = value;
    sections.set(section, inner);
    root[section] = inner;
  }
  return root;
}
