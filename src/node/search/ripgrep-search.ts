/** The `Search` port by ripgrep. */
import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import ignore from "ignore";
import { ToolError } from "../../core/errors.ts";
import type { Search, SearchHit } from "../../core/ports/search.ts";
import { createIgnoreRules, type IgnoreRules } from "../../core/safety/paths/ignore-rules.ts";
import { secretName } from "../../core/safety/paths/secret-names.ts";
import { nodeFiles, readable } from "../files/disk-files.ts";
import { expandBraces } from "./braces.ts";
import { findRipgrep, runRipgrep } from "./ripgrep.ts";
import { type RipgrepEvent, RipgrepReader } from "./ripgrep-json.ts";

/** Characters shown of one line, around its first match where it is longer. */
const lineLimit = 380;
/** Characters of all lines of one answer. */
const answerLimit = 400_000;

/** Dot files are searched like others; git's own folder never. Ignore files count outside of repositories too. */
const scope = ["--hidden", "--glob=!**/.git/**", "--no-require-git"];

export interface SearchOptions {
  /** The workspace's folders; `.nekodeignore` stands in them. */
  roots: readonly string[];
  /** Path of the program; looked for when left out. */
  rgPath?: string | undefined;
  /** Folders at or above which `node_modules` may hold it. */
  near?: readonly string[];
}

export function createSearch({ roots, rgPath, near = [] }: SearchOptions): Search {
  let program: Promise<string> | undefined;
  const ripgrep = (): Promise<string> => {
    program ??= findRipgrep(rgPath, near, process.env, roots);
    // Not remembered: it may be installed by the time of the next search.
    program.catch(() => {
      program = undefined;
    });
    return program;
  };

  return {
    async grep(root, { regex, glob, contextLines, limit, signal }) {
      const place = await placeOf(root, roots);
      const wanted = globOptions(glob);
      const collector = new Collector(place, wanted.accepts, limit);
      const reader = new RipgrepReader();
      const end = await runRipgrep(
        await ripgrep(),
        [
          "--json",
          "--crlf",
          `--context=${contextLines}`,
          ...scope,
          ...place.ignoreArgs,
          ...wanted.args,
          `--regexp=${regex}`,
          "--",
          place.target,
        ],
        place.cwd,
        signal,
        (chunk) => reader.push(chunk).every((event) => collector.take(event)),
      );
      if (!end.stopped && !collector.complete) {
        throw new ToolError(end.errors.replace(/^rg: /, "").trim() || "ripgrep ended without an answer.");
      }
      const unread = unreadOf(end.errors);
      return { ...(await collector.result()), ...(unread.length === 0 ? {} : { unread }) };
    },

    async files(root, { limit, signal }) {
      const place = await placeOf(root, roots);
      const paths: string[] = [];
      let rest = "";
      let more = false;
      const decoder = new TextDecoder();
      const end = await runRipgrep(
        await ripgrep(),
        ["--files", "--null", ...scope, ...place.ignoreArgs, "--", place.target],
        place.cwd,
        signal,
        (chunk) => {
          const names = (rest + decoder.decode(chunk, { stream: true })).split("\0");
          rest = names.pop() ?? "";
          for (const name of names) {
            const file = place.relative(name);
            if (place.ignores(file)) continue;
            if (paths.length === limit) {
              more = true;
              return false;
            }
            paths.push(file);
          }
          return true;
        },
      );
      if (!end.stopped && end.exitCode === 2 && paths.length === 0) {
        throw new ToolError(end.errors.replace(/^rg: /, "").trim());
      }
      return { paths: paths.sort(), more };
    },
  };
}

/** What ripgrep could not open, in its words; not what else it had to say. */
function unreadOf(errors: string): string[] {
  return errors
    .split("\n")
    .filter((line) => /\(os error \d+\)$/.test(line))
    .map((line) => line.replace(/^rg: (?:\.[/\\])?/, ""));
}

/** Where a search runs, and what its paths are relative to. */
interface Place {
  root: string;
  cwd: string;
  /** What is searched, as an argument. */
  target: string;
  ignoreArgs: string[];
  /** ripgrep's name of a file, relative to the searched folder, with `/`. */
  relative(name: string): string;
  ignores(relative: string): boolean;
  /** Whether the file may hold secrets by its whole path, and not by what is left of it below the searched folder. */
  isSecret(relative: string): boolean;
}

/** By real paths: what an ignore file says of `/private` holds for `link/private` too. */
async function placeOf(named: string, namedRoots: readonly string[]): Promise<Place> {
  const found = await stat(named).catch((error: unknown) => {
    throw readable(error, named);
  });
  // ripgrep would wait for what such a one never says.
  if (!found.isDirectory() && !found.isFile())
    throw new ToolError(`${named} is a pipe, a socket or a device; only files and folders can be searched.`);
  const root = await realpath(named);
  const roots = await Promise.all(namedRoots.map((each) => realpath(each).catch(() => each)));
  const base = found.isDirectory() ? root : path.dirname(root);
  const homes = roots.filter((folder) => isInside(folder, base));
  const workspace = homes[0] ?? base;
  const rules = await rulesOf(workspace);
  const target = `.${path.sep}${path.relative(workspace, root)}`;
  const relative = (name: string) => slashed(path.relative(base, path.resolve(workspace, name)));
  const fromRoot = (file: string) => slashed(path.relative(workspace, path.join(base, file)));
  // The user was asked about exactly this file or folder.
  const isAsked = mayBeSecret(root, homes);
  return {
    root: base,
    // Patterns of an ignore file that is named as an option are relative to the current folder.
    cwd: workspace,
    target,
    ignoreArgs: rules ? [`--ignore-file=${path.join(workspace, ".nekodeignore")}`] : [],
    relative,
    // Once more, for ripgrep lets a .gitignore bring back what this file names.
    ignores: (file) => rules?.ignores(fromRoot(file)) ?? false,
    isSecret: (file) => !isAsked && mayBeSecret(path.join(base, file), homes),
  };
}

