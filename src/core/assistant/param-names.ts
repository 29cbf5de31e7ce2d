import { normalise } from "./spelling.ts";

/** What the names of a tool's parameters mean: by each name without case and joints, the tool's own. */
export type Meanings = ReadonlyMap<string, string>;

/** `own`: the tool's names; `others`: other names under which models know them. */
export function meaningsOf(
  own: readonly string[],
  others: Readonly<Record<string, readonly string[]>> = {},
): Meanings {
  const meanings = new Map<string, string>();
  const add = (name: string, meant: string) => {
    const plain = normalise(name);
    if (!meanings.has(plain)) meanings.set(plain, meant);
  };
  for (const name of own) add(name, name);
  for (const name of own) for (const other of others[name] ?? []) add(other, name);
  return meanings;
}

/**
 * The parameters under the tool's own names, `own`: those in another case or spelling, and those that have one meaning
 * here. A parameter that the call has already is never replaced; anything else stays as it is and is an error later.
 */
export function withOwnNames(
  params: Readonly<Record<string, unknown>>,
  own: readonly string[],
  meanings: Meanings,
): Record<string, unknown> {
  const named = Object.entries(params).map(([name, value]): [string, unknown] => {
    if (own.includes(name)) return [name, value];
    const meant = meanings.get(normalise(name));
    const free = meant !== undefined && !(meant in params);
    return [free ? meant : name, value];
  });
  // Two names for one parameter: which of them is meant cannot be told.
  const twice = new Set(named.map(([name]) => name)).size < named.length;
  return twice ? { ...params } : Object.fromEntries(named);
}
