import { bareLines } from "../../text.ts";
import { resemblesEnd } from "../blocks/block-end.ts";

/** One line of a hunk: context, taken out, or put in. */
export interface HunkLine {
  sign: " " | "-" | "+";
  /** The line without its sign. */
  text: string;
  /** The line as it stands in the patch. Context may lack its sign; then this is the same as `text`. */
  raw: string;
}

/** A stretch of changes to one file. */
export interface Hunk {
  /** The line of the patch on which it begins, 1-based. */
  line: number;
  /** What stands behind `@@`: lines of the file under which the hunk is, outermost first. */
  headers: string[];
  /** The headers come from unified-diff headers: they may be cut short or missing from the file. */
  loose: boolean;
  lines: HunkLine[];
  endOfFile: boolean;
  /** Hunks of context alone that come right before: the change is below their lines. */
  anchors: Hunk[];
}

/** What a patch does to one file. */
export type PatchOperation =
  | { kind: "add"; path: string; line: number; lines: string[] }
  | { kind: "delete"; path: string; line: number }
  | { kind: "update"; path: string; line: number; to?: string; hunks: Hunk[] };

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
  // A line "*** End Patch" behind white space is context where another stands at the beginning of a line.
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
 * Reads a patch in the apply_patch format. What stands before "*** Begin Patch" is passed over. `complete: false` says
 * that the message was cut off: then a missing "*** End Patch" is an error.
 */
export function parsePatch(input: string, options: { complete?: boolean } = {}): ParsedPatch {
  const body = bodyOf(input);
  if (body === undefined) return wrong(`The patch has no "*** Begin Patch" line.`);
  const { lines, from } = body;
  if (body.open && (options.complete === false || endsInDoubt(lines)))
    return wrong(`The patch is cut off: it has no "*** End Patch" line.`);
  const operations: PatchOperation[] = [];
  let current: PatchOperation | undefined;
  let hunk: Hunk | undefined;
  for (const [at, line] of lines.entries()) {
    const number = from + at + 1;
    const section = headerAt(lines, at, hunk !== undefined);
    if (section !== undefined) {
      if (section.path === "") return wrong(`Line ${number} of the patch names no file.`);
      current = operationOf(section.kind, section.path, number);
      hunk = undefined;
      operations.push(current);
      continue;
    }
    if (current === undefined) {
      if (line.trim() === "") continue;
      return wrong(
        `Line ${number} of the patch, "${line.slice(0, 80)}", comes before any "*** ... File:" line.`,
      );
    }
    const move = line.startsWith("***") || hunk === undefined ? MOVE.exec(line) : null;
    if (move !== null) {
      const to = move[1] ?? "";
      if (current.kind !== "update" || current.hunks.length > 0 || to === "") {
        return wrong(
          `Line ${number} of the patch: "*** Move to: path" belongs right after "*** Update File: path".`,
        );
      }
      current.to = to;
      continue;
    }
    if (current.kind === "add") {
      if (line.startsWith("+")) current.lines.push(line.slice(1));
      else if (line.trim() !== "")
        return wrong(`Line ${number} of the patch: every line of an added file begins with "+".`);
      else if (
        lines
          .slice(at + 1)
          .find((next) => next.trim() !== "")
          ?.startsWith("+")
      )
        current.lines.push("");
      continue;
    }
    if (current.kind === "delete") {
      if (line.trim() === "") continue;
      return wrong(`Line ${number} of the patch: nothing may follow "*** Delete File: ${current.path}".`);
    }
    if (END_OF_FILE.test(line)) {
      if (hunk === undefined)
        return wrong(`Line ${number} of the patch: "*** End of File" belongs at the end of a hunk.`);
      hunk.endOfFile = true;
      hunk = undefined;
      continue;
    }
    if (line.startsWith("@@")) {
      const { header, loose } = headerOf(line);
      if (hunk === undefined || hunk.lines.length > 0 || header === "") {
        hunk = hunkAt(number, loose);
        current.hunks.push(hunk);
      }
      if (header !== "") hunk.headers.push(header);
      hunk.loose ||= loose;
      continue;
    }
    if (hunk === undefined) {
      if (line.trim() === "") continue;
      hunk = hunkAt(number, false);
      current.hunks.push(hunk);
    }
    const sign = line[0];
    if (line.startsWith("***") && /^\*{3} ?[A-Z]/.test(line))
      return wrong(`Line ${number} of the patch is not understood. ${unsigned(line)}`);
    if (sign === " " || sign === "-" || sign === "+")
      hunk.lines.push({ sign, text: line.slice(1), raw: line });
    else hunk.lines.push({ sign: " ", text: line, raw: line });
  }
  return checked(operations);
}

