import { indentOf, looseKey } from "../fold.ts";
import { columns } from "../indent.ts";
import { createFileIndex, type LineIndex } from "../line-index.ts";
import { listing, plural, severalPlaces } from "../messages.ts";
import { applySplices, type Splice, splicesAt } from "../splice.ts";
import { type PatchHunk, type PatchOperation, parsePatch } from "./patch-parse.ts";
import { findHunk, type HunkMatch, hunkNotFound } from "./patch-read.ts";

export { type PatchOperation, parsePatch, pathsNamed } from "./patch-parse.ts";

/** The change to one file. `move` contains the new content in case the patch also changes it. */
export type PatchChange =
  | { kind: "add"; path: string; content: string }
  | { kind: "update"; path: string; content: string }
  | { kind: "delete"; path: string }
  | { kind: "move"; path: string; to: string; content: string };

/**
 * All changes of a patch, with sentences about the parts that were skipped because they change nothing; or an error that a
 * model can act on, with nothing changed.
 */
export type PatchResult =
  | { ok: true; changes: PatchChange[]; leftOut?: string[] }
  | { ok: false; error: string };

/**
 * Applies a patch in the apply_patch format to file contents, all or nothing. `read` returns a file's content;
 * undefined if there is no such file. Hunks are located like SEARCH/REPLACE blocks, with the same refusals; `@@` lines
 * and "*** End of File" distinguish similar places. Hunks that change nothing are skipped if others change something.
 * Never throws unless `read` does.
 */
export function applyPatch(
  input: string,
  read: (path: string) => string | undefined,
  options: { complete?: boolean } = {},
): PatchResult {
  const parsed = parsePatch(input, options);
  if (!parsed.ok) return parsed;
  const changes: PatchChange[] = [];
  const errors: string[] = [];
  const leftOut: string[] = [];
  for (const operation of parsed.operations) {
    const outcome = applyOperation(operation, read);
    if (outcome.change !== undefined) changes.push(outcome.change);
    if (outcome.error !== undefined) errors.push(outcome.error);
    leftOut.push(...(outcome.leftOut ?? []));
  }
  if (changes.length === 0) errors.push(...leftOut);
  const targets = parsed.operations.map((operation) =>
    operation.kind === "update" ? (operation.to ?? operation.path) : operation.path,
  );
  const twice = targets.find((path, at) => targets.indexOf(path) !== at);
  if (twice !== undefined) errors.push(`${twice} would be written twice.`);
  if (errors.length === 0) return { ok: true, changes, ...(leftOut.length > 0 ? { leftOut } : {}) };
  const fitting = changes.map((change) => change.path);
  const others =
    fitting.length === 0 ? "" : `What the patch says about ${listing(fitting)} would have fitted. `;
  return {
    ok: false,
    error: `${errors.join("\n\n")}\n\n${others}Nothing was changed. Correct what failed and send the whole patch again.`,
  };
}

/** What an operation does: its change, or why it cannot be made; and the parts of it that change nothing. */
interface Outcome {
  change?: PatchChange;
  error?: string;
  leftOut?: string[];
}

function applyOperation(operation: PatchOperation, read: (path: string) => string | undefined): Outcome {
  const { path } = operation;
  const original = read(path);
  if (operation.kind === "add") {
    if (original !== undefined)
      return { error: `${path} exists already: use "*** Update File: ${path}" to change it.` };
    const content =
      operation.lines.join("\n") + (operation.lines.length > 0 && !operation.unbroken ? "\n" : "");
    return { change: { kind: "add", path, content } };
  }
  if (original === undefined) return { error: `${path} does not exist, so it cannot be ${operation.kind}d.` };
  if (operation.kind === "delete") return { change: { kind: "delete", path } };
  const { to } = operation;
  const isMove = to !== undefined && to !== path;
  if (isMove && read(to) !== undefined)
    return { error: `${to} exists already, so ${path} cannot be moved there.` };
  const { content, error, leftOut } = applyHunks(path, original, operation.hunks);
  if (error !== undefined) return { error };
  const idle = leftOut.length > 0 ? { leftOut } : {};
  if (isMove) return { change: { kind: "move", path, to, content: content ?? original }, ...idle };
  // Of a file without any change, only the hunks that change nothing are mentioned.
  if (content === undefined && leftOut.length > 0) return idle;
  return { change: { kind: "update", path, content: content ?? original }, ...idle };
}

