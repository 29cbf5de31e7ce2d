/** PDF files by pdf.js: pages under headings, lines as they stand on the page. */
import "./pdf-globals.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import * as inThisThread from "pdfjs-dist/legacy/build/pdf.worker.mjs";

// The library looks here for its own worker before it starts one: this already is a thread of its own.
Object.assign(globalThis, { pdfjsWorker: inThisThread });

export async function pdfText(bytes: Uint8Array, cmaps: string): Promise<string> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    CMapReaderFactory: readerOf(cmaps),
    // Only the text counts: no fonts are made, nothing is fetched, nothing is compiled.
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
    if (empty) throw new Error("It holds no text, only pictures of it (a scan, perhaps).");
    return pages.join("\n\n");
  } catch (error) {
    throw explained(error);
  } finally {
    await loading.destroy();
  }
}

/** The character maps that East Asian files name instead of carrying them. */
function readerOf(folder: string) {
  return class {
    async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
      if (!/^[\w-]+$/.test(name)) throw new Error(`no such character map: ${name}`);
      return { cMapData: await readFile(path.join(folder, `${name}.bcmap`)), isCompressed: true };
    }
  };
}

function explained(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error.name === "PasswordException") return new Error("It is locked by a password.");
  if (error.name === "InvalidPDFException") return new Error("It is damaged: not a PDF file inside.");
  return error;
}
