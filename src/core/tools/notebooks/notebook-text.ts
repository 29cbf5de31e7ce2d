/**
 * Jupyter notebooks as text: cells under headings with their ids, and what they printed. See `late-parts.ts` for what this file must not
 * import.
 */
import { terminalText } from "../../../shared/terminal-output.ts";
import { encodedImageFacts } from "../../image-facts.ts";
import { truncateMiddle } from "../../text.ts";
import type { CellOutput, NotebookCell, NotebookCells } from "./notebook-cells.ts";

/** Characters of one cell's output that are included, of the calls that led to an error, and images of a notebook. */
const OUTPUT_LIMIT = 4_000;
const TRACEBACK_LIMIT = 1_500;
const MOST_IMAGES = 8;

export interface OutputImage {
  /** Stands in the text where the image belongs. */
  mark: string;
  mimeType: string;
  /** Base64. */
  data: string;
}

export interface NotebookText {
  text: string;
  images: OutputImage[];
}

/** `seesImages`: images are returned, and marked in the text. */
export function notebookText({ cells, language }: NotebookCells, seesImages: boolean): NotebookText {
  const images: OutputImage[] = [];
  const sections = cells.map((cell) => cellText(cell, { language, images: seesImages ? images : undefined }));
  return { text: sections.join("\n\n"), images };
}

interface Rendering {
  language: string;
  /** Images are added to it; undefined: there is nobody to see them. */
  images: OutputImage[] | undefined;
}

function cellText(cell: NotebookCell, rendering: Rendering): string {
  const { id, type, source, executionCount } = cell;
  const run = executionCount === undefined ? "" : `, run ${executionCount}`;
  const body = type === "code" ? fenced(source, rendering.language) : source;
  const printed = printedText(cell.outputs, rendering.images);
  return [`## Cell ${id} (${type}${run})`, body, ...(printed === "" ? [] : [`Output:\n${printed}`])].join(
    "\n\n",
  );
}

/** What a cell printed, in bounds; "": nothing. */
export function outputsText(outputs: readonly CellOutput[], seesImages: boolean): NotebookText {
  const images: OutputImage[] = [];
  return { text: printedText(outputs, seesImages ? images : undefined), images };
}

function printedText(outputs: readonly CellOutput[], images: OutputImage[] | undefined): string {
  const printed = outputs.map((output) => outputText(output, images)).filter((text) => text !== "");
  const marks = printed.filter((text) => images?.some(({ mark }) => mark === text));
  const text = truncateMiddle(printed.filter((each) => !marks.includes(each)).join("\n"), {
    max: OUTPUT_LIMIT,
  });
  return [text, ...marks].filter((part) => part !== "").join("\n");
}

function fenced(source: string, language: string): string {
  const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${source}\n${fence}`;
}

function outputText(output: CellOutput, images: OutputImage[] | undefined): string {
  if (output.output_type === "error") return errorText(output);
  if (output.text !== undefined) return terminalText(output.text).trimEnd();
  const data = output.data ?? {};
  const mark = images && imageMark(data, images);
  if (mark !== undefined) return mark;
  const kinds = Object.keys(data);
  const isImage = kinds.some((kind) => kind.startsWith("image/"));
  const plain = data["text/plain"];
  if (typeof plain === "string" && !isImage) return plain;
  return kinds.length > 0 ? `[${kinds.join(", ")}]` : "";
}

function errorText({ ename = "Error", evalue = "", traceback = [] }: CellOutput): string {
  const calls = terminalText(traceback.join("\n")).trim();
  const name = `${ename}: ${evalue}`;
  // Jupyter's own traceback ends with the same words.
  if (calls === "") return name;
  const shortened = truncateMiddle(calls, { max: TRACEBACK_LIMIT });
  return calls.includes(name) ? shortened : `${name}\n${shortened}`;
}

function imageMark(data: Readonly<Record<string, unknown>>, images: OutputImage[]): string | undefined {
  if (images.length >= MOST_IMAGES) return undefined;
  for (const kind of ["image/png", "image/jpeg", "image/gif", "image/webp"]) {
    const written = data[kind];
    if (typeof written !== "string") continue;
    const base64 = written.replace(/\s+/g, "");
    const facts = encodedImageFacts(base64);
    if (!facts) continue;
    const mark = `[image ${images.length + 1}]`;
    images.push({ mark, mimeType: facts.mimeType, data: base64 });
    return mark;
  }
  return undefined;
}
