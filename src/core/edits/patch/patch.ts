import { indentOf, looseKey } from "../fold.ts";
import { columns } from "../indent.ts";
import { createFileIndex, type FileIndex } from "../line-index.ts";
import { listing, plural, severalPlaces } from "../messages.ts";
import { applySplices, type Splice, splicesAt } from "../splice.ts";
import { type Hunk, type PatchOperation, parsePatch } from "./patch-parse.ts";
import { findHunk, type HunkFound, hunkNotFound } from "./patch-read.ts";

export { type PatchOperation, parsePatch, pathsNamed } from "./patch-parse.ts";

/** The change to one file. `move` contains the new content in case the patch also changes it. */
export type PatchChange =
  | { kind: "add"; path: string; content: string }
  | { kind: "update"; path: string; content: string }
  | { kind: "delete"; path: string }
  | { kind: "move"; path: string; to: string; content: string };

/** All changes of a patch, or an error that a model can act on, with nothing changed. */
export type PatchResult = { ok: true; changes: PatchChange[] } | { ok: false; error: string };

/**
 * Applies a patch in the apply_patch format to file contents, all or nothing. `read` returns a file's content;
 * undefined if there is no such file. Hunks are located like SEARCH/REPLACE blocks, with the same refusals; `@@` lines
 * and "*** End of File" distinguish similar places. Never throws unless `read` does.
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
  for (const operation of parsed.operations) {
    const outcome = applyOperation(operation, read);
    if (typeof outcome === "string") errors.push(outcome);
    else changes.push(outcome);
  }
  const targets = parsed.operations.map((operation) =>
    operation.kind === "update" ? (operation.to ?? operation.path) : operation.path,
  );
  const twice = targets.find((path, at) => targets.indexOf(path) !== at);
  if (twice !== undefined) errors.push(`${twice} would be written twice.`);
  if (errors.length === 0) return { ok: true, changes };
  const fitting = changes.map((change) => change.path);
  const others =
    fitting.length === 0 ? "" : `What the patch says about ${listing(fitting)} would have fitted. `;
  return {
    ok: false,
    error: `${errors.join("\n\n")}\n\n${others}Nothing was changed. Correct what failed and send the whole patch again.`,
  };
}

function applyOperation(
  operation: PatchOperation,
  read: (path: string) => string | undefined,
): PatchChange | string {
  const { path } = operation;
  const original = read(path);
  if (operation.kind === "add") {
    if (original !== undefined) return `${path} exists already: use "*** Update File: ${path}" to change it.`;
    return { kind: "add", path, content: operation.lines.map((line) => `${line}\n`).join("") };
  }
  if (original === undefined) return `${path} does not exist, so it cannot be ${operation.kind}d.`;
  if (operation.kind === "delete") return { kind: "delete", path };
  const { to } = operation;
  if (to !== undefined && to !== path && read(to) !== undefined)
    return `${to} exists already, so ${path} cannot be moved there.`;
  const content = applyHunks(path, original, operation.hunks);
  if (typeof content !== "string") return content.error;
  return to === undefined || to === path
    ? { kind: "update", path, content }
    : { kind: "move", path, to, content };
}

function applyHunks(path: string, original: string, hunks: readonly Hunk[]): string | { error: string } {
  const index = createFileIndex(original);
  const problems: string[] = [];
  const placed: { hunk: number; splices: Splice[] }[] = [];
  for (const [at, hunk] of hunks.entries()) {
    const outcome = placeHunk(index, hunk);
    const name = hunks.length > 1 ? `Hunk ${at + 1} of ${hunks.length} for ${path}` : `The hunk for ${path}`;
    if (typeof outcome === "string")
      problems.push(`${name} (line ${hunk.line} of the patch) does not fit: ${outcome}`);
    else placed.push({ hunk: at, splices: outcome });
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
  if (problems.length === 0)
    return applySplices(
      index,
      steps.map((step) => step.splice),
    );
  const fitting = placed.map(({ hunk }) => hunk + 1);
  const others =
    fitting.length === 0
      ? ""
      : `\n${fitting.length === 1 ? "Hunk" : "Hunks"} ${listing(fitting)} would have fitted.`;
  return { error: problems.join("\n\n") + others };
}

function placeHunk(index: FileIndex, hunk: Hunk): Splice[] | string {
  const scope = scopeOf(index, hunk);
  if (typeof scope === "string") return scope;
  const searched = hunk.lines.filter((line) => line.sign !== "+");
  if (searched.length === 0)
    return insertion(
      index,
      hunk,
      scope,
      hunk.lines.map((line) => line.text),
    );
  if (searched.every((line) => line.text.trim() === ""))
    return "Its context holds only blank lines. Add lines that tell where the change belongs.";
  const reading = narrowed(index, hunk, scope);
  if ("doubt" in reading) return reading.doubt;
  const { found, sides } = reading;
  if (found.kind === "none") return hunkNotFound(index, hunk, sides);
  if (found.kind === "several")
    return `${severalPlaces(found, 'lines with " " and "-"')} Or name the line above them after "@@".`;
  if (scope !== undefined && !inReach(scope, found.place.start)) {
    return `Its lines stand on line ${found.place.start + 1}, which is not inside what ${scope.name} opens.`;
  }
  const splices = splicesAt(index, found.place, sides);
  return splices.length === 0
    ? `It changes nothing: lines ${found.place.start + 1}-${found.place.end} already read so.`
    : splices;
}

/**
 * Rows that `@@` lines or context-only hunks lead to: places must begin at or after one of them; `ends` are where their
 * blocks end.
 */
