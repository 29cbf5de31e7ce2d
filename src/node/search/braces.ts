/** Expands `*.{ts,tsx}` to `*.ts` and `*.tsx`, as shells do; about 64 patterns at most. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const group = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (!group || done.length + open.length >= 64) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, group.index);
    const after = next.slice(group.index + group[0].length);
    for (const choice of (group[1] ?? "").split(",")) open.push(before + choice + after);
  }
  return done;
}
