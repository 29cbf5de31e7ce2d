/** Extracts the text of a document by its kind. Runs in the document thread. */
import type { DocumentWork } from "./document-reader.ts";
import { docxText } from "./docx.ts";
import { htmlToMarkdown } from "./html.ts";
import { pdfText } from "./pdf.ts";
import { xlsxText } from "./xlsx.ts";
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
