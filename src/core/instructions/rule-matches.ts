/** Whether the files of a project match the patterns of a rules file or a skill. */
import { createIgnoreRules } from "./ignore-rules.ts";

/** Patterns that the braces of one pattern may expand to. */
const MOST_CHOICES = 50;

/** Whether one of the files matches one of the patterns. */
export function concerns(paths: readonly string[], listed: readonly string[]): boolean {
  return firstMatch(paths, listed) !== undefined;
}

/** The first of the files that matches one of the patterns. */
export function firstMatch(paths: readonly string[], listed: readonly string[]): string | undefined {
  const matcher = createIgnoreRules([{ folder: "", text: paths.flatMap(withoutBraces).join("\n") }]);
  return listed.find((path) => matcher.ignores(path));
}

/** Expands `*.{ts,tsx}` to `*.ts` and `*.tsx`. */
function withoutBraces(pattern: string): string[] {
  let patterns = [pattern];
  while (patterns.length < MOST_CHOICES) {
    const next = patterns.flatMap((each) => {
      const group = /\{([^{}]*)\}/.exec(each);
      if (!group) return [each];
      const before = each.slice(0, group.index);
      const after = each.slice(group.index + group[0].length);
      return (group[1] ?? "").split(",").map((choice) => `${before}${choice}${after}`);
    });
    if (next.length === patterns.length && next.every((each, index) => each === patterns[index])) break;
    patterns = next;
  }
  return patterns.slice(0, MOST_CHOICES);
}
