/** `.nekodeignore` and `.gitignore` rules. */
import ignore, { type Ignore } from "ignore";

/** One rules file: its folder (relative to the root, "" for the root, with `/`) and its text. */
export interface IgnoreFile {
  folder: string;
  text: string;
}

export interface IgnoreRules {
  /**
   * Whether the rules match this path: relative to the root, with `/` (or `\`), a folder with a trailing `/`. Paths
   * outside the root never match.
   */
  ignores(path: string): boolean;
}

/**
 * Combines the rules of several files. Those of a deeper folder take precedence; `!` re-includes. Never throws for any
 * text.
 */
export function createIgnoreRules(files: IgnoreFile[]): IgnoreRules {
  const rules = files
    .map((file) => ({ folder: file.folder.replace(/\/+$/, ""), matcher: compile(file.text) }))
    .sort(
      (a, b) => a.folder.split("/").length - b.folder.split("/").length || a.folder.length - b.folder.length,
    );
  return {
    ignores(path) {
      const clean = normal(path);
      if (clean === undefined) return false;
      const parts = clean.split("/").filter((part) => part !== "");
      // As in git, a file in an ignored folder cannot be re-included: each parent folder is checked first.
      for (let i = 1; i <= parts.length; i++) {
        const isLast = i === parts.length;
        const name = parts.slice(0, i).join("/") + (isLast && !clean.endsWith("/") ? "" : "/");
        if (named(name, rules)) return true;
      }
      return false;
    },
  };
}

function named(path: string, rules: { folder: string; matcher: Ignore }[]): boolean {
  let ignored = false;
  for (const { folder, matcher } of rules) {
    if (folder !== "" && !path.startsWith(`${folder}/`)) continue;
    const below = folder === "" ? path : path.slice(folder.length + 1);
    if (below === "") continue;
    const result = matcher.test(below);
    if (result.ignored) ignored = true;
    else if (result.unignored) ignored = false;
  }
  return ignored;
}

function compile(text: string): Ignore {
  const matcher = ignore({ ignorecase: true });
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    try {
      matcher.add(line);
      matcher.test("probe");
    } catch {
      // As in git, a pattern that is not a valid regular expression matches nothing.
    }
  }
  return matcher;
}

/** Returns a relative path with `/`, without `.` and `..`; undefined if it leaves the root. */
function normal(path: string): string | undefined {
  const slashes = path.replaceAll("\\", "/");
  if (slashes.startsWith("/") || /^[A-Za-z]:/.test(slashes)) return undefined;
  const out: string[] = [];
  for (const part of slashes.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (out.pop() === undefined) return undefined;
    } else out.push(part);
  }
  return out.length === 0 ? undefined : out.join("/") + (slashes.endsWith("/") ? "/" : "");
}
