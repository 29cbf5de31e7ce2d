import type { Attachment } from "../host.ts";

/** Bytes of one image; larger ones are refused by most endpoints. */
const largest = 5_000_000;

/** Reads images. Throws when one is too large, or cannot be read. */
export async function readImages(files: readonly File[]): Promise<Attachment[]> {
  return Promise.all(files.map(readImage));
}

async function readImage(file: File): Promise<Attachment> {
  if (file.size > largest) throw new Error(`${file.name}: ${file.size} > ${largest} bytes`);
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
  return { mimeType: file.type, data: url.slice(url.indexOf(",") + 1) };
}
