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

/** mammoth's HTML as Markdown. */
export function markdownOf(html: string): string {
  const service = converter();
  // The text is searched as it stands in the document, so it gets no backslashes.
  service.escape = (text) => text;
  service.addRule("image", { filter: "img", replacement: () => "[image]" });
  return converted(service, html).replace(/^( *)(-|\d+\.) +/gm, "$1$2 ");
}
