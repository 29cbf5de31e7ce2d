/** The text of a document, by what kind it is. Runs in the documents' thread. */
import type { DocumentWork } from "./document-reader.ts";
import { docxText } from "./docx.ts";
import { htmlToMarkdown } from "./html.ts";
import { pdfText } from "./pdf.ts";
import { xlsxText } from "./xlsx.ts";
import { refuseBomb } from "./zip.ts";

/** Characters; what one document may come to. */
const textLimit = 10_000_000;

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

/** Rejects with an Error whose message says to a person and a model what is wrong with the document. */
export async function extractText({ bytes, kind, cmaps }: DocumentWork): Promise<string> {
  const text = await textOf({ bytes, kind, cmaps });
  return text.length > textLimit ? `${text.slice(0, textLimit)}\n[... the rest is left out ...]` : text;
}