/** By its path below each folder of the workspace that it is in, else by its whole path. */
function mayBeSecret(file: string, homes: readonly string[]): boolean {
  const names = homes.length === 0 ? [file] : homes.map((home) => path.relative(home, file));
  return names.some((name) => secretName(name) !== undefined);
}

function isInside(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way === "" || (way.split(path.sep)[0] !== ".." && !path.isAbsolute(way));
}

function slashed(file: string): string {
  return file.split(path.sep).join("/");
}

async function rulesOf(folder: string): Promise<IgnoreRules | undefined> {
  const file = path.join(folder, ".nekodeignore");
  if ((await nodeFiles.stat(file)) === undefined) return undefined;
  // As the file tools read it: PowerShell writes UTF-16. One that cannot be read refuses the search.
  const { text } = await nodeFiles.readText(file);
  return createIgnoreRules([{ folder: "", text }]);
}

/**
 * A glob limits the files, and must not bring back ignored ones, as ripgrep's own `--glob` would: one for names becomes
 * a file type, one with folders is matched here.
 */
function globOptions(glob: string | undefined): { args: string[]; accepts(relative: string): boolean } {
  const all = () => true;
  if (glob === undefined || glob.trim() === "") return { args: [], accepts: all };
  const globs = expandBraces(glob.trim()).flatMap((one) => one.split(/\s*,\s*/));
  if (globs.every((one) => one.startsWith("!"))) {
    return { args: globs.map((one) => `--glob=${one}`), accepts: all };
  }
  if (globs.every((one) => !/[!/\\]/.test(one))) {
    return { args: [...globs.map((one) => `--type-add=wanted:${one}`), "--type=wanted"], accepts: all };
  }
  const matcher = ignore().add(globs.map((one) => one.replaceAll("\\", "/").replace(/^\.\//, "/")));
  return { args: [], accepts: (file) => matcher.ignores(file) };
}

type CollectedLine = SearchHit["lines"][number] | { number: number; match: boolean; offset: number };

class Collector {
  complete = false;
  readonly #place: Place;
  readonly #accepts: (relative: string) => boolean;
  readonly #limit: number;
  readonly #hits: { path: string; lines: CollectedLine[] }[] = [];
  #current: { path: string; lines: CollectedLine[] } | undefined;
  #matches = 0;
  #size = 0;
  #more = false;

  constructor(place: Place, accepts: (relative: string) => boolean, limit: number) {
    this.#place = place;
    this.#accepts = accepts;
    this.#limit = limit;
  }

  /** false: enough. */
  take(event: RipgrepEvent): boolean {
    switch (event.type) {
      case "begin": {
        const file = this.#place.relative(event.path);
        const isShown = this.#accepts(file) && !this.#place.ignores(file) && !this.#place.isSecret(file);
        this.#current = isShown ? { path: file, lines: [] } : undefined;
        return true;
      }
      case "summary":
        this.complete = true;
        return true;
      default:
        return this.#line(event);
    }
  }

  async result(): ReturnType<Search["grep"]> {
    const hits: SearchHit[] = [];
    for (const { path: file, lines } of this.#hits) {
      hits.push({ path: file, lines: await Promise.all(lines.map((line) => this.#shown(file, line))) });
    }
    hits.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { hits, matches: this.#matches, more: this.#more };
  }

  #line(event: Extract<RipgrepEvent, { match: boolean }>): boolean {
    const file = this.#current;
    if (!file) return true;
    if (event.match && (this.#matches === this.#limit || this.#size > answerLimit)) {
      this.#more = true;
      return false;
    }
    if (event.match) this.#matches += 1;
    const { number, match } = event;
    if (event.type === "long-line") file.lines.push({ number, match, offset: event.offset });
    else file.lines.push({ number, match, text: clip(event.text, event.start) });
    this.#size += event.type === "line" ? Math.min(event.text.length, lineLimit) : lineLimit;
    // A file counts with its first match; what comes before is that match's context.
    if (event.match && this.#hits.at(-1) !== file) this.#hits.push(file);
    return true;
  }

  async #shown(file: string, line: CollectedLine): Promise<SearchHit["lines"][number]> {
    if ("text" in line) return line;
    const text = await readAround(path.join(this.#place.root, file), line.offset).catch(() => "");
    return { number: line.number, match: line.match, text };
  }
}

/** The part of a line around its match. */
function clip(text: string, start: number): string {
  if (text.length <= lineLimit) return text;
  const from = Math.max(0, Math.min(start - lineLimit / 4, text.length - lineLimit));
  const to = Math.min(text.length, from + lineLimit);
  return `${from > 0 ? "..." : ""}${wellFormed(text.slice(from, to))}${to < text.length ? "..." : ""}`;
}

/** Without the halves of characters that a cut leaves at its ends. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

async function readAround(file: string, offset: number): Promise<string> {
  // A pipe may have taken the file's place, and would keep whoever opens it waiting.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const from = Math.max(0, offset - lineLimit / 4);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(lineLimit), 0, lineLimit, from);
    const text = buffer
      .subarray(0, bytesRead)
      .toString("utf8")
      .replace(/^\ufffd+|\ufffd+$/g, "");
    return `${from > 0 ? "..." : ""}${text.split(/\r?\n/)[0] ?? ""}...`;
  } finally {
    await handle.close();
  }
}
