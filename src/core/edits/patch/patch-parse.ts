import { bareLines } from "../../text.ts";
import { resemblesEnd } from "../blocks/block-end.ts";

/** One line of a hunk: context, removed, or added. */
export interface HunkLine {
  sign: " " | "-" | "+";
  /** The line without its sign. */
  text: string;
  /** The line as written in the patch. Context may lack its sign; then this is the same as `text`. */
  raw: string;
}

/** A group of adjacent changes to one file. */
export interface PatchHunk {
  /** The line of the patch on which it begins, 1-based. */
  line: number;
  /** The texts after `@@`: lines of the file above the hunk, outermost first. */
  headers: string[];
  /** The headers come from unified-diff headers: they may be cut short or missing from the file. */
  loose: boolean;
  lines: HunkLine[];
  endOfFile: boolean;
  /** The sides whose last line has no line break at the end of the file, as `\ No newline at end of file` says. */
  unbroken: { before: boolean; after: boolean };
  /** The context-only hunks directly before this one: the change is below their lines. */
  anchors: PatchHunk[];
}

/** What a patch does to one file. */
export type PatchOperation =
  | { kind: "add"; path: string; line: number; lines: string[]; unbroken: boolean }
  | { kind: "delete"; path: string; line: number }
  | { kind: "update"; path: string; line: number; to?: string; hunks: PatchHunk[] };

/** A parsed patch, or what is wrong with its form, in words for a model. */
export type ParsedPatch = { ok: true; operations: PatchOperation[] } | { ok: false; error: string };

const FORM = `A patch looks like this:
*** Begin Patch
*** Update File: path/of/file
@@ the line under which the change is (optional)
 an unchanged line
-a line that goes
+a line that comes
*** End Patch
"*** Add File: path" is followed by "+" lines, "*** Delete File: path" by nothing; "*** Move to: path" may follow "*** Update File".`;

