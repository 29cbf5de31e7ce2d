/** The `Search` port, implemented with ripgrep. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Search, SearchHit } from "../../core/ports/search.ts";
import { type EncodingNames, editorConfigNames } from "../files/encoding-names.ts";
import { type FileGlob, fileGlob, globMatcher, isEmptyGlob, onlyExcludes, readingsOf } from "./file-globs.ts";
import { DecodedTexts, decodeOthers, NOT_UTF8 } from "./other-encodings.ts";
import {
  acrossLines,
  adviceFrom,
  findRipgrep,
  needsOtherEngine,
  type RipgrepEnd,
  runRipgrep,
} from "./ripgrep.ts";
import { type RipgrepEvent, RipgrepReader } from "./ripgrep-json.ts";
import { type SearchScope, scopeOf } from "./search-scope.ts";
import { trackedButIgnored } from "./tracked-files.ts";

/** Characters shown of one line; of a longer line, the part around its first match. */
const LINE_LIMIT = 380;
/** Characters of all lines in one result. */
const RESULT_LIMIT = 400_000;

/** Searches dot files but never `.git` folders, and applies ignore files outside repositories too. */
const SCOPE = ["--hidden", "--glob=!**/.git/**", "--no-require-git"];

const FILES: readonly string[] = ["--files", "--null"];

/** Characters of arguments for one process; Windows allows 32,767. */
const ARGUMENTS_LIMIT = 20_000;

export interface SearchOptions {
  /** The workspace's folders, which may contain `.nekodeignore`. */
  roots: readonly string[];
  /** Path of ripgrep; default: it is searched for. */
  rgPath?: string | undefined;
  /** Folders at or above which `node_modules` may contain ripgrep. */
  near?: readonly string[];
  environment?: NodeJS.ProcessEnv;
  /** What names the encoding of a file; default: `.editorconfig`. */
  names?: EncodingNames;
}

export function createSearch(options: SearchOptions): Search {
  const { roots, rgPath, near = [], environment = process.env, names = editorConfigNames } = options;
  const decoded = new DecodedTexts(names);
  let program: Promise<string> | undefined;
  const ripgrep = (): Promise<string> => {
    program ??= findRipgrep(rgPath, near, environment, roots);
    // A failure is not cached, because ripgrep may be installed before the next search.
    program.catch(() => {
      program = undefined;
    });
    return program;
  };

  const tracked = (scope: SearchScope, signal: AbortSignal) => {
    // A file that was named itself is searched in any case.
    if (!scope.isFolder) return Promise.resolve([]);
    const files = trackedButIgnored(scope.root, { environment, roots, signal });
    // A failure is reported to callers that need the result. There may be none.
    files.catch(() => {});
    return files;
  };

  return {
    async grep(root, { regex, glob, multiline = false, contextLines, limit, signal }) {
      const scope = await scopeOf(root, roots);
      const list = (take: (file: string) => boolean, files = fileGlob(undefined)) =>
        listFiles({ ripgrep, scope, tracked: tracked(scope, signal), signal }, files, take);
      const reading = glob?.includes("[") ? await readingThatFits(glob, list) : glob;
      const filter = fileGlob(reading);
      const others = tracked(scope, signal);
      const suspects: string[] = [];
      const listing = { ripgrep, scope, tracked: others, signal };
      await listFiles(listing, filter, (file) => suspects.push(file) > 0, NOT_UTF8);
      const { texts, unread: undecoded } = await decodeOthers(scope.root, suspects, { decoded, signal });
      const run = async (engine: readonly string[]) => {
        let current: string | undefined;
        const collector = new Collector(
          scope,
          (file) => file === current || (filter.accepts(file) && !texts.has(file)),
          limit,
        );
        const args = argumentsFor({ regex, multiline, contextLines }, engine, scope);
        const search = async (more: readonly string[], input?: Buffer): Promise<RipgrepEnd> => {
          const reader = new RipgrepReader();
          const named = (event: RipgrepEvent): RipgrepEvent =>
            event.type === "begin" && current !== undefined
              ? { ...event, path: scope.argument(current) }
              : event;
          const take = (chunk: Buffer) => reader.push(chunk).every((event) => collector.take(named(event)));
          return runRipgrep(await ripgrep(), [...args, ...more], scope.cwd, signal, take, input);
        };
        const end = await search([...filter.args, "--", scope.target]);
        const failed = !end.stopped && !collector.complete;
        if (failed || end.stopped) return { end, collector, failed };
        const files = (await others).filter(filter.fits).map((file) => scope.argument(file));
        const passes: { target: readonly string[]; file?: string; text?: Buffer }[] = [
          ...portions(files).map((target) => ({ target })),
          ...[...texts].map(([file, text]) => ({ target: ["-"], file, text })),
        ];
        for (const { target, file, text } of passes) {
          current = file;
          if ((await search(["--", ...target], text)).stopped) break;
        }
        return { end, collector, failed };
      };
      const first = await run([]);
      const other = first.failed && needsOtherEngine(first.end.errors) ? await run(["--pcre2"]) : undefined;
      const { end, collector, failed } =
        other && !other.end.errors.includes("PCRE2 is not available") ? other : first;
      if (failed) throw new ToolError(adviceFrom(end.errors) || "ripgrep ended without an answer.");
      const unread = [...unreadOf(end.errors), ...undecoded];
      const result = await collector.result();
      const isFound = result.matches > 0 || isEmptyGlob(reading) || onlyExcludes(reading);
      const noFile = !isFound && !(await list(() => false, filter));
      return { ...result, ...(unread.length === 0 ? {} : { unread }), ...(noFile ? { noFile } : {}) };
    },

    async files(root, { limit, signal, name: wanted }) {
      const scope = await scopeOf(root, roots);
      const paths: string[] = [];
      const where = { ripgrep, scope, tracked: tracked(scope, signal), signal };
      const more = await listFiles(where, fileGlob(wanted), (file) => {
        if (paths.length === limit) return false;
        paths.push(file);
        return true;
      });
      return { paths: paths.sort(), more };
    },
  };
}