/** Whether a patch without its last line ends in what may be another end of it: a marker, a fence, a tag that nothing opens. */
function endsInDoubt(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  const tag = /^[-+ ]?\s*<\/([\w:.-]+)>?\s*$/.exec(last)?.[1];
  if (tag !== undefined && !lines.some((line) => line.includes(`<${tag}`))) return true;
  return !last.startsWith("***") && resemblesEnd(last.replace(/^[-+ ]/, ""));
}

/** A line of a hunk that has no sign and stands nowhere in the file, in words for a model. */
export function unsigned(line: string): string {
  return `The line "${line.slice(0, 80)}" begins with neither " ", "-" nor "+".`;
}

/**
 * The header of a file's part on a line. Behind white space it may as well be context of a document about patches: inside
 * a hunk it counts only where what follows can belong to it alone.
 */
function headerAt(
  lines: readonly string[],
  at: number,
  inHunk: boolean,
): { kind: string; path: string } | undefined {
  const line = lines[at] ?? "";
  const found = SECTION.exec(line);
  if (found === null) return undefined;
  const kind = (found[1] ?? "").toLowerCase();
  const path = (found[2] ?? "").replace(/\s+\*{3}$/, "");
  if (line.startsWith("***") || !inHunk) return { kind, path };
  const next = lines.slice(at + 1).find((other) => other.trim() !== "");
  const follows =
    kind === "update"
      ? next?.startsWith("@@") || (next !== undefined && MOVE.test(next))
      : kind === "delete" && (next === undefined || SECTION.test(next));
  return follows ? { kind, path } : undefined;
}

function hunkAt(line: number, loose: boolean): Hunk {
  return { line, headers: [], loose, lines: [], endOfFile: false, anchors: [] };
}

function operationOf(kind: string, path: string, line: number): PatchOperation {
  if (kind === "add") return { kind: "add", path, line, lines: [] };
  return kind === "delete" ? { kind: "delete", path, line } : { kind: "update", path, line, hunks: [] };
}

function headerOf(line: string): { header: string; loose: boolean } {
  const unified = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/.exec(line);
  if (unified !== null) return { header: (unified[1] ?? "").trim(), loose: true };
  return {
    header: line
      .replace(/^@@+/, "")
      .replace(/@@+\s*$/, "")
      .trim(),
    loose: false,
  };
}

/** Joins what is said twice about one file, and refuses what contradicts itself. */
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
    if (operation.kind !== "update") continue;
    for (const hunk of operation.hunks) {
      // Blank lines between a hunk and what comes next are no context.
      while (hunk.lines.at(-1)?.sign === " " && hunk.lines.at(-1)?.text.trim() === "") hunk.lines.pop();
    }
    const hollow = anchored(operation);
    if (hollow !== undefined)
      return wrong(
        `The hunk on line ${hollow.line} of the patch changes nothing: it has no "-" and no "+" line.${hollow.lines
          .filter(({ raw }) => /^\S/.test(raw))
          .slice(0, 1)
          .map(({ raw }) => ` ${unsigned(raw)}`)
          .join("")}`,
      );
    if (operation.hunks.length === 0 && operation.to === undefined) {
      return wrong(
        `Line ${operation.line} of the patch: no changes follow "*** Update File: ${operation.path}".`,
      );
    }
  }
  return { ok: true, operations: [...byPath.values()] };
}

/** Joins hunks of context alone to the next hunk; the first that has no next one, or no context, if there is one. */
function anchored(operation: { hunks: Hunk[] }): Hunk | undefined {
  let anchors: Hunk[] = [];
  const hunks: Hunk[] = [];
  for (const hunk of operation.hunks) {
    if (hunk.lines.some((line) => line.sign !== " ")) {
      hunk.anchors = anchors;
      anchors = [];
      hunks.push(hunk);
    } else if (hunk.lines.some((line) => line.text.trim() !== "")) anchors.push(hunk);
    else return hunk;
  }
  operation.hunks = hunks;
  return anchors[0];
}

function wrong(what: string): ParsedPatch {
  return { ok: false, error: `${what} Nothing was changed.\n${FORM}` };
}
