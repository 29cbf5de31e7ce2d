/** Extracts the text of a document by its kind. Runs in the document thread. */

import mammoth from "mammoth";
import readWorkbook from "read-excel-file/universal";
import type { DocumentWork } from "./document-reader.ts";
import { converted, converter, htmlToMarkdown } from "./html.ts";
import { pdfText } from "./pdf.ts";
import { refuseBomb } from "./zip.ts";

/** Characters of the extracted text. */
const TEXT_LIMIT = 10_000_000;

async function textOf({ bytes, kind, cmaps }: DocumentWork): Promise<string> {
  switch (kind) {
    case "pdf":
      return pdfText(bytes, cmaps);
    case "html":
      return htmlToMarkdown(new TextDecoder().decode(bytes));
    case "docx":
      refuseBomb(bytes);
      return docxText(bytes);
    case "xlsx":
      refuseBomb(bytes);
      return xlsxText(bytes);
  }
}

/** Rejects with an Error whose message tells the user and the model what is wrong with the document. */
export async function extractText({ bytes, kind, cmaps }: DocumentWork): Promise<string> {
  const text = await textOf({ bytes, kind, cmaps });
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}\n[... the rest is left out ...]` : text;
}

/** Word documents by mammoth, whose plain HTML becomes Markdown. */
async function docxText(bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(async () => ({ src: "" })), externalFileAccess: false },
  );
  const text = markdownOf(value);
  if (text === "") throw new Error("It contains no text.");
  return text;
}

/** Noncharacters, which no document contains. They replace tabs and repeated spaces, which HTML would collapse. */
const TAB = "\ufdd0";
const SPACE = "\ufdd1";

/** mammoth's HTML as Markdown. */
export function markdownOf(html: string): string {
  const service = converter();
  // The model searches the text as it is in the document, so it is not escaped with backslashes and keeps its white space.
  service.escape = (text) => text;
  service.addRule("image", { filter: "img", replacement: () => "[image]" });
  const kept = html.replaceAll("\t", TAB).replace(/ (?= )/g, SPACE);
  return converted(service, kept)
    .replace(/^( *)(-|\d+\.) +/gm, "$1$2 ")
    .replaceAll(TAB, "\t")
    .replaceAll(SPACE, " ")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

/** Rows of one sheet that are included; a sheet may have a million. */
const ROW_LIMIT = 20_000;

/** Extracts Excel workbooks as text: a heading for each sheet, a line for each row, cells separated by tabs. */
async function xlsxText(bytes: Uint8Array): Promise<string> {
  const sheets = await readWorkbook(new Uint8Array(bytes).buffer);
  return sheets
    .map(({ sheet, data }) => {
      const rows = data.slice(0, ROW_LIMIT).map((row) => row.map(cellText).join("\t").trimEnd());
      const left = data.length - rows.length;
      const note = left > 0 ? `\n(${left} more rows are left out)` : "";
      return `## Sheet ${sheet} (${data.length} rows)\n\n${rows.join("\n")}${note}`;
    })
    .join("\n\n");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) {
    // A workbook stores a date as a fraction of days, which is slightly inexact.
    const text = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
    return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
  }
  return String(value).replace(/[\t\r\n]+/g, " ");
}