const BEGIN = /^\s*\*{3}\s*Begin Patch\s*$/i;
const END = /^\s*\*{3}\s*End Patch\s*(?:[<`"'*.\])].*)?$/i;
const SECTION = /^\s*\*{3}\s*(Add|Update|Delete)\s+File\s*:\s*(.*?)\s*$/i;
const MOVE = /^\s*\*{3}\s*Move\s+to\s*:\s*(.*?)\s*$/i;
const END_OF_FILE = /^\s*\*{3}\s*End of File\s*$/i;
const NO_LINE_BREAK = /^\\ No newline at end of file\s*$/i;

/** The lines of a patch between its first and its last line, and the number of the line before them. */
interface Body {
  lines: string[];
  from: number;
  /** Whether "*** End Patch" is missing. */
  open: boolean;
}

/** The paths that a patch names in its headers, in their order, whatever else is wrong with it. */
export function pathsNamed(input: string): string[] {
  return bareLines(input).flatMap((line) => {
    const path = SECTION.exec(line)?.[2] ?? "";
    return path === "" ? [] : [path];
  });
}

function bodyOf(input: string): Body | undefined {
  const lines = bareLines(input);
  const begin = lines.findIndex((line) => BEGIN.test(line));
  if (begin === -1) return undefined;
  const after = lines.slice(begin + 1);
  // An indented "*** End Patch" is context if there is another one at the beginning of a line.
  const plain = after.findIndex((line) => line.startsWith("***") && END.test(line));
  const end = plain === -1 ? after.findLastIndex((line) => END.test(line)) : plain;
  const body = end === -1 ? after : after.slice(0, end);
  const indent = /^\s*/.exec(lines[begin] ?? "")?.[0] ?? "";
  // A patch that was indented as a whole.
  const whole = indent !== "" && body.every((line) => line.trim() === "" || line.startsWith(indent));
  return {
    lines: whole ? body.map((line) => line.slice(indent.length)) : body,
    from: begin + 1,
    open: end === -1,
  };
}

/**
 * Reads a patch in the apply_patch format. Text before "*** Begin Patch" is skipped. `complete: false` means that the
 * message was cut off: then a missing "*** End Patch" is an error.
 */
export function parsePatch(input: string, options: { complete?: boolean } = {}): ParsedPatch {
  const body = bodyOf(input);
  if (body === undefined) return wrong(`The patch has no "*** Begin Patch" line.`);
  if (body.open && (options.complete === false || endsInDoubt(body.lines)))
    return wrong(`The patch is cut off: it has no "*** End Patch" line.`);
  const reader = new PatchReader(body);
  for (const at of body.lines.keys()) {
    const fault = reader.read(at);
    if (fault !== undefined) return wrong(`Line ${body.from + at + 1} of the patch${fault}`);
  }
  return checked(reader.operations);
}

type Update = Extract<PatchOperation, { kind: "update" }>;

/** Reads the lines of a patch in order. A fault is returned as the end of a sentence that begins with the number of the line. */
class PatchReader {
  /** The operations so far; the last one may continue. */
  readonly operations: PatchOperation[] = [];
  readonly #body: Body;
  /** The hunk that the next line may belong to. */
  #hunk: PatchHunk | undefined;

  constructor(body: Body) {
    this.#body = body;
  }

  read(at: number): string | undefined {
    const { lines, from } = this.#body;
    const line = lines[at] ?? "";
    const begun = operationAt(this.#body, at, this.#hunk !== undefined);
    if (begun !== undefined) {
      this.#hunk = undefined;
      this.operations.push(begun);
      return begun.path === "" ? " names no file." : undefined;
    }
    const current = this.operations.at(-1);
    const move = line.startsWith("***") || this.#hunk === undefined ? MOVE.exec(line) : null;
    if (current !== undefined && move !== null) return moveTo(current, move[1] ?? "");
    if (NO_LINE_BREAK.test(line) && unbroken(current)) return undefined;
    if (current?.kind === "update") {
      if (this.#hunk === undefined && isFileHeader(current, lines, at)) return undefined;
      return this.#update(current, line, from + at + 1);
    }
    if (current?.kind === "add" && line.startsWith("+")) current.lines.push(line.slice(1));
    else if (line.trim() !== "") return misplaced(current, line);
    else if (current?.kind === "add" && filledAfter(lines, at)?.startsWith("+")) current.lines.push("");
    return undefined;
  }

  #update(file: Update, line: string, number: number): string | undefined {
    if (END_OF_FILE.test(line)) {
      if (this.#hunk === undefined) return `: "*** End of File" belongs at the end of a hunk.`;
      this.#hunk.endOfFile = true;
      this.#hunk = undefined;
    } else if (line.startsWith("@@")) {
      const { header, loose } = headerOf(line);
      if (header === "" || this.#hunk?.lines.length !== 0) this.#hunk = undefined;
      const hunk = this.#openHunk(file, number);
      if (header !== "") hunk.headers.push(header);
      hunk.loose ||= loose;
    } else if (/^\*{3} ?[A-Z]/.test(line)) return ` is not understood. ${unsigned(line)}`;
    else if (this.#hunk !== undefined || line.trim() !== "")
      this.#openHunk(file, number).lines.push(hunkLine(line));
    return undefined;
  }

  #openHunk(file: Update, line: number): PatchHunk {
    if (this.#hunk === undefined) {
      const unbroken = { before: false, after: false };
      this.#hunk = { line, headers: [], loose: false, lines: [], endOfFile: false, unbroken, anchors: [] };
      file.hunks.push(this.#hunk);
    }
    return this.#hunk;
  }
}

/**
 * Whether a line is one of the two that name the file in a unified diff: right before the first `@@`, or with the path of the
 * section.
 */
function isFileHeader({ path, hunks }: Update, lines: readonly string[], at: number): boolean {
  if (hunks.length > 0) return false;
  const first = /^\+\+\+ /.test(lines[at] ?? "") ? at - 1 : at;
  const [before, after] = [lines[first] ?? "", lines[first + 1] ?? ""];
  if (!/^--- \S/.test(before) || !/^\+\+\+ \S/.test(after)) return false;
  const isPath = (line: string) => [path, `a/${path}`, `b/${path}`].includes(line.slice(4).trim());
  return (lines[first + 2] ?? "").startsWith("@@") || (isPath(before) && isPath(after));
}

/** Notes that the line before has no line break at the end of the file; false if there is no such line. */
function unbroken(current: PatchOperation | undefined): boolean {
  if (current?.kind === "add") {
    current.unbroken = true;
    return current.lines.length > 0;
  }
  const hunk = current?.kind === "update" ? current.hunks.at(-1) : undefined;
  const sign = hunk?.lines.at(-1)?.sign;
  if (hunk === undefined || sign === undefined) return false;
  if (sign !== "+") hunk.unbroken.before = true;
  if (sign !== "-") hunk.unbroken.after = true;
  hunk.endOfFile = true;
  return true;
}

function moveTo(current: PatchOperation, to: string): string | undefined {
  if (current.kind !== "update" || current.hunks.length > 0 || to === "")
    return `: "*** Move to: path" belongs right after "*** Update File: path".`;
  current.to = to;
  return undefined;
}

/** The fault of a line that is not blank and belongs to no operation. */
function misplaced(current: PatchOperation | undefined, line: string): string {
  if (current === undefined) return `, "${line.slice(0, 80)}", comes before any "*** ... File:" line.`;
  return current.kind === "add"
    ? `: every line of an added file begins with "+".`
    : `: nothing may follow "*** Delete File: ${current.path}".`;
}

function hunkLine(raw: string): HunkLine {
  const sign = raw[0];
  return sign === " " || sign === "-" || sign === "+"
    ? { sign, text: raw.slice(1), raw }
    : { sign: " ", text: raw, raw };
}

/** The next line that is not blank. */
function filledAfter(lines: readonly string[], at: number): string | undefined {
  return lines.slice(at + 1).find((line) => line.trim() !== "");
}

/** Whether a patch without its last line ends in something that may replace that line: a marker, a fence, an unopened tag. */
function endsInDoubt(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  const tag = /^[-+ ]?\s*<\/([\w:.-]+)>?\s*$/.exec(last)?.[1];
  if (tag !== undefined && !lines.some((line) => line.includes(`<${tag}`))) return true;
  return !last.startsWith("***") && resemblesEnd(last.replace(/^[-+ ]/, ""));
}

/** Describes, for a model, a line of a hunk that has no sign and does not occur in the file. */
export function unsigned(line: string): string {
  return `The line "${line.slice(0, 80)}" begins with neither " ", "-" nor "+".`;
}

/**
 * The operation whose header is on a line. After white space, the line may also be context from a document about patches:
 * inside a hunk, it counts as a header only if the next line can belong to nothing else.
 */
function operationAt({ lines, from }: Body, at: number, inHunk: boolean): PatchOperation | undefined {
  const text = lines[at] ?? "";
  const found = SECTION.exec(text);
  if (found === null) return undefined;
  const kind = (found[1] ?? "").toLowerCase();
  if (inHunk && !text.startsWith("***") && !fits(kind, filledAfter(lines, at))) return undefined;
  const path = (found[2] ?? "").replace(/\s+\*{3}$/, "");
  const line = from + at + 1;
  if (kind === "add") return { kind, path, line, lines: [], unbroken: false };
  return kind === "delete" ? { kind, path, line } : { kind: "update", path, line, hunks: [] };
}

/** Whether the next line that is not blank can only follow a header, not a context line that looks like one. */
function fits(kind: string, next: string | undefined): boolean {
  if (kind === "delete") return next === undefined || SECTION.test(next);
  return kind === "update" && next !== undefined && (next.startsWith("@@") || MOVE.test(next));
}

function headerOf(line: string): { header: string; loose: boolean } {
  const unified = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/.exec(line);
  if (unified !== null) return { header: (unified[1] ?? "").trim(), loose: true };
  return {
    header: line
      .replace(/^@@+/, "")
      .trim()
      .replace(/(?<!@)@@+$/, "")
      .trim(),
    loose: false,
  };
}

/** Joins several operations on one file, and rejects those that contradict each other. */
function checked(operations: readonly PatchOperation[]): ParsedPatch {
  if (operations.length === 0) return wrong("The patch changes no file.");
  const byPath = new Map<string, PatchOperation>();
  for (const operation of operations) {
    const before = byPath.get(operation.path);
    if (before === undefined) byPath.set(operation.path, operation);
    else if (
      before.kind === "update" &&
      operation.kind === "update" &&
      (before.to ?? operation.to) === operation.to
    ) {
      before.hunks.push(...operation.hunks);
    } else
      return wrong(
        `Line ${operation.line} of the patch: ${operation.path} was named before. Say all about a file in one place.`,
      );
  }
  for (const operation of byPath.values()) {
    const fault = operation.kind === "update" ? finish(operation) : undefined;
    if (fault !== undefined) return wrong(fault);
  }
  return { ok: true, operations: [...byPath.values()] };
}

/** Removes blank ends of hunks and hunks without changes; returns the fault of a file's changes, if there is one. */
function finish(file: Update): string | undefined {
  for (const { lines } of file.hunks) {
    // Blank lines between a hunk and what comes next are not context.
    while (lines.at(-1)?.sign === " " && lines.at(-1)?.text.trim() === "") lines.pop();
  }
  const idle = anchored(file);
  const [first] = idle;
  const what = `The hunk on line ${first?.line} of the patch changes nothing: it has no "-" and no "+" line.`;
  // A line without a sign may have been meant as an added one.
  const odd = idle.flatMap(({ lines }) => lines).find(({ raw }) => /^\S/.test(raw));
  if (odd !== undefined) return `${what} ${unsigned(odd.raw)}`;
  if (file.hunks.length > 0 || file.to !== undefined) return undefined;
  if (first !== undefined) return what;
  return `Line ${file.line} of the patch: no changes follow "*** Update File: ${file.path}".`;
}

/** Joins context-only hunks to the next hunk. Removes those that have no next hunk, or no context, and returns them. */
function anchored(operation: { hunks: PatchHunk[] }): PatchHunk[] {
  let anchors: PatchHunk[] = [];
  const idle: PatchHunk[] = [];
  const hunks: PatchHunk[] = [];
  for (const hunk of operation.hunks) {
    if (hunk.lines.some((line) => line.sign !== " ")) {
      hunk.anchors = anchors;
      anchors = [];
      hunks.push(hunk);
    } else if (hunk.lines.some((line) => line.text.trim() !== "")) anchors.push(hunk);
    else idle.push(hunk);
  }
  operation.hunks = hunks;
  return [...idle, ...anchors];
}

function wrong(what: string): ParsedPatch {
  return { ok: false, error: `${what} Nothing was changed.\n${FORM}` };
}
