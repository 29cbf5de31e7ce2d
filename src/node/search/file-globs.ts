/** Selects the files of a search by the model's glob. */
import ignore from "ignore";

export interface FileGlob {
  /** Options of ripgrep. */
  args: string[];
  /** What the options do not express. `relative`: to the searched folder, with `/`. */
  accepts(relative: string): boolean;
  /** The same together with what the options express, for files that ripgrep does not choose. */
  fits(relative: string): boolean;
}

/**
 * A glob limits the files and must not re-include ignored ones, as ripgrep's `--glob` would. A glob for names therefore
 * becomes a file type, and a glob with folders is matched here.
 */
export function fileGlob(glob: string | undefined): FileGlob {
  const all = () => true;
  if (isEmptyGlob(glob)) return { args: [], accepts: all, fits: all };
  const globs = partsOf(glob);
  if (globs.every((one) => one.startsWith("!"))) {
    const excludes = globMatcher(glob);
    return { args: globs.map((one) => `--glob=${one}`), accepts: all, fits: (file) => !excludes(file) };
  }
  if (globs.every((one) => !/[!/\\]/.test(one))) {
    const args = [...globs.map((one) => `--type-add=wanted:${one}`), "--type=wanted"];
    return { args, accepts: all, fits: matcherOf(globs) };
  }
  const accepts = matcherOf(globs);
  return { args: [], accepts, fits: accepts };
}

export function isEmptyGlob(glob: string | undefined): glob is undefined {
  return glob === undefined || glob.trim() === "";
}

/** Globs that only exclude leave files in any case. */
export function onlyExcludes(glob: string): boolean {
  return partsOf(glob).every((one) => one.startsWith("!"));
}

/** Whether the glob matches the file, either to include or to exclude it. */
export function globMatcher(glob: string): (relative: string) => boolean {
  return matcherOf(partsOf(glob).map((one) => one.replace(/^!/, "")));
}

/** Groups of brackets whose readings are all tried; with more, brackets are all literal or all classes. */
const MOST_GROUPS = 4;

/**
 * The readings of a glob with brackets, which are classes of characters, but also parts of names such as `app/[id]`: those
 * with the most literal brackets first, the glob itself last.
 */
export function readingsOf(glob: string): string[] {
  const parts = glob.split(/(\[+[^\]/]*\]+)/);
  const groups = (parts.length - 1) / 2;
  const all = 2 ** groups - 1;
  const choices = groups > MOST_GROUPS ? [-1, 0] : Array.from({ length: all + 1 }, (_, n) => all - n);
  const literals = (choice: number) => choice.toString(2).replaceAll("0", "").length;
  return choices
    .sort((a, b) => literals(b) - literals(a))
    .map((choice) =>
      parts
        .map((part, at) =>
          at % 2 === 1 && (choice === -1 || (choice >> ((at - 1) / 2)) % 2 === 1)
            ? part.replaceAll("[", "[[]")
            : part,
        )
        .join(""),
    );
}

function partsOf(glob: string): string[] {
  return expandBraces(glob.trim()).flatMap((one) => one.split(/\s*,\s*/));
}

function matcherOf(globs: readonly string[]): (relative: string) => boolean {
  const matcher = ignore().add(globs.map((one) => one.replaceAll("\\", "/").replace(/^\.\//, "/")));
  return (relative) => matcher.ignores(relative);
}

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