function argumentsFor(
  { regex, multiline, contextLines }: { regex: string; multiline: boolean; contextLines: number },
  engine: readonly string[],
  { ignoreArgs }: SearchScope,
): string[] {
  return [
    ...["--json", "--crlf", `--context=${contextLines}`, ...engine, ...(multiline ? ["--multiline"] : [])],
    ...[...SCOPE, ...ignoreArgs],
    `--regexp=${multiline ? acrossLines(regex) : regex}`,
  ];
}

interface Listing {
  ripgrep(): Promise<string>;
  scope: SearchScope;
  /** Files that an ignore file matches although Git tracks them. */
  tracked: Promise<readonly string[]>;
  signal: AbortSignal;
}

/**
 * Calls `take` with each file that is not ignored, relative to the searched folder, until it returns false. Resolves with
 * whether it did. Rejects with ToolError if ripgrep fails before the first file. `which`: options that choose the files.
 */
async function listFiles(
  { ripgrep, scope, tracked, signal }: Listing,
  { args, accepts, fits }: FileGlob,
  take: (file: string) => boolean,
  which: readonly string[] = FILES,
): Promise<boolean> {
  let rest = "";
  const taken = new Set<string>();
  const decoder = new TextDecoder();
  const end = await runRipgrep(
    await ripgrep(),
    [...which, ...SCOPE, ...scope.ignoreArgs, ...args, "--", scope.target],
    scope.cwd,
    signal,
    (chunk) => {
      const names = (rest + decoder.decode(chunk, { stream: true })).split("\0");
      rest = names.pop() ?? "";
      return names.every((name) => {
        const file = scope.relative(name);
        if (scope.ignores(file) || !accepts(file)) return true;
        taken.add(file);
        return take(file);
      });
    },
  );
  if (!end.stopped && end.exitCode === 2 && taken.size === 0 && which === FILES)
    throw new ToolError(end.errors.replace(/^rg: /, "").trim());
  if (end.stopped) return true;
  const others = (await tracked).filter((file) => !taken.has(file) && !scope.ignores(file) && fits(file));
  return !others.every(take);
}

