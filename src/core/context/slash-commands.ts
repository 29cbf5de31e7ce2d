/** `/` commands in what a person types. */

/** `/compact` and `/smol`, alone or with a wish behind them; undefined for anything else. */
export function compactCommand(text: string): { focus: string } | undefined {
  const found = /^\s*\/(?:compact|smol)(?:\s+([\s\S]*))?$/.exec(text);
  return found ? { focus: (found[1] ?? "").trim() } : undefined;
}
