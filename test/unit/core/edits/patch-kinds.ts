import type { Random } from "../../../support/random.ts";
import { bones, type SourceFile } from "./corpus.ts";
import type { CaseMaker, EditCase } from "./edit-case.ts";
import {
  type Demand,
  freshLine,
  type Intent,
  meant,
  type Row,
  rowsOf,
  someIntent,
  textOf,
  uniqueStretch,
} from "./edits-model.ts";
import { kept } from "./miscopies.ts";

/** The file that every made patch changes. */
export const PATCHED = "src/f.ts";

/** How one line of a hunk is written. */
type Write = (sign: " " | "-" | "+", text: string, random: Random) => string;

/** How the lines around the hunk are written. */
interface Frame {
  begin?: string;
  update?: string;
  hunk?: string;
  end?: string;
}

const proper: Write = (sign, text) => sign + text;
const bare: Write = (sign, text) => (sign === " " ? text : sign + text);

export function hunkLines(rows: readonly Row[], intent: Intent, write: Write, random: Random): string[] {
  const out = intent.lead.map((text) => write("+", text, random));
  for (const [k, step] of intent.steps.entries()) {
    out.push(write(step.keep ? " " : "-", rows[intent.start + k]?.text ?? "", random));
    out.push(...step.put.map((text) => write("+", text, random)));
  }
  return out;
}

export function patchText(lines: readonly string[], frame: Frame = {}): string {
  const {
    begin = "*** Begin Patch",
    update = `*** Update File: ${PATCHED}`,
    hunk = "@@",
    end = "*** End Patch",
  } = frame;
  return [begin, update, hunk, ...lines, end, ""].join("\n");
}

/** A patch of one hunk over a stretch of a file, its lines written by `write`. */
function patch(
  write: Write,
  demand: Demand = {},
  frame: (random: Random) => Frame = () => ({}),
  intentOf: typeof someIntent = someIntent,
): CaseMaker {
  return (file, random) => {
    const rows = file.rows;
    const stretch = uniqueStretch(file, random, {
      least: 3,
      most: 8,
      ...demand,
      // Context that begins with a sign cannot be told from a change where its space is missing.
      fits: (all, start) =>
        !all.slice(start, start + 8).some((row) => /^[-+*@]/.test(row)) &&
        (demand.fits?.(all, start) ?? true),
    });
    if (stretch === undefined || rows.some((row) => /^ (?! *\*)(?! )/.test(row))) return undefined;
    const own = rowsOf(file);
    const intent = intentOf(own, stretch.start, stretch.length, random);
    const diff = patchText(hunkLines(own, intent, write, random), frame(random));
    return { original: textOf(own), diff, format: "patch", expected: meant(own, [intent]) };
  };
}

/** Lines that are only put in, so that context alone tells the place and the indentation. */
function insertion(_rows: readonly Row[], start: number, length: number, random: Random): Intent {
  const intent = kept(start, length);
  const row = _rows[start + random.int(0, length - 1)]?.text ?? "";
  intent.steps[random.int(0, length - 1)]?.put.push(freshLine(row, random));
  return intent;
}

const indented: Demand = { fits: (rows, start) => /^ {2}/.test(rows[start] ?? "") };
const refusing =
  (make: CaseMaker): CaseMaker =>
  (file, random) => {
    const made = make(file, random);
    return made && { ...made, expected: undefined };
  };

/** A line that stands twice, changed below a hunk of context alone that stands once. */
function belowAnchor(file: SourceFile, random: Random): EditCase | undefined {
  const rows = rowsOf(file);
  const places = file.rows.flatMap((row, at) =>
    bones(row).length > 2 &&
    (file.seen.get(bones(row)) ?? 0) > 1 &&
    file.seen.get(bones(file.rows[at - 1] ?? "")) === 1
      ? [at]
      : [],
  );
  const at = places.length === 0 ? undefined : random.pick(places);
  if (at === undefined || bones(file.rows[at - 1] ?? "").length < 3) return undefined;
  const intent = kept(at, 1);
  const text = freshLine(file.rows[at] ?? "", random);
  for (const step of intent.steps) {
    step.keep = false;
    step.put.push(text);
  }
  const lines = [` ${file.rows[at - 1]}`, "@@", `-${file.rows[at]}`, `+${text}`];
  return { original: textOf(rows), diff: patchText(lines), format: "patch", expected: meant(rows, [intent]) };
}