/** The reading of a glob with brackets that names a file, the most literal of several; otherwise the glob itself. */
async function readingThatFits(
  glob: string,
  list: (take: (file: string) => boolean) => Promise<boolean>,
): Promise<string> {
  const readings = readingsOf(glob).map((text) => ({ text, names: globMatcher(text) }));
  let best = readings.length - 1;
  await list((file) => {
    const found = readings.findIndex(({ names }, index) => index < best && names(file));
    if (found >= 0) best = found;
    return best > 0;
  });
  return readings[best]?.text ?? glob;
}

/** Lists of arguments that every system takes. */
function portions(files: readonly string[]): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const file of files) {
    room -= file.length + 1;
    if (room < 0) {
      all.push([]);
      room = ARGUMENTS_LIMIT - file.length;
    }
    all.at(-1)?.push(file);
  }
  return all;
}

/** ripgrep's messages about files that it could not open, without other messages. */
function unreadOf(errors: string): string[] {
  return errors
    .split("\n")
    .filter((line) => /\(os error \d+\)$/.test(line))
    .map((line) => line.replace(/^rg: (?:\.[/\\])?/, ""));
}

type CollectedLine = SearchHit["lines"][number] | { number: number; match: boolean; offset: number };

class Collector {
  complete = false;
  readonly #scope: SearchScope;
  readonly #accepts: (relative: string) => boolean;
  readonly #limit: number;
  readonly #hits: { path: string; lines: CollectedLine[] }[] = [];
  readonly #seen = new Set<string>();
  #current: { path: string; lines: CollectedLine[] } | undefined;
  #matches = 0;
  #size = 0;
  #more = false;

  constructor(scope: SearchScope, accepts: (relative: string) => boolean, limit: number) {
    this.#scope = scope;
    this.#accepts = accepts;
    this.#limit = limit;
  }

  /** false: the limit is reached. */
  take(event: RipgrepEvent): boolean {
    switch (event.type) {
      case "begin": {
        const file = this.#scope.relative(event.path);
        // Listed once, although both the file and its folder may be named.
        const isShown =
          !this.#seen.has(file) &&
          this.#accepts(file) &&
          !this.#scope.ignores(file) &&
          !this.#scope.isSecret(file);
        if (isShown) this.#seen.add(file);
        this.#current = isShown ? { path: file, lines: [] } : undefined;
        return true;
      }
      case "summary":
        this.complete = true;
        return true;
      case "line":
      case "long-line":
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
    if (event.match && (this.#matches === this.#limit || this.#size > RESULT_LIMIT)) {
      this.#more = true;
      return false;
    }
    if (event.match) this.#matches += 1;
    const { number, match } = event;
    if (event.type === "long-line") file.lines.push({ number, match, offset: event.offset });
    else file.lines.push({ number, match, text: clip(event.text, event.start) });
    this.#size += event.type === "line" ? Math.min(event.text.length, LINE_LIMIT) : LINE_LIMIT;
    // A file is added at its first match; earlier lines are that match's context.
    if (event.match && this.#hits.at(-1) !== file) this.#hits.push(file);
    return true;
  }

  async #shown(file: string, line: CollectedLine): Promise<SearchHit["lines"][number]> {
    if ("text" in line) return line;
    const text = await readAround(path.join(this.#scope.root, file), line.offset).catch(() => "");
    return { number: line.number, match: line.match, text };
  }
}

/** The part of a line around its match. */
function clip(text: string, start: number): string {
  if (text.length <= LINE_LIMIT) return text;
  const from = Math.max(0, Math.min(start - LINE_LIMIT / 4, text.length - LINE_LIMIT));
  const to = Math.min(text.length, from + LINE_LIMIT);
  return `${from > 0 ? "..." : ""}${wellFormed(text.slice(from, to))}${to < text.length ? "..." : ""}`;
}

/** Removes halves of surrogate pairs that a cut leaves at the ends. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

async function readAround(file: string, offset: number): Promise<string> {
  // Opening a pipe that replaced the file would block without O_NONBLOCK.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const from = Math.max(0, offset - LINE_LIMIT / 4);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_LIMIT), 0, LINE_LIMIT, from);
    const text = buffer
      .subarray(0, bytesRead)
      .toString("utf8")
      .replace(/^\ufffd+|\ufffd+$/g, "");
    return `${from > 0 ? "..." : ""}${text.split(/\r?\n/)[0] ?? ""}...`;
  } finally {
    await handle.close();
  }
}
