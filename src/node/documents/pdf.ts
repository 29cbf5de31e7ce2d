/** Extracts the text of PDF files with pdf.js: pages under headings, with the lines of the page. */
import "./pdf-globals.ts";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import * as inThisThread from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { mapReader } from "./character-maps.ts";

// pdf.js uses this worker instead of starting one, because this code already runs in a separate thread.
Object.assign(globalThis, { pdfjsWorker: inThisThread });

export async function pdfText(bytes: Uint8Array, cmaps: string): Promise<string> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    CMapReaderFactory: mapReader(cmaps),
    // Only text is needed: no fonts are created, nothing is fetched, and no code is generated.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    isEvalSupported: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await loading.promise;
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
      pages.push(`## Page ${number} of ${document.numPages}\n\n${text.trim()}`);
      page.cleanup();
    }
    const empty = pages.every((page) => page.endsWith("\n\n"));
    if (empty) throw new Error("It contains no text, only images (it may be a scan).");
    return pages.join("\n\n");
  } catch (error) {
    throw explained(error);
  } finally {
    await loading.destroy();
  }
}

function explained(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error.name === "PasswordException") return new Error("It is protected by a password.");
  if (error.name === "InvalidPDFException") return new Error("It is damaged: it is not a PDF file.");
  return error;
}
