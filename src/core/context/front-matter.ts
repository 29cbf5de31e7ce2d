/** Reads the front matter of a Markdown rules file: the subset of YAML that states which files a rule applies to. */

const KEYS = /^(?:paths|globs|applyTo)\s*:\s*(.*)$/;

/** `paths`: patterns under `paths`, `globs` or `applyTo`, in any list form. `text`: the content after the front matter. */
export function readFrontMatter(content: string): { text: string; paths: string[] } {
  const head = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(content);
  if (!head) return { text: content, paths: [] };
  const text = content.slice(head[0].length);
  const lines = (head[1] ?? "").split(/\r?\n/);
  // In Cursor's rules, `alwaysApply` overrides the patterns.
  if (lines.some((line) => /^alwaysApply\s*:\s*true\b/.test(line))) return { text, paths: [] };
  const paths: string[] = [];
  let listing = false;
  for (const line of lines) {
    const key = KEYS.exec(line);
    if (key) {
      paths.push(...valuesOf(key[1] ?? ""));
      listing = true;
      continue;
    }
    const item = /^\s*-\s+(.*)$/.exec(line);
    if (item && listing) paths.push(...valuesOf(item[1] ?? ""));
    else listing = false;
  }
  return { text, paths: paths.filter((path) => path !== "" && path !== "**" && path !== "**/*") };
}

/** Parses `a`, `"a"`, `a, b` or `[a, "b"]`; a comma within braces is part of the pattern. */
function valuesOf(value: string): string[] {
  const list = value
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^(["'])([^"']*)\1$/, "$2");
  return list
    .split(/,(?![^{]*\})/)
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((item) => item !== "");
}
