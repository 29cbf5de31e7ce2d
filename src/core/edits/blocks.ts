import { bareLines } from "../text.ts";

/** One SEARCH/REPLACE block as the model wrote it, line by line, without line endings. */
export interface Block {
  /** The line of the diff on which its SEARCH marker stands, 1-based. */
  line: number;
  search: readonly string[];
  replace: readonly string[];
  /** Index into `replace` of the first line that could be the ======= line as well. */
  divider?: number;
}

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

/** What the reader asks about the file: it tells marker lines in a text from markers by what the file holds. */
export interface FileLooks {
  /** Whether some line of the file could be taken for a marker. */
  hasMarkers(): boolean;
  /** Whether these lines stand in the file one after the other. */
  holds(lines: readonly string[]): boolean;
}

type Kind = "search" | "divider" | "replace";

interface Mark {
  kind: Kind;
  /** Index into the lines of the block. */
  at: number;
}

/** Which marker a line is; `indent` is the white space that must stand before it. */
export function markerKind(line: string, indent = ""): Kind | undefined {
  if (!line.startsWith(indent)) return undefined;
  switch (line.charCodeAt(indent.length)) {
    case 45: // -
    case 60: // <
      return /^[-<]{3,} ?SEARCH>?\s*$/.test(line.slice(indent.length)) ? "search" : undefined;
    case 61: // =
      return /^={3,}\s*$/.test(line.slice(indent.length)) ? "divider" : undefined;
    case 43: // +
    case 62: // >
      return /^[+>]{3,} ?REPLACE>?\s*$/.test(line.slice(indent.length)) ? "replace" : undefined;
    default:
      return undefined;
  }
}

/** Whether a line of a file could be taken for a marker, indented or not. */
export const markerInFile = /^[ \t]*(?:={3,}|[-<]{3,} ?SEARCH>?|[+>]{3,} ?REPLACE>?)[ \t\r]*$/m;

/** Work spent on telling marker lines from text, in lines, before a diff counts as hopeless. A look costs some 1,000. */
const MOST_ASKED = 1_000_000;