const HEADERS = [
  `  *** Update File: ${PATCHED}`,
  `*** Update File: ${PATCHED}   `,
  `*** Update File:${PATCHED}`,
  `*** Update File:   ${PATCHED}`,
  `***Update File: ${PATCHED}`,
  `*** update file: ${PATCHED}`,
  `\t*** Update  File : ${PATCHED}`,
  `*** Update File: ${PATCHED} ***`,
];

/** Patches as models write them: context without its space, padded headers, hunks of context alone. */
export const patchKinds: Record<string, CaseMaker> = {
  "patch, exact": patch(proper),
  "patch, context without its space": patch(bare),
  "patch, some context without its space": patch((sign, text, random) =>
    sign === " " && random.chance(0.5) ? text : sign + text,
  ),
  "patch, indented context without its space": patch(bare, indented),
  "patch, lines put in beside context without its space": patch(bare, indented, undefined, insertion),
  "patch, tabs and context without its space": patch(bare, {
    fits: (rows, start) => /^\t/.test(rows[start] ?? ""),
  }),
  "patch, empty context without its space": patch(
    (sign, text) => (text === "" && sign === " " ? "" : sign + text),
    {
      fits: (rows, start) => rows.slice(start + 1, start + 3).includes(""),
    },
  ),
  // Removed lines, or a whole step of the file's indentation, show how far.
  "patch, dedented by a level": (file, random) => {
    const made = patch((sign, text) => sign + text.replace(/^ {2}/, ""), {
      fits: (rows, start) => rows.slice(start, start + 8).every((row) => row === "" || /^ {2}/.test(row)),
    })(file, random);
    const step = file.rows.some((row) => /^ {2}(?: {4})*[^\s*]/.test(row)) ? 2 : 4;
    return made !== undefined && (step === 2 || /^-\s*\S/m.test(made.diff)) ? made : undefined;
  },
  // Removed lines show that the signs stand in the place of a column.
  "patch, signs over the first column": (file, random) => {
    const made = patch((sign, text) => (sign === " " || text === "" ? text : sign + text.slice(1)), {
      fits: (rows, start) => rows.slice(start, start + 8).every((row) => row === "" || /^ {2}/.test(row)),
    })(file, random);
    return made !== undefined && /^-\s*\S/m.test(made.diff) ? made : undefined;
  },
  "patch, context one column too far": refusing(
    patch((sign, text) => (sign === " " ? `  ${text}` : sign + text), indented, undefined, insertion),
  ),
  "patch, headers padded": patch(proper, {}, (random) => ({ update: random.pick(HEADERS) })),
  "patch, indented as a whole": (file, random) => {
    const made = patch(proper)(file, random);
    return made && { ...made, diff: made.diff.replace(/^(?=.)/gm, random.pick(["  ", "    ", "\t"])) };
  },
  "patch, last line with a tail": patch(proper, {}, (random) => ({
    end: random.pick([
      "*** End Patch</input>",
      "*** End Patch```",
      "*** end patch",
      "  *** End Patch",
      "*** End Patch\n```\nDone.",
    ]),
  })),
  "patch, below a hunk of context alone": belowAnchor,
  "patch, at the end of the file": (file, random) => {
    const rows = rowsOf(file);
    const intent = kept(file.rows.length - 2, 2);
    intent.steps[1]?.put.push(freshLine("", random));
    const lines = [...hunkLines(rows, intent, random.chance(0.5) ? bare : proper, random), "*** End of File"];
    if (lines.slice(0, 2).some((line) => line.trim() === "" || /^[-+*@]/.test(line))) return undefined;
    return {
      original: textOf(rows),
      diff: patchText(lines),
      format: "patch",
      expected: meant(rows, [intent]),
    };
  },
  "patch, last line missing": patch(proper, {}, () => ({ end: "" })),
  "patch, last line as an added line": refusing(patch(proper, {}, () => ({ end: "+*** End Patch" }))),
  "patch, stale context without its space": refusing((file, random) => {
    const made = patch(bare, indented)(file, random);
    return made && { ...made, diff: made.diff.replace("@@\n", () => `@@\n${freshLine("  ", random)}\n`) };
  }),
};