/** The new content of a file, if a hunk changes it. */
function applyHunks(
  path: string,
  original: string,
  hunks: readonly PatchHunk[],
): { content?: string; error?: string; leftOut: string[] } {
  const index = createFileIndex(original);
  const problems: string[] = [];
  const leftOut: string[] = [];
  const placed: { hunk: number; splices: Splice[]; finalBreak: boolean | undefined }[] = [];
  for (const [at, hunk] of hunks.entries()) {
    const outcome = placeHunk(index, hunk);
    const name = hunks.length > 1 ? `Hunk ${at + 1} of ${hunks.length} for ${path}` : `The hunk for ${path}`;
    const where = `${name} (line ${hunk.line} of the patch)`;
    if (typeof outcome === "string") problems.push(`${where} does not fit: ${outcome}`);
    else if ("idle" in outcome) leftOut.push(`${where} was left out: it changes nothing, ${outcome.idle}.`);
    else placed.push({ hunk: at, ...outcome });
  }
  const steps = placed
    .flatMap(({ hunk, splices }) => splices.map((splice) => ({ hunk, splice })))
    .sort((x, y) => x.splice.row - y.splice.row || x.hunk - y.hunk);
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1];
    if (before === undefined || before.hunk === step.hunk) continue;
    const reached = before.splice.row + before.splice.remove;
    if (step.splice.row < reached || (step.splice.row === before.splice.row && before.splice.remove === 0)) {
      problems.push(
        `Hunks ${before.hunk + 1} and ${step.hunk + 1} for ${path} both change line ${step.splice.row + 1}: join them.`,
      );
    }
  }
  if (problems.length === 0) {
    if (placed.length === 0) return { leftOut };
    const content = applySplices(
      index,
      steps.map((step) => step.splice),
    );
    const finalBreak = placed.find((hunk) => hunk.finalBreak !== undefined)?.finalBreak;
    return { content: withFinalBreak(content, finalBreak, index), leftOut };
  }
  const fitting = placed.map(({ hunk }) => hunk + 1);
  const others =
    fitting.length === 0
      ? ""
      : `\n${fitting.length === 1 ? "Hunk" : "Hunks"} ${listing(fitting)} would have fitted.`;
  return { error: problems.join("\n\n") + others, leftOut: [] };
}

/** The content with or without a line break at its end; undefined: as it is. */
function withFinalBreak(content: string, finalBreak: boolean | undefined, index: LineIndex): string {
  if (finalBreak === undefined || content === "") return content;
  const bare = content.replace(/(?:\r\n|\n|\r)$/, "");
  if (!finalBreak) return bare;
  return bare === content ? content + (index.eol ?? "\n") : content;
}

/** What a hunk changes: lines, and whether the file ends in a line break; or that it changes nothing; or why it does not fit. */
type PlacedHunk = { splices: Splice[]; finalBreak: boolean | undefined } | { idle: string } | string;

function placeHunk(index: LineIndex, hunk: PatchHunk): PlacedHunk {
  const scope = scopeOf(index, hunk);
  if (typeof scope === "string") return scope;
  const searched = hunk.lines.filter((line) => line.sign !== "+");
  if (searched.length === 0) {
    const lines = hunk.lines.map((line) => line.text);
    const splices = insertion(index, hunk, scope, lines);
    if (typeof splices === "string") return splices;
    return { splices, finalBreak: finalBreakOf(hunk) };
  }
  if (searched.every((line) => line.text.trim() === ""))
    return "Its context holds only blank lines. Add lines that tell where the change belongs.";
  const below = narrowed(index, hunk, scope);
  const isBelow = "doubt" in below || below.located.kind !== "none";
  // The text after the second @@ of a unified diff may be any other line of the file.
  const reading = isBelow || !hunk.loose || scope === undefined ? below : narrowed(index, hunk, undefined);
  if ("doubt" in reading) return reading.doubt;
  const { located, sides } = reading;
  if (located.kind === "none") return hunkNotFound(index, hunk, sides);
  if (located.kind === "several")
    return `${severalPlaces(located, 'lines with " " and "-"')} Or name the line above them after "@@".`;
  const splices = splicesAt(index, located.range, sides);
  const { start, end } = located.range;
  const isLast = end === index.lines.length;
  const finalBreak = isLast ? finalBreakOf(hunk) : undefined;
  const breaks = index.ending(index.lines.length - 1) !== "";
  return splices.length === 0 && (finalBreak === undefined || finalBreak === breaks)
    ? { idle: `since lines ${start + 1}-${end} of the file already read so` }
    : { splices, finalBreak };
}

/** Whether the file ends in a line break after a hunk at its end; undefined: as before. */
function finalBreakOf({ unbroken: { before, after } }: PatchHunk): boolean | undefined {
  return before === after ? undefined : before;
}

/**
 * Rows that `@@` lines or context-only hunks lead to: places must begin at or after one of them. `ends` are where their
 * blocks end: of several places, the one inside such a block is meant.
 */
interface Scope {
  rows: number[];
  ends: number[];
}

function scopeOf(index: LineIndex, hunk: PatchHunk): Scope | undefined | string {
  let scope: Scope | undefined;
  for (const anchor of hunk.anchors) {
    const next = anchorScope(index, anchor, scope);
    if (typeof next === "string") return next;
    scope = next;
  }
  return headerScope(index, hunk, scope);
}