interface Scope {
  rows: number[];
  ends: number[];
  /** The line that leads there, in words for a model. */
  name: string;
}

function scopeOf(index: FileIndex, hunk: Hunk): Scope | undefined | string {
  let scope: Scope | undefined;
  for (const anchor of hunk.anchors) {
    const next = anchorScope(index, anchor, scope);
    if (typeof next === "string") return next;
    scope = next;
  }
  return headerScope(index, hunk, scope);
}

/** Returns the scope of a context-only hunk: its last row. */
function anchorScope(index: FileIndex, anchor: Hunk, outer: Scope | undefined): Scope | string {
  const scope = headerScope(index, anchor, outer);
  if (typeof scope === "string") return scope;
  const reading = narrowed(index, anchor, scope);
  if ("doubt" in reading) return reading.doubt;
  const { found, sides } = reading;
  if (found.kind === "none") return hunkNotFound(index, anchor, sides);
  const inner =
    found.kind === "one"
      ? [found.place.end - 1]
      : found.rows.filter((row) => scopeHolds(scope, row)).map((row) => row + sides.search.length - 1);
  if (inner.length === 0 || (found.kind === "several" && found.total > found.rows.length))
    return found.kind === "several" ? severalPlaces(found, "unchanged lines") : "";
  return {
    rows: inner,
    ends: inner.map((row) => blockEnd(index, row)),
    name: `"${(sides.search.at(-1) ?? "").trim()}"`,
  };
}

function headerScope(index: FileIndex, hunk: Hunk, outer: Scope | undefined): Scope | undefined | string {
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
    scope = { rows, ends: rows.map((row) => blockEnd(index, row)), name: `"@@ ${header}"` };
  }
  return scope;
}

function scopeHolds(scope: Scope | undefined, row: number): boolean {
  return scope === undefined || scope.rows.some((from, at) => row >= from && row < (scope.ends[at] ?? 0));
}

/**
 * Whether a place can belong to a header: a line that opens a block covers only its block, other lines cover everything
 * that follows.
 */
function inReach(scope: Scope, row: number): boolean {
  return scope.rows.some((from, at) => {
    const end = scope.ends[at] ?? 0;
    return row >= from && (row < end || end <= from + 1);
  });
}

/** Returns rows that match a header: those with the same text, otherwise those that begin with it. */
function headerRows(index: FileIndex, header: string): number[] {
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
function blockEnd(index: FileIndex, row: number): number {
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

function narrowed(index: FileIndex, hunk: Hunk, scope: Scope | undefined): HunkFound {
  const from = scope === undefined ? 0 : Math.min(...scope.rows);
  const reading = findHunk(index, hunk.lines, { from, to: index.lines.length });
  if ("doubt" in reading) return reading;
  const { found, sides } = reading;
  if (found.kind !== "several") return reading;
  const length = sides.search.length;
  const only = (rows: number[]) => {
    const places = rows.map((row) => findHunk(index, hunk.lines, { from: row, to: row + length }));
    const fitting = places.filter((place) => "found" in place && place.found.kind === "one");
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  // Directly below the context of the previous hunk.
  const below = scope === undefined || hunk.anchors.length === 0 ? [] : scope.rows.map((row) => row + 1);
  if (found.total > found.rows.length) return only(below) ?? reading;
  const atEnd = hunk.endOfFile ? only(found.rows.filter((row) => isEnd(index, row + length))) : undefined;
  const inScope = scope === undefined ? undefined : only(found.rows.filter((row) => scopeHolds(scope, row)));
  return atEnd ?? inScope ?? only(below) ?? reading;
}

function isEnd(index: FileIndex, row: number): boolean {
  return index.lines.slice(row).every((line) => line.trim() === "");
}

function insertion(
  index: FileIndex,
  hunk: Hunk,
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
