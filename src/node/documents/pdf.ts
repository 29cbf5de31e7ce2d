/** Extracts the text of PDF files with pdf.js: pages under headings, with the lines of the page. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import * as z from "../../shared/zod.ts";
import "./pdf-globals.ts";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import * as inThisThread from "pdfjs-dist/legacy/build/pdf.worker.mjs";

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

/** Made by scripts/lib/cmaps.mjs: one line of JSON with the length of each map by its name, and the maps in that order. */
const PACK = "maps.br";

const decompress = promisify(brotliDecompress);
const lengthsSchema = z.record(z.string(), z.number());

/** A class for pdf.js that reads the maps in `folder`, once, when a file first refers to one. */
export function mapReader(folder: string) {
  let maps: Promise<Map<string, Uint8Array>> | undefined;
  return class {
    async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
      maps ??= unpacked(path.join(folder, PACK));
      const found = (await maps).get(name);
      if (found === undefined) throw new Error(`no such character map: ${name}`);
      return { cMapData: found, isCompressed: true };
    }
  };
}

async function unpacked(file: string): Promise<Map<string, Uint8Array>> {
  const bytes = await decompress(await readFile(file));
  let at = bytes.indexOf("\n") + 1;
  const lengths = lengthsSchema.parse(JSON.parse(bytes.toString("utf8", 0, at)));
  const maps = new Map<string, Uint8Array>();
  for (const [name, length] of Object.entries(lengths)) {
    // A copy: pdf.js transfers the bytes.
    maps.set(name, Uint8Array.prototype.slice.call(bytes, at, at + length));
    at += length;
  }
  return maps;
}
