import { bareLines } from "../../text.ts";
import type { Block, FileLooks, Mark, OpenBlock } from "./block.ts";
import { doubtfulLine, isWrapping, seemsCutOff } from "./block-end.ts";
import { dividerOf, doubtful, impliedEnd, quoted, replacementOf } from "./block-shape.ts";
import { markerKind, type NearMarker, nearMarker } from "./markers.ts";

/** What is wrong with the form of a diff, in words for a model. */
export interface FormProblem {
  line: number;
  message: string;
}

/** Reads a diff line by line. */
export interface BlockReader {
  /** Takes one line without its ending; the block that it completes, if any. */
  line(text: string): Block | undefined;
  /**
   * The end of the diff. `complete` says that the message was not cut off: only then may the last REPLACE marker be
   * missing. Returns the block that this completes, if any.
   */
  end(complete: boolean): Block | undefined;
  readonly problem: FormProblem | undefined;
}

/** Work spent on telling marker lines from text, in lines, before a diff counts as hopeless. A look costs some 1,000. */
const MOST_ASKED = 1_000_000;

/** A reader of SEARCH/REPLACE blocks. What stands between blocks is not theirs and is passed over. */
export function createBlockReader(looks: FileLooks): BlockReader {
  let number = 0;
  let indent = "";
  let opened = 0;
  let open: (OpenBlock & { lines: string[]; marks: Mark[]; near: Mark<NearMarker>[] }) | undefined;
  let problem: FormProblem | undefined;
  let closedOnce = false;
  /** A line between blocks that may have been meant to begin one. */
  let missed: { number: number; text: string } | undefined;

  const fail = (line: number, message: string) => {
    problem ??= { line, message };
    return undefined;
  };

  let asked = 0;
  const file: FileLooks = {
    hasMarkers: () => looks.hasMarkers(),
    holds(lines) {
      asked += lines.length + 1_000;
      if (asked > MOST_ASKED)
        fail(opened, `The block that begins on line ${opened} of the diff holds too many marker lines.`);
      return asked <= MOST_ASKED && looks.holds(lines);
    },
  };

  const begin = () => {
    missed = undefined;
    opened = number;
    open = { line: number, lines: [], marks: [], near: [] };
  };

  const drop = (message: string) => {
    open = undefined;
    closedOnce = true;
    return fail(opened, message);
  };

  /** The block whose replacement ends before the line `end`; undefined where something in it is unclear. */
  const close = (block: OpenBlock, divider: number, end: number): Block | undefined => {
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
    const complete: Block = {
      line: opened,
      search: block.lines.slice(0, divider),
      replace: side.replace,
      // A search that the file answers past its first divider is no longer in doubt.
      ...(another === undefined || dividers[0]?.at !== divider ? {} : { divider: another.at - divider - 1 }),
    };
    const doubt = doubtful(block, complete, divider, end, file);
    return doubt === undefined ? complete : fail(opened, doubt);
  };

  const onReplaceMarker = (block: OpenBlock): Block | undefined => {
    const end = block.lines.length - 1;
    if (file.hasMarkers() && file.holds(block.lines)) return undefined;
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

  /** A SEARCH marker inside a block begins the next one where the block has an end that was not written properly. */
  const onSearchMarker = (block: OpenBlock): Block | undefined => {
    const to = block.lines.length - 1;
    const divider = dividerOf(block, to, file);
    const end = divider === undefined ? undefined : impliedEnd(block, divider, to, file);
    if (divider === undefined || end === undefined) return undefined;
    const complete = close(block, divider, end);
    begin();
    return complete;
  };

  const unfinished = (block: OpenBlock, complete: boolean): Block | undefined => {
    const { lines, marks } = block;
    const name = `The block that begins on line ${opened} of the diff`;
    // A REPLACE marker that was passed over as part of a text may have been the block's own after all.
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
    if (next !== undefined)
      return drop(
        `${name} has no +++++++ REPLACE line before the next SEARCH marker (line ${opened + next.at + 1}).`,
      );
    const replace = lines.slice(divider + 1);
    if (!complete || replace.every((line) => line.trim() === ""))
      return drop(`${name} is cut off: its +++++++ REPLACE line is missing.`);
    const doubt = doubtfulLine(lines.slice(0, divider), replace);
    if (doubt === undefined) {
      // Blank lines at the end may belong to the replacement or to the message around it.
      if (replace.at(-1)?.trim() === "")
        return drop(`${name} has no +++++++ REPLACE line after its last blank line.`);
      if (seemsCutOff(lines.slice(0, divider), replace))
        return drop(`${name} has no +++++++ REPLACE line, and its replacement seems to be cut off.`);
      return close(block, divider, lines.length);
    }
    const line = opened + divider + doubt + 2;
    return drop(
      `${name} has no +++++++ REPLACE line. It is expected before or in place of line ${line}, "${quoted(replace[doubt] ?? "")}".`,
    );
  };

  return {
    get problem() {
      return problem;
    },
    line(text) {
      number += 1;
      if (asked > MOST_ASKED) return undefined;
      if (open === undefined) {
        const before = text.slice(0, text.length - text.trimStart().length);
        const kind = markerKind(text, before);
        const near = kind ?? nearMarker(text);
        if (kind === "search") {
          indent = before;
          begin();
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
        return undefined;
      }
      const at = open.lines.push(text) - 1;
      const kind = markerKind(text, indent);
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
      return open === undefined || asked > MOST_ASKED ? undefined : unfinished(open, complete);
    },
  };
}

/** All blocks of a whole diff, and what is wrong with its form. */
export function readBlocks(
  diff: string,
  file: FileLooks,
  complete = true,
): { blocks: Block[]; problem: FormProblem | undefined } {
  const reader = createBlockReader(file);
  const blocks: Block[] = [];
  for (const line of bareLines(diff)) {
    const block = reader.line(line);
    if (block !== undefined) blocks.push(block);
  }
  const last = reader.end(complete);
  if (last !== undefined) blocks.push(last);
  return { blocks, problem: reader.problem };
}