/** Returns the scope of a context-only hunk: its last row. */
function anchorScope(index: LineIndex, anchor: PatchHunk, outer: Scope | undefined): Scope | string {
  const scope = headerScope(index, anchor, outer);
  if (typeof scope === "string") return scope;
  const reading = narrowed(index, anchor, scope);
  if ("doubt" in reading) return reading.doubt;
  const { located, sides } = reading;
  if (located.kind === "none") return hunkNotFound(index, anchor, sides);
  const inner =
    located.kind === "one"
      ? [located.range.end - 1]
      : located.rows.filter((row) => scopeHolds(scope, row)).map((row) => row + sides.search.length - 1);
  if (inner.length === 0 || (located.kind === "several" && located.total > located.rows.length))
    return located.kind === "several" ? severalPlaces(located, "unchanged lines") : "";
  return {
    rows: inner,
    ends: inner.map((row) => blockEnd(index, row)),
  };
}

function headerScope(
  index: LineIndex,
  hunk: PatchHunk,
  outer: Scope | undefined,
): Scope | undefined | string {
  let scope = outer;
  for (const header of hunk.headers) {
    const all = headerRows(index, header);
    const inside: number[] = scope === undefined ? all : all.filter((row) => scopeHolds(scope, row));
    const rows =
      inside.length > 0 || scope === undefined
        ? inside
        : all.filter((row) => row > Math.min(...(scope?.rows ?? [])));
    if (rows.length === 0) {
      if (hunk.loose) continue;
      return `There is no line "${header}" (after "@@") in the file${scope === undefined ? "" : " below the one before it"}.`;
    }
    scope = { rows, ends: rows.map((row) => blockEnd(index, row)) };
  }
  return scope;
}

function scopeHolds(scope: Scope | undefined, row: number): boolean {
  return scope === undefined || scope.rows.some((from, at) => row >= from && row < (scope.ends[at] ?? 0));
}

/** Returns rows that match a header: those with the same text, otherwise those that begin with it. */
function headerRows(index: LineIndex, header: string): number[] {
  const id = index.idOf(header);
  const rows: number[] = [];
  if (id > 0) {
    for (let row = index.first[id] ?? -1; row !== -1; row = index.next[row] ?? -1) rows.push(row);
    return rows;
  }
  const key = looseKey(header);
  for (let row = 0; row < index.lines.length; row++)
    if (looseKey(index.lines[row] ?? "").startsWith(key)) rows.push(row);
  return rows;
}

/**
 * Returns the row after the lines that are indented more than the one at `row`, including the closing bracket at its
 * own depth.
 */
function blockEnd(index: LineIndex, row: number): number {
  const depth = columns(indentOf(index.lines[row] ?? ""), 4);
  let deeper = false;
  for (let at = row + 1; at < index.lines.length; at++) {
    const line = (index.lines[at] ?? "").trim();
    if (line === "") continue;
    const own = columns(indentOf(index.lines[at] ?? ""), 4);
    if (own > depth) deeper = true;
    else if (own < depth || !/^[)\]}>{]|^(?:else|elif|except|finally|catch|end)\b/.test(line))
      return deeper ? at : row + 1;
  }
  return deeper ? index.lines.length : row + 1;
}

function narrowed(index: LineIndex, hunk: PatchHunk, scope: Scope | undefined): HunkMatch {
  const from = scope === undefined ? 0 : Math.min(...scope.rows);
  const reading = findHunk(index, hunk.lines, { from, to: index.lines.length });
  if ("doubt" in reading) return reading;
  const { located, sides } = reading;
  if (located.kind !== "several") return reading;
  const length = sides.search.length;
  const only = (rows: number[]) => {
    const places = rows.map((row) => findHunk(index, hunk.lines, { from: row, to: row + length }));
    const fitting = places.filter((match) => "located" in match && match.located.kind === "one");
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  // Directly below the context of the previous hunk.
  const below = scope === undefined || hunk.anchors.length === 0 ? [] : scope.rows.map((row) => row + 1);
  if (located.total > located.rows.length) return only(below) ?? reading;
  const atEnd = hunk.endOfFile ? only(located.rows.filter((row) => isEnd(index, row + length))) : undefined;
  const inScope =
    scope === undefined ? undefined : only(located.rows.filter((row) => scopeHolds(scope, row)));
  return atEnd ?? inScope ?? only(below) ?? reading;
}

function isEnd(index: LineIndex, row: number): boolean {
  return index.lines.slice(row).every((line) => line.trim() === "");
}

function insertion(
  index: LineIndex,
  hunk: PatchHunk,
  scope: Scope | undefined,
  lines: readonly string[],
): Splice[] | string {
  const end = index.lines.length;
  if (index.text.trim() === "") return [{ row: 0, remove: end, insert: lines }];
  if (hunk.endOfFile) return [{ row: end, remove: 0, insert: lines }];
  const [row, another] = scope?.rows ?? [];
  if (row === undefined)
    return 'It has no context. Add the unchanged line (with " ") next to which the new lines belong.';
  if (another !== undefined) {
    return `The line after "@@" stands on ${plural(scope?.rows.length ?? 0, "line")} (${listing((scope?.rows ?? []).map((at) => at + 1))}). Add unchanged lines as context.`;
  }
  return [{ row: row + 1, remove: 0, insert: lines }];
}
