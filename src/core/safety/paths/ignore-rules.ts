/** `.nekodeignore` and `.gitignore` rules. */
import ignore, { type Ignore } from "ignore";

/** One rules file: the folder it stands in (relative to the root, "" for the root, with `/`) and its text. */
export interface IgnoreFile {
  folder: string;
  text: string;
}

export interface IgnoreRules {
  /**
   * Whether the rules name this path: relative to the root, with `/` (or `\`), a folder with a trailing `/`.
   * Paths outside the root are never named.
   */
  ignores(path: string): boolean;
}

/** Rules of several files; those of a deeper folder override, `!` brings back. Never throws for any text. */
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
      // A file in an ignored folder cannot be brought back, as in git: each folder above is asked first.
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
      // A pattern that makes no regular expression names nothing, as in git.
    }
  }
  return matcher;
}

/** Relative, with `/`, without `.` and `..`; undefined when it leaves the root. */
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