/** A reader of SEARCH/REPLACE blocks. What stands between blocks is not theirs and is passed over. */
export function createBlockReader(looks: FileLooks): BlockReader {
  let number = 0;
  let opened = 0;
  let indent = "";
  let lines: string[] | undefined;
  let marks: Mark[] = [];
  let problem: FormProblem | undefined;
  let closedOnce = false;

  const fail = (line: number, message: string) => {
    problem ??= { line, message };
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

  const close = (divider: number, end: number): Block | undefined => {
    const all = lines ?? [];
    const inner = marks.filter((mark) => mark.at > divider && mark.at < end);
    // A search that the file answers past its first divider is no longer in doubt.
    const first = marks.find((mark) => mark.kind === "divider");
    const another = first?.at === divider ? inner.find((mark) => mark.kind === "divider") : undefined;
    const block: Block = {
      line: opened,
      search: all.slice(0, divider),
      replace: all.slice(divider + 1, end),
      ...(another === undefined ? {} : { divider: another.at - divider - 1 }),
    };
    lines = undefined;
    closedOnce = true;
    const doubt = doubtful(block, inner, divider, file);
    if (doubt === undefined) return block;
    fail(opened, doubt);
    return undefined;
  };

  const onReplaceMarker = (): Block | undefined => {
    const all = lines ?? [];
    const end = all.length - 1;
    const known = file.hasMarkers();
    if (known && file.holds(all)) return undefined;
    const divider = dividerOf(all, marks, known, file);
    if (divider === undefined) {
      fail(
        opened,
        `The block that begins on line ${opened} of the diff has no ======= line before its REPLACE marker.`,
      );
      lines = undefined;
      closedOnce = true;
      return undefined;
    }
    let depth = 0;
    for (const mark of marks) {
      if (mark.at <= divider || mark.at >= end) continue;
      if (mark.kind === "search") depth += 1;
      if (mark.kind === "replace") depth -= 1;
    }
    return depth > 0 ? undefined : close(divider, end);
  };

  return {
    get problem() {
      return problem;
    },
    line(text) {
      number += 1;
      if (asked > MOST_ASKED) return undefined;
      if (lines === undefined) {
        const before = text.slice(0, text.length - text.trimStart().length);
        const kind = markerKind(text, before);
        if (kind === "search") {
          lines = [];
          marks = [];
          opened = number;
          indent = before;
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
      const kind = markerKind(text, indent);
      lines.push(text);
      if (kind === undefined) return undefined;
      marks.push({ kind, at: lines.length - 1 });
      return kind === "replace" ? onReplaceMarker() : undefined;
    },
    end(complete) {
      if (lines === undefined || asked > MOST_ASKED) return undefined;
      const all = lines;
      const last = all.at(-1)?.slice(indent.length) ?? "";
      const torn = /^[+>]{3,} ?(?:R|RE|REP|REPL|REPLA|REPLAC)?\s*$/.test(last);
      const known = file.hasMarkers();
      // A REPLACE marker that was passed over as part of a text may have been the block's own after all.
      const lastMark = marks.at(-1);
      if (lastMark?.kind === "replace" && all.slice(lastMark.at + 1).every((line) => line.trim() === "")) {
        const divider = dividerOf(all.slice(0, lastMark.at), marks, known, file);
        if (divider !== undefined && !marks.some((mark) => mark.kind === "search" && mark.at > divider)) {
          return close(divider, lastMark.at);
        }
      }
      const divider = dividerOf(all, marks, known, file);
      lines = undefined;
      if (divider === undefined) {
        fail(
          opened,
          `The block that begins on line ${opened} of the diff is cut off: it has no ======= line and no +++++++ REPLACE line.`,
        );
        return undefined;
      }
      const next = marks.find((mark) => mark.kind === "search" && mark.at > divider);
      if (next !== undefined) {
        const at = opened + next.at + 1;
        fail(
          opened,
          `The block that begins on line ${opened} of the diff has no +++++++ REPLACE line before the next SEARCH marker (line ${at}).`,
        );
        return undefined;
      }
      if (!complete) {
        fail(
          opened,
          `The block that begins on line ${opened} of the diff is cut off: its +++++++ REPLACE line is missing.`,
        );
        return undefined;
      }
      lines = all;
      return close(divider, torn ? all.length - 1 : all.length);
    },
  };
}

/**
 * Which ======= line parts the searched text from its replacement: the last one up to which the text stands in the file
 * (so that dividers inside the searched text are text), else the first.
 */
function dividerOf(
  all: readonly string[],
  marks: readonly Mark[],
  known: boolean,
  file: FileLooks,
): number | undefined {
  const dividers = marks.filter((mark) => mark.kind === "divider" && mark.at < all.length);
  const [first, ...rest] = dividers;
  if (first === undefined || !known) return first?.at;
  for (const mark of rest.reverse().slice(-100)) {
    if (file.holds(all.slice(0, mark.at))) return mark.at;
  }
  return first.at;
}

/** Why the marker lines inside a replacement leave it unclear what was meant, if they do. */
function doubtful(
  block: Block,
  inner: readonly Mark[],
  divider: number,
  file: FileLooks,
): string | undefined {
  const [first] = inner;
  if (first === undefined) return undefined;
  const where = `In the block that begins on line ${block.line} of the diff, line ${block.line + first.at + 1}`;
  if (first.kind === "divider" && first.at === divider + 1 && !file.hasMarkers()) {
    return `${where} is a second ======= line right after the first: leave one of them out.`;
  }
  for (const [k, mark] of inner.entries()) {
    if (mark.kind !== "search") continue;
    const parting = inner.slice(k + 1).find((other) => other.kind === "divider");
    if (parting === undefined) continue;
    const nested = block.replace.slice(mark.at - divider, parting.at - divider - 1);
    const closing = inner.slice(k + 1).find((other) => other.kind === "replace");
    const example = block.replace.slice(mark.at - divider - 1, (closing ?? parting).at - divider);
    // An example of a block that the file holds as it stands is text; a search that the file answers is a block.
    if (nested.length > 0 && file.holds(nested) && !file.holds(example)) {
      return `${where} begins a block inside the REPLACE text of another: close the first with +++++++ REPLACE.`;
    }
  }
  return undefined;
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
