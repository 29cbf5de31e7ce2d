import { escapingOf, unescapeEntities } from "../fold.ts";
import type { FileProbe, Mark, OpenBlock, SearchReplaceBlock } from "./block.ts";
import { isWrapping } from "./block-end.ts";
import { dividerOf, doubtful, impliedEnd, quoted, replacementOf } from "./block-shape.ts";
import { followsNamedLine, markerKind, type NearMarker, namedLine, nearMarker } from "./markers.ts";

/** What is wrong with the form of a diff, in words for a model. */
export interface FormProblem {
  line: number;
  message: string;
}

/** Reads a diff line by line. */
export interface BlockReader {
  /** Reads one line without its ending. Returns the block that it completes, if any. */
  line(text: string): SearchReplaceBlock | undefined;
  /**
   * Ends the diff. `complete` means that the message was not cut off: only then may the last REPLACE marker be miswritten.
   * Returns the block that this completes, if any.
   */
  end(complete: boolean): SearchReplaceBlock | undefined;
  readonly problem: FormProblem | undefined;
}

/**
 * Maximum work for distinguishing marker lines from text, in lines, before a diff is given up. One check costs about
 * 1,000.
 */
const MAX_WORK = 1_000_000;

/** Creates a reader of SEARCH/REPLACE blocks. Text between blocks is skipped. */
export function createBlockReader(probe: FileProbe): BlockReader {
  let number = 0;
  let indent = "";
  let opened = 0;
  let open: (OpenBlock & { lines: string[]; marks: Mark[]; near: Mark<NearMarker>[] }) | undefined;
  let problem: FormProblem | undefined;
  let closedOnce = false;
  /** A rule below the SEARCH marker ended what belongs to the marker. */
  let headEnded = false;
  /** A line between blocks that may have been meant to begin one. */
  let missed: { number: number; text: string } | undefined;

  const fail = (line: number, message: string) => {
    problem ??= { line, message };
    return undefined;
  };

  let work = 0;
  const file: FileProbe = {
    isMarkup: probe.isMarkup,
    hasMarkers: () => probe.hasMarkers(),
    contains(lines) {
      work += lines.length + 1_000;
      if (work > MAX_WORK)
        fail(opened, `The block that begins on line ${opened} of the diff holds too many marker lines.`);
      return work <= MAX_WORK && probe.contains(lines);
    },
  };

  const begin = () => {
    missed = undefined;
    headEnded = false;
    opened = number;
    open = { line: number, lines: [], marks: [], near: [] };
  };

  const drop = (message: string) => {
    open = undefined;
    closedOnce = true;
    return fail(opened, message);
  };

  /** Completes the block whose replacement ends before the line `end`; undefined if part of it is ambiguous. */
  const close = (block: OpenBlock, divider: number, end: number): SearchReplaceBlock | undefined => {
    open = undefined;
    closedOnce = true;
    const dividers = block.marks.filter(({ kind, at }) => kind === "divider" && at < end);
    const another = dividers.find(({ at }) => at > divider);
    const side = replacementOf(block, divider, end, file);
    if ("doubt" in side) {
      return fail(
        opened + side.doubt + 1,
        `Line ${opened + side.doubt + 1} of the diff, "${quoted(block.lines[side.doubt] ?? "")}", right before the end of the block that begins on line ${opened}, may hold a marker too many, or the underline of a heading. Leave the marker out; write an underline as long as its heading.`,
      );
    }
    const complete: SearchReplaceBlock = {
      line: opened,
      search: block.lines.slice(0, divider),
      ...(block.startLine === undefined ? {} : { startLine: block.startLine }),
      replace: side.replace,
      // A search text that occurs in the file beyond its first divider is no longer ambiguous.
      ...(another === undefined || dividers[0]?.at !== divider ? {} : { divider: another.at - divider - 1 }),
    };
    const doubt = doubtful(block, complete, divider, end, file);
    if (doubt !== undefined) return fail(opened, doubt);
    return block.isEscaped ? unescaped(complete) : complete;
  };

  /** The block with its texts unescaped like its markers; undefined if they may not be escaped. */
  const unescaped = (block: SearchReplaceBlock): SearchReplaceBlock | undefined => {
    const escaping = escapingOf([...block.search, ...block.replace]);
    if (escaping === "unclear")
      return fail(
        opened,
        `The markers of the block that begins on line ${opened} of the diff are escaped (&lt; for <), but only a part of its text is. Write markers and text without escaping.`,
      );
    if (escaping === "no") return block;
    const { search, replace } = block;
    return { ...block, search: search.map(unescapeEntities), replace: replace.map(unescapeEntities) };
  };

  const onReplaceMarker = (block: OpenBlock): SearchReplaceBlock | undefined => {
    const end = block.lines.length - 1;
    if (file.hasMarkers() && file.contains(block.lines)) return undefined;
    const divider = dividerOf(block, end, file);
    if (divider === undefined)
      return drop(
        `The block that begins on line ${opened} of the diff has no ======= line before its REPLACE marker.`,
      );
    let depth = 0;
    for (const mark of block.marks) {
      if (mark.at <= divider || mark.at >= end) continue;
      if (mark.kind === "search") depth += 1;
      if (mark.kind === "replace") depth -= 1;
    }
    return depth > 0 ? undefined : close(block, divider, end);
  };

  /** A SEARCH marker inside a block begins the next block if the current one has an improperly written end. */
  const onSearchMarker = (block: OpenBlock): SearchReplaceBlock | undefined => {
    const to = block.lines.length - 1;
    const divider = dividerOf(block, to, file);
    const end = divider === undefined ? undefined : impliedEnd(block, divider, to, file);
    if (divider === undefined || end === undefined) return undefined;
    const complete = close(block, divider, end);
    begin();
    return complete;
  };

  const unfinished = (block: OpenBlock, complete: boolean): SearchReplaceBlock | undefined => {
    const { lines, marks } = block;
    const name = `The block that begins on line ${opened} of the diff`;
    // A REPLACE marker that was skipped as part of a text may have been the block's own.
    const lastMark = marks.at(-1);
    if (lastMark?.kind === "replace" && lines.slice(lastMark.at + 1).every(isWrapping)) {
      const divider = dividerOf(block, lastMark.at, file);
      if (divider !== undefined && !marks.some(({ kind, at }) => kind === "search" && at > divider))
        return close(block, divider, lastMark.at);
    }
    const divider = dividerOf(block, lines.length, file);
    if (divider === undefined)
      return drop(`${name} is cut off: it has no ======= line and no +++++++ REPLACE line.`);
    const end = complete ? impliedEnd(block, divider, lines.length, file) : undefined;
    if (end !== undefined) return close(block, divider, end);
    const next = marks.find(({ kind, at }) => kind === "search" && at > divider);
    const where =
      next === undefined ? "" : ` before the next SEARCH marker (line ${block.line + next.at + 1})`;
    return drop(`${name} has no +++++++ REPLACE line${where}.`);
  };

  /** Whether a line right after the SEARCH marker belongs to the marker. */
  const extendsMarker = (block: OpenBlock, text: string): boolean => {
    if (block.lines.length > 0 || headEnded) return false;
    const line = namedLine(text);
    if (line === undefined) return block.startLine !== undefined && followsNamedLine(text);
    return block.startLine === undefined && !probe.contains([text]);
  };

  const betweenBlocks = (text: string): undefined => {
    const before = text.slice(0, text.length - text.trimStart().length);
    const kind = markerKind(text, before);
    const near = kind ?? nearMarker(text);
    if (kind === "search" || markerKind(unescapeEntities(text), before) === "search") {
      indent = before;
      begin();
      if (kind !== "search" && open !== undefined) open.isEscaped = true;
    } else if (near === "search") missed = { number, text };
    else if (missed !== undefined && near !== undefined) {
      fail(
        missed.number,
        `Line ${missed.number} of the diff, "${quoted(missed.text)}", resembles a SEARCH marker. Write it so, alone on its line: ------- SEARCH.`,
      );
    } else if (
      kind === "replace" ||
      (kind === "divider" && before === "" && closedOnce && /^={7}\s*$/.test(text))
    ) {
      fail(
        number,
        `Line ${number} of the diff, "${text.trim()}", belongs to no block: a block begins with a line ------- SEARCH.`,
      );
    }
  };

  return {
    get problem() {
      return problem;
    },
    line(text) {
      number += 1;
      if (work > MAX_WORK) return undefined;
      if (open === undefined) return betweenBlocks(text);
      if (extendsMarker(open, text)) {
        open.startLine ??= namedLine(text) ?? 0;
        open.line = number;
        headEnded = text.startsWith("-");
        opened = number;
        return undefined;
      }
      const at = open.lines.push(text) - 1;
      const kind = markerKind(open.isEscaped ? unescapeEntities(text) : text, indent);
      if (kind === undefined) {
        const near = nearMarker(text);
        if (near !== undefined) open.near.push({ kind: near, at });
        return undefined;
      }
      open.marks.push({ kind, at });
      if (kind === "divider") return undefined;
      return kind === "replace" ? onReplaceMarker(open) : onSearchMarker(open);
    },
    end(complete) {
      return open === undefined || work > MAX_WORK ? undefined : unfinished(open, complete);
    },
  };
}
