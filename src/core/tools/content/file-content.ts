/** The content of a file in a form that models accept: text, the text of a document, or an image. */
import { extname } from "node:path";
import { base64 } from "../../bytes.ts";
import { ToolError } from "../../errors.ts";
import { IMAGE_LIMIT, type ImageFacts, imageFacts } from "../../image-facts.ts";
import type { DocumentKind, FileStat, TextFile } from "../../ports/files.ts";
import { lineEndings } from "../../text.ts";
import { notebookCells } from "../notebooks/notebook-cells.ts";
import type { OutputImage } from "../notebooks/notebook-text.ts";
import type { ToolContext } from "../tool.ts";

export { IMAGE_LIMIT };

export type ReadableContent =
  /** `facts`: what the model must know to edit correctly. `version`: undefined if the text is not the file's own. */
  | {
      kind: "text";
      text: string;
      facts: string[];
      version: string | undefined;
      /** Those that the text marks, for a model that sees images. */
      images?: OutputImage[];
    }
  | { kind: "image"; mimeType: string; data: string; about: string };

const DOCUMENTS: Readonly<Record<string, DocumentKind>> = {
  ".pdf": "pdf",
  ".docx": "docx",
  ".docm": "docx",
  ".xlsx": "xlsx",
  ".xlsm": "xlsx",
};

/** Bytes of the largest document that is read. */
const DOCUMENT_LIMIT = 50_000_000;

/** Reads the file at `path`. Throws ToolError that describes a file that can be neither read nor shown. */
export async function readContent(
  context: ToolContext,
  path: string,
  shown: string,
  stat: FileStat,
  signal: AbortSignal,
): Promise<ReadableContent> {
  const { files } = context.host;
  if (stat.kind !== "file") {
    throw new ToolError(`${shown} is a pipe, a socket or a device; only regular files can be read.`);
  }
  const extension = extname(path).toLowerCase();
  const document = DOCUMENTS[extension];
  if (document) return documentText(context, path, shown, stat, document, signal);
  if (/^\.(?:png|jpe?g|gif|webp)$/.test(extension)) {
    const image = await readImage(context, path, shown, stat);
    if (image) return image;
  }
  const file = await files.readText(path);
  if (extension === ".ipynb") {
    const notebook = notebookCells(file.text);
    const fact = "the cells of a Jupyter notebook, which is JSON; edit_notebook changes a cell by its id";
    if (notebook) {
      const { notebookText } = await import("../late-parts.ts");
      return {
        ...{ kind: "text", facts: [fact], version: file.version },
        ...notebookText(notebook, context.seesImages()),
      };
    }
  }
  return { kind: "text", text: file.text, facts: unusual(file), version: file.version };
}

async function documentText(
  context: ToolContext,
  path: string,
  shown: string,
  stat: FileStat,
  kind: DocumentKind,
  signal: AbortSignal,
): Promise<ReadableContent> {
  if (stat.size > DOCUMENT_LIMIT) {
    throw new ToolError(
      `${shown} has ${sizeText(stat.size)}, more than the limit of ${sizeText(DOCUMENT_LIMIT)} for documents.`,
    );
  }
  const { files, documents: reader } = context.host;
  try {
    const text = await reader.extract(await files.readBytes(path, DOCUMENT_LIMIT), kind, signal);
    return {
      kind: "text",
      text,
      facts: [`the text of a ${kind} document, ${sizeText(stat.size)}`],
      version: undefined,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(`${shown} is a ${kind} document (${sizeText(stat.size)}). ${error.message}`);
  }
}

/** undefined: despite its extension, the file is not an image. */
async function readImage(
  context: ToolContext,
  path: string,
  shown: string,
  stat: FileStat,
): Promise<ReadableContent | undefined> {
  if (stat.size > IMAGE_LIMIT) {
    throw new ToolError(
      `${shown} is an image of ${sizeText(stat.size)}, more than the limit of ${sizeText(IMAGE_LIMIT)}. Use a smaller version.`,
    );
  }
  const bytes = await context.host.files.readBytes(path, IMAGE_LIMIT);
  const facts = imageFacts(bytes);
  if (!facts) return undefined;
  const about = aboutImage(facts, stat.size);
  if (!context.seesImages()) throw new ToolError(`${shown} is a ${about}. You cannot see images.`);
  return { kind: "image", mimeType: facts.mimeType, data: base64(bytes), about };
}

function aboutImage({ kind, size }: ImageFacts, bytes: number): string {
  return [kind, ...(size ? [`${size.width} x ${size.height} pixels`] : []), sizeText(bytes)].join(", ");
}

/** For display: `812 bytes`, `3.4 MB`. */
function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function unusual({ encoding, bom, text, alternatives, inexact }: TextFile): string[] {
  const facts: string[] = [];
  if (alternatives)
    facts.push(
      `encoding ${encoding}, which is a guess: edits that add characters which it may write wrongly are rejected; ASCII is safe`,
    );
  else if (!/^utf-?8$/i.test(encoding)) facts.push(`encoding ${encoding}`);
  if (inexact) facts.push("contains bytes that are not in its encoding; edits keep them");
  if (bom) facts.push("byte order mark");
  const endings = lineEndings(text);
  if (endings.mixed) facts.push("mixed line endings");
  else if (endings.dominant === "\r\n") facts.push("line endings CRLF");
  else if (endings.dominant === "\r") facts.push("line endings CR");
  return facts;
}
