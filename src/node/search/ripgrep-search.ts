/** The `Search` port, implemented with ripgrep. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Search, SearchHit } from "../../core/ports/search.ts";
import { type EncodingNames, editorConfigNames } from "../files/encoding-names.ts";
import { type FileGlob, fileGlob, globMatcher, isEmptyGlob, onlyExcludes, readingsOf } from "./file-globs.ts";
import { DecodedTexts, decodeOthers, MOST_DECODED, NOT_UTF8 } from "./other-encodings.ts";
import {
  acrossLines,
  adviceFrom,
  findRipgrep,
  needsOtherEngine,
  type RipgrepEnd,
  runRipgrep,
} from "./ripgrep.ts";
import { type RipgrepEvent, RipgrepReader } from "./ripgrep-json.ts";
import { batchRuns, portions, SearchBatches } from "./search-batches.ts";
import { type SearchScope, scopeOf } from "./search-scope.ts";
import { trackedButIgnored } from "./tracked-files.ts";

/** Characters shown of one line; of a longer line, the part around its first match. */
const LINE_LIMIT = 380;
/** Characters of all lines in one result. */
const RESULT_LIMIT = 400_000;

/** Searches dot files but never `.git` folders, and applies ignore files outside repositories too. */
const SCOPE = ["--hidden", "--glob=!**/.git/**", "--no-require-git"];

/** Names the files that match. */
const NAMES: readonly string[] = ["--files-with-matches", "--null"];

