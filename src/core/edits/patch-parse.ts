import { bareLines } from "../text.ts";

/** One line of a hunk: context, taken out, or put in. */
export interface HunkLine {
  sign: " " | "-" | "+";
  text: string;
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

/**
 * Reads a patch in the apply_patch format. What stands before "*** Begin Patch" is passed over. `complete: false` says
 * that the message was cut off: then a missing "*** End Patch" is an error.
 */
export function parsePatch(input: string, options: { complete?: boolean } = {}): ParsedPatch {
  const lines = bareLines(input);
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  if (begin === -1) return wrong(`The patch has no "*** Begin Patch" line.`);
  const end = lines.findIndex((line, at) => at > begin && line.trim() === "*** End Patch");
  if (end === -1 && options.complete === false)
    return wrong(`The patch is cut off: it has no "*** End Patch" line.`);
  const operations: PatchOperation[] = [];
  let current: PatchOperation | undefined;
  let hunk: Hunk | undefined;
  const stop = end === -1 ? lines.length : end;
  for (let at = begin + 1; at < stop; at++) {
    const line = lines[at] ?? "";
    const number = at + 1;
    const section = /^\*\*\* (Add|Update|Delete) File: ?(.*)$/.exec(line);
    if (section !== null) {
      const path = (section[2] ?? "").trim();
      if (path === "") return wrong(`Line ${number} of the patch names no file.`);
      current = operationOf(section[1] ?? "", path, number);
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
    const move = /^\*\*\* Move to: ?(.*)$/.exec(line);
    if (move !== null) {
      const to = (move[1] ?? "").trim();
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
          .slice(at + 1, stop)
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
    if (line.trim() === "*** End of File") {
      if (hunk === undefined)
        return wrong(`Line ${number} of the patch: "*** End of File" belongs at the end of a hunk.`);
      hunk.endOfFile = true;
      hunk = undefined;
      continue;
    }
    if (line.startsWith("@@")) {
      const { header, loose } = headerOf(line);
      if (hunk === undefined || hunk.lines.length > 0 || header === "") {
        hunk = { line: number, headers: [], loose, lines: [], endOfFile: false };
        current.hunks.push(hunk);
      }
      if (header !== "") hunk.headers.push(header);
      hunk.loose ||= loose;
      continue;
    }
    if (hunk === undefined) {
      if (line.trim() === "") continue;
      hunk = { line: number, headers: [], loose: false, lines: [], endOfFile: false };
      current.hunks.push(hunk);
    }
    const sign = line[0];
    if (line === "") hunk.lines.push({ sign: " ", text: "" });
    else if (sign === " " || sign === "-" || sign === "+") hunk.lines.push({ sign, text: line.slice(1) });
    else
      return wrong(
        `Line ${number} of the patch, "${line.slice(0, 80)}", begins with neither " ", "-" nor "+".`,
      );
  }
  return checked(operations);
}

function operationOf(kind: string, path: string, line: number): PatchOperation {
  if (kind === "Add") return { kind: "add", path, line, lines: [] };
  return kind === "Delete" ? { kind: "delete", path, line } : { kind: "update", path, line, hunks: [] };
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
    // Blank lines between a hunk and what comes next are no context.
    for (const hunk of operation.hunks) {
      while (hunk.lines.at(-1)?.sign === " " && hunk.lines.at(-1)?.text === "") hunk.lines.pop();
    }
    const hollow = operation.hunks.find((hunk) => !hunk.lines.some((line) => line.sign !== " "));
    if (hollow !== undefined)
      return wrong(
        `The hunk on line ${hollow.line} of the patch changes nothing: it has no "-" and no "+" line.`,
      );
    if (operation.hunks.length === 0 && operation.to === undefined) {
      return wrong(
        `Line ${operation.line} of the patch: no changes follow "*** Update File: ${operation.path}".`,
      );
    }
  }
  return { ok: true, operations: [...byPath.values()] };
}

function wrong(what: string): ParsedPatch {
  return { ok: false, error: `${what} Nothing was changed.\n${FORM}` };
}
