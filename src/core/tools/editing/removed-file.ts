/** Keeps the content of a file that is about to be deleted, so that it can be restored. */
import type { RemovedFile } from "../../../shared/message.ts";
import { base64 } from "../../base64.ts";
import type { Files } from "../../ports/files.ts";

/** Bytes; a larger file is not kept. */
const KEPT_FILE_LIMIT = 5_000_000;

/** `name`: the display path. `size`: bytes. undefined: the file is too large to keep. */
export async function keepContent(
  files: Files,
  path: string,
  name: string,
  size: number,
): Promise<RemovedFile | undefined> {
  if (size > KEPT_FILE_LIMIT) return undefined;
  const bytes = await files.readBytes(path, KEPT_FILE_LIMIT);
  try {
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: name, content, encoding: "utf8" };
  } catch {
    return { path: name, content: base64(bytes), encoding: "base64" };
  }
}
