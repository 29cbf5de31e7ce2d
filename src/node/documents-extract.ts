/** The text of a document, by what kind it is. Runs in the documents' thread. */
import type { DocumentWork } from "./documents.ts";
import { docxText } from "./documents-docx.ts";
import { pdfText } from "./documents-pdf.ts";
import { xlsxText } from "./documents-xlsx.ts";
import { refuseBomb } from "./documents-zip.ts";

/** Characters; what one document may come to. */
const textLimit = 10_000_000;

/** Rejects with an Error whose message says to a person and a model what is wrong with the document. */
export async function extractText({ bytes, kind, cmaps }: DocumentWork): Promise<string> {
  if (kind !== "pdf") refuseBomb(bytes);
  const text = await (kind === "pdf"
    ? pdfText(bytes, cmaps)
    : kind === "docx"
      ? docxText(bytes)
      : xlsxText(bytes));
  return text.length > textLimit ? `${text.slice(0, textLimit)}\n[... the rest is left out ...]` : text;
}
