/** Word documents by mammoth, whose plain HTML becomes Markdown. */
import mammoth from "mammoth";
import { converted, converter } from "./html.ts";

export async function docxText(bytes: Uint8Array): Promise<string> {
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