/** The engine with look-around and references to groups. */
const OTHER_ENGINE: readonly string[] = ["--pcre2"];

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
    async grep(root, { glob, signal, ...query }) {
      const scope = await scopeOf(root, roots);
      const list = (take: (file: string) => boolean, files = fileGlob(undefined)) =>
        listFiles({ ripgrep, scope, tracked: tracked(scope, signal), signal }, files, take);
      const reading = glob?.includes("[") ? await readingThatFits(glob, list) : glob;
      const filter = fileGlob(reading);
      const where = { ripgrep, scope, tracked: tracked(scope, signal), signal };
      const run = async (engine: readonly string[]) => {
        const scan = new Scan(where, { ...query, engine, filter, decoded });
        return { scan, failed: await scan.run() };
      };
      let { scan, failed } = await run([]);
      if (failed !== undefined && needsOtherEngine(failed)) {
        const other = await run(OTHER_ENGINE);
        if (!other.failed?.includes("PCRE2 is not available")) ({ scan, failed } = other);
      }
      if (failed !== undefined) throw new ToolError(adviceFrom(failed) || "ripgrep ended without an answer.");
      const unread = [...scan.unread];
      const result = await scan.collector.result();
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

interface Query {
  regex: string;
  multiline?: boolean;
  contextLines: number;
  limit: number;
  /** Options that choose the engine of regular expressions. */
  engine: readonly string[];
  filter: FileGlob;
  decoded: DecodedTexts;
}

/**
 * One search. A first run of ripgrep reads all files and names those that match the expression or may be in another encoding, most often
 * a few. Only these are read again, while that run continues: for their lines, or for a text to decode.
 */
class Scan {
  readonly collector: Collector;
  /** Files that were not searched, each with the reason. */
  readonly unread = new Set<string>();
  readonly #where: Listing;
  readonly #query: Query;
  /** Options of a run that finds all files. */
  readonly #walk: readonly string[];
  /** Options for the lines that match. */
  readonly #lines: readonly string[];
  #decoded = 0;
  /** Whether a run has read the expression alone. */
  #hasRun = false;

  constructor(where: Listing, query: Query) {
    const { regex, multiline, contextLines, engine } = query;
    this.collector = new Collector(where.scope, query.limit);
    this.#where = where;
    this.#query = query;
    this.#walk = walkOf(where.scope);
    this.#lines = [
      ...["--json", "--crlf", `--context=${contextLines}`, ...engine, ...(multiline ? ["--multiline"] : [])],
      `--regexp=${multiline ? acrossLines(regex) : regex}`,
    ];
  }

  /** ripgrep's errors if it failed; otherwise undefined. */
  async run(): Promise<string | undefined> {
    const { scope, tracked } = this.#where;
    const { filter } = this.#query;
    try {
      const more = scope.isFolder
        ? await this.#folder()
        : await this.#batch([scope.relative(scope.target)].filter(filter.accepts), [
            [...this.#walk, ...filter.args, "--", scope.target],
          ]);
      if (!more) return undefined;
      const others = (await tracked).filter(filter.fits);
      for (const files of portions(others)) {
        const named = files.map((file) => scope.argument(file));
        if (!(await this.#batch(files, [[...this.#walk, "--", ...named]]))) break;
      }
      return undefined;
    } catch (error) {
      if (error instanceof RipgrepFailure) return error.message;
      throw error;
    }
  }

  /** Searches the folder. false: the limit is reached. */
  async #folder(): Promise<boolean> {
    const { scope, signal } = this.#where;
    const stop = new AbortController();
    const batches = new SearchBatches();
    const where = { ...this.#where, signal: AbortSignal.any([signal, stop.signal]) };
    const found = this.#candidates(where, (file) => batches.add(file)).finally(() => batches.end());
    // It is awaited below.
    found.catch(() => {});
    try {
      for (let files = await batches.next(); files; files = await batches.next())
        if (!(await this.#batch(files, batchRuns(files, scope, this.#walk)))) return false;
      const fault = await found;
      // ripgrep tells the faults of the expression in its words for that alone, and refuses some that `--text` permits.
      if (!this.#hasRun)
        await this.#lineRun(
          [...this.#walk, ...this.#query.filter.args, "--", "-"],
          () => false,
          Buffer.alloc(0),
        );
      if (fault !== undefined) throw new RipgrepFailure(fault);
      return true;
    } finally {
      stop.abort();
      await found.catch(() => {});
    }
  }

  /**
   * Names each file that matches the expression or may be in another encoding, while it reads all of them. Resolves with ripgrep's
   * errors if there is no such file and no other cause of them.
   */
  async #candidates(where: Listing, take: (file: string) => void): Promise<string | undefined> {
    const { regex, multiline, engine, filter } = this.#query;
    const options = ["--crlf", ...(multiline ? ["--multiline"] : [])];
    const expression = `--regexp=${multiline ? acrossLines(regex) : regex}`;
    const named = new Set<string>();
    let fault: string | undefined;
    const run = async (which: readonly string[]) => {
      const args = [...NAMES, ...which, ...this.#walk, ...filter.args, "--", where.scope.target];
      const end = await namesOf(where, args, (file) => {
        if (!filter.accepts(file) || named.has(file)) return true;
        named.add(file);
        take(file);
        return true;
      });
      this.#note(end);
      if (end.exitCode === null) throw new RipgrepFailure(end.errors);
      if (end.exitCode === 2 && named.size === 0 && this.unread.size === 0) fault = end.errors;
    };
    if (engine.length === 0) await run(["--text", ...options, expression, `--regexp=${NOT_UTF8}`]);
    else {
      // The other engine has no expressions for bytes.
      await run(["--text", `--regexp=${NOT_UTF8}`]);
      await run([...engine, ...options, expression]);
    }
    return fault;
  }

  /** Searches files, which runs with these arguments find. false: the limit is reached. */
  async #batch(files: readonly string[], runs: readonly (readonly string[])[]): Promise<boolean> {
    const { scope, signal } = this.#where;
    const { filter, decoded } = this.#query;
    const batch = new Set(files);
    const suspects: string[] = [];
    for (const args of runs)
      await namesOf(this.#where, [...NAMES, "--text", `--regexp=${NOT_UTF8}`, ...args], (file) => {
        if (batch.has(file) && filter.accepts(file)) suspects.push(file);
        return true;
      });
    const most = MOST_DECODED - this.#decoded;
    const { texts, unread } = await decodeOthers(scope.root, suspects, { decoded, most, signal });
    this.#decoded += texts.size;
    for (const each of unread) this.unread.add(each);
    for (const args of runs)
      if (!(await this.#lineRun(args, (file) => batch.has(file) && !texts.has(file)))) return false;
    for (const [file, text] of texts)
      if (!(await this.#lineRun(["--", "-"], () => true, text, file))) return false;
    return true;
  }

  /** Collects the lines that match. `input`: the text of `file`. false: the limit is reached. */
  async #lineRun(
    args: readonly string[],
    accepts: (file: string) => boolean,
    input?: Buffer,
    file?: string,
  ): Promise<boolean> {
    const { ripgrep, scope, signal } = this.#where;
    this.#hasRun = true;
    const reader = new RipgrepReader();
    let complete = false;
    const take = (event: RipgrepEvent): boolean => {
      if (event.type === "summary") complete = true;
      const named = event.type === "begin" && file !== undefined;
      return this.collector.take(named ? { ...event, path: scope.argument(file) } : event, accepts);
    };
    const onData = (chunk: Buffer) => reader.push(chunk).every(take);
    const end = await runRipgrep(
      await ripgrep(),
      [...this.#lines, ...args],
      scope.cwd,
      signal,
      onData,
      input,
    );
    if (!end.stopped && !complete) throw new RipgrepFailure(end.errors);
    this.#note(end);
    return !end.stopped;
  }

  /** What could not be read. */
  #note({ errors }: RipgrepEnd): void {
    for (const each of unreadOf(errors)) this.unread.add(each);
  }
}

/** ripgrep could not search at all; the message is its own. */
class RipgrepFailure extends Error {}

interface Listing {
  ripgrep(): Promise<string>;
  scope: SearchScope;
  /** Files that an ignore file matches although Git tracks them. */
  tracked: Promise<readonly string[]>;
  signal: AbortSignal;
}

/**
 * Calls `take` with each file that is not ignored, relative to the searched folder, until it returns false. Resolves with
 * whether it did. Rejects with ToolError if ripgrep fails before the first file.
 */
async function listFiles(
  where: Listing,
  { args, accepts, fits }: FileGlob,
  take: (file: string) => boolean,
): Promise<boolean> {
  const { scope, tracked } = where;
  const taken = new Set<string>();
  const all = ["--files", "--null", ...walkOf(scope), ...args, "--", scope.target];
  const end = await namesOf(where, all, (file) => {
    if (!accepts(file)) return true;
    taken.add(file);
    return take(file);
  });
  if (!end.stopped && end.exitCode === 2 && taken.size === 0)
    throw new ToolError(end.errors.replace(/^rg: /, "").trim());
  if (end.stopped) return true;
  const others = (await tracked).filter((file) => !taken.has(file) && !scope.ignores(file) && fits(file));
  return !others.every(take);
}

/** Options with which ripgrep finds the files itself. */
function walkOf({ ignoreArgs }: SearchScope): string[] {
  return [...SCOPE, ...ignoreArgs];
}

/**
 * Runs ripgrep, which ends each name with a NUL byte, and calls `take` with each file that may be read, relative to the searched
 * folder, until that returns false.
 */
async function namesOf(
  { ripgrep, scope, signal }: Listing,
  args: readonly string[],
  take: (file: string) => boolean,
): Promise<RipgrepEnd> {
  let rest = "";
  const decoder = new TextDecoder();
  return runRipgrep(await ripgrep(), args, scope.cwd, signal, (chunk) => {
    const names = (rest + decoder.decode(chunk, { stream: true })).split("\0");
    rest = names.pop() ?? "";
    return names.every((name) => {
      const file = scope.relative(name);
      return scope.ignores(file) || take(file);
    });
  });
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

/** ripgrep's messages about files that it could not open, without other messages. */
function unreadOf(errors: string): string[] {
  return errors
    .split("\n")
    .filter((line) => /\(os error \d+\)$/.test(line))
    .map((line) => line.replace(/^rg: (?:\.[/\\])?/, ""));
}

type CollectedLine = SearchHit["lines"][number] | { number: number; match: boolean; offset: number };

class Collector {
  readonly #scope: SearchScope;
  readonly #limit: number;
  readonly #hits: { path: string; lines: CollectedLine[] }[] = [];
  readonly #seen = new Set<string>();
  #current: { path: string; lines: CollectedLine[] } | undefined;
  #matches = 0;
  #size = 0;
  #more = false;

  constructor(scope: SearchScope, limit: number) {
    this.#scope = scope;
    this.#limit = limit;
  }

  /** `accepts`: whether the lines of a file are wanted, relative to the searched folder. false: the limit is reached. */
  take(event: RipgrepEvent, accepts: (file: string) => boolean): boolean {
    switch (event.type) {
      case "begin": {
        const file = this.#scope.relative(event.path);
        // Listed once, although both the file and its folder may be named.
        const isShown =
          !this.#seen.has(file) && accepts(file) && !this.#scope.ignores(file) && !this.#scope.isSecret(file);
        if (isShown) this.#seen.add(file);
        this.#current = isShown ? { path: file, lines: [] } : undefined;
        return true;
      }
      case "summary":
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
