/** Images attached to a message. */
import { messageOf } from "../../src/shared/message-of.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { DraftAttachment } from "../host.ts";

/** Maximum megabytes per image; most endpoints reject larger ones. */
const LARGEST = 5;
const KINDS: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Reads images. `problems` contains the rejected files and the reasons, in the user's language. */
export async function readImages(
  files: readonly File[],
  t: Translate,
): Promise<{ images: DraftAttachment[]; problems: string[] }> {
  const read = await Promise.allSettled(files.map((file) => readImage(file, t)));
  return {
    images: read.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    problems: read.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : [])),
  };
}

async function readImage(file: File, t: Translate): Promise<DraftAttachment> {
  if (file.size > LARGEST * 1_000_000)
    throw new Error(t("{0} is too large. Images can be up to {1} MB.", file.name, LARGEST));
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
  return { mimeType: file.type, data: url.slice(url.indexOf(",") + 1) };
}

/** Whether endpoints take the file as an image; any other file is mentioned. */
export function isImage({ type }: Pick<File, "type">): boolean {
  return KINDS.has(type);
}
