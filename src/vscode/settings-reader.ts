/** Makes Settings of whatever values an editor's configuration holds: what does not fit falls back to its default. */
import { defaultSettings, machineScoped, type Settings, settingsSchema } from "../shared/settings.ts";

/** A setting's value by where it was set; undefined: not set there. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface BadSetting {
  /** Without the `nekode.` prefix. */
  key: string;
  reason: string;
}

/** Every setting's key as the editor knows it, without the `nekode.` prefix. */
export const settingKeys: readonly string[] = Object.entries(defaultSettings).flatMap(([section, value]) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.keys(value).map((name) => `${section}.${name}`)
    : [section],
);

/** A workspace may not set this one: it decides where the key goes, what runs or what is approved. */
export function isMachineScoped(key: string): boolean {
  return machineScoped.some((prefix) => key.startsWith(prefix));
}

/** Lists of which a workspace's does not take the place of the person's. */
const addsUp: ReadonlySet<string> = new Set(["context.rulesOff"]);

function both(first: unknown, second: unknown): unknown {
  return Array.isArray(first) && Array.isArray(second) ? [...first, ...second] : (second ?? first);
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
  const parsed = settingsSchema.safeParse(nested(values));
  if (parsed.success) return { settings: parsed.data, bad: [] };
  const bad = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const path = issue.path.map(String);
    const key = settingKeys.find(
      (known) => path.join(".") === known || path.join(".").startsWith(`${known}.`),
    );
    if (key !== undefined && !bad.has(key)) bad.set(key, issue.message);
  }
  for (const key of bad.keys()) values.delete(key);
  return {
    settings: settingsSchema.parse(nested(values)),
    bad: [...bad].map(([key, reason]) => ({ key, reason })),
  };
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
