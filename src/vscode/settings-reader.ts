/** Makes Settings of whatever values an editor's configuration holds: what does not fit falls back to its default. */
import type * as z from "zod";
import { defaultSettings, machineScoped, type Settings, settingsSchema } from "../shared/settings.ts";
import type { Translate } from "../shared/words/task-words.ts";

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
  /** An entry of a list or an object, which was left out; the others hold. */
  isEntry: boolean;
}

/** Every setting's key as the editor knows it, without the `nekode.` prefix. */
export const settingKeys: readonly string[] = Object.entries(defaultSettings).flatMap(([section, value]) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.keys(value).map((name) => `${section}.${name}`)
    : [section],
);

/** Whether a workspace may not set this one; see `machineScoped` for the reasons. */
export function isMachineScoped(key: string): boolean {
  return machineScoped.some((entry) => (entry.endsWith(".") ? key.startsWith(entry) : key === entry));
}

/** Lists of which a workspace's does not take the place of the person's. */
const addsUp: ReadonlySet<string> = new Set(["context.rulesOff"]);

/** The user's list and a workspace's. A workspace cannot name the user's own rules, which begin with `~`. */
function both(own: unknown, workspace: unknown): unknown {
  const theirs = Array.isArray(workspace)
    ? workspace.filter((entry) => typeof entry !== "string" || !entry.startsWith("~"))
    : workspace;
  return Array.isArray(own) && Array.isArray(theirs) ? [...own, ...theirs] : (theirs ?? own);
}

/** Reads every setting. `trusted` false: values that come from the workspace are left out altogether. */
export function readSettings(
  inspect: (key: string) => Inspected | undefined,
  trusted: boolean,
): { settings: Settings; bad: BadSetting[] } {
  const values = new Map<string, unknown>();
  for (const key of settingKeys) {
    const found = inspect(key);
    const fromWorkspace =
      trusted && !isMachineScoped(key) ? (found?.workspaceFolderValue ?? found?.workspaceValue) : undefined;
    const value = addsUp.has(key)
      ? both(found?.globalValue, fromWorkspace)
      : (fromWorkspace ?? found?.globalValue);
    if (value !== undefined) values.set(key, value);
  }
  const bad = new Map<string, BadSetting>();
  const parsed = settingsSchema.safeParse(nested(values));
  // The last first: what is taken out of a list moves those behind it.
  for (const issue of parsed.error?.issues.toReversed() ?? []) {
    const path = issue.path.map(String);
    const key = settingKeys.find((known) => `${path.join(".")}.`.startsWith(`${known}.`));
    if (key === undefined) continue;
    const isEntry = path.length > key.split(".").length;
    bad.set(key, { key, issue, isEntry });
    if (isEntry) values.set(key, without(values.get(key), path.at(-1) ?? ""));
    else values.delete(key);
  }
  return { settings: settingsSchema.parse(nested(values)), bad: [...bad.values()].reverse() };
}

/** A list or an object without one of its entries. */
function without(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.filter((_, index) => String(index) !== name);
  return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => key !== name));
}

/** What is expected in place of a value that does not fit, as a sentence. */
export function expectedText(t: Translate, issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeText(t, issue.expected);
    case "too_small":
      return t("The least is {0}.", Number(issue.minimum));
    case "too_big":
      return t("The most is {0}.", Number(issue.maximum));
    case "invalid_value":
      return t("It is one of: {0}.", issue.values.join(", "));
    default:
      return "";
  }
}

function typeText(t: Translate, expected: string): string {
  switch (expected) {
    case "int":
      return t("A whole number is expected.");
    case "number":
      return t("A number is expected.");
    case "boolean":
      return t("true or false is expected.");
    case "array":
      return t("A list is expected.");
    case "object":
    case "record":
      return t("An object is expected.");
    default:
      return t("A text is expected.");
  }
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
