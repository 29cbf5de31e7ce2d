import { normalize } from "./spelling.ts";

/** The parameter that every tool accepts in addition to its own: the todo list after the call. */
export const PROGRESS_PARAM = "task_progress";

/** The parameter names that a tool accepts: each name without case and separators, mapped to the tool's own name. */
export type ParamAliases = ReadonlyMap<string, string>;

/** `own`: the tool's names; `others`: other names that models use for them. */
export function paramAliases(
  own: readonly string[],
  others: Readonly<Record<string, readonly string[]>> = {},
): ParamAliases {
  const aliases = new Map<string, string>();
  const add = (name: string, meant: string) => {
    const plain = normalize(name);
    if (!aliases.has(plain)) aliases.set(plain, meant);
  };
  for (const name of own) add(name, name);
  for (const name of own) for (const other of others[name] ?? []) add(other, name);
  return aliases;
}

/**
 * Returns the parameters under the tool's own names, `own`. Renames those in another case or spelling, and those with a
 * single meaning here. A parameter that the call already has is never replaced. Other names stay unchanged and cause an
 * error later.
 */
export function withOwnNames(
  params: Readonly<Record<string, unknown>>,
  own: readonly string[],
  aliases: ParamAliases,
): Record<string, unknown> {
  const named = Object.entries(params).map(([name, value]): [string, unknown] => {
    if (own.includes(name)) return [name, value];
    const meant = aliases.get(normalize(name));
    const free = meant !== undefined && !(meant in params);
    return [free ? meant : name, value];
  });
  // Two names for one parameter: it is ambiguous which is meant.
  const twice = new Set(named.map(([name]) => name)).size < named.length;
  return twice ? { ...params } : Object.fromEntries(named);
}
