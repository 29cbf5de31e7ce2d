/** The content of a file that is about to go, kept so that it can be brought back. */
import type { RemovedFile } from "../../../shared/message.ts";
import type { Files } from "../../ports/files.ts";

/** Bytes; a larger file is not kept. */
export const keptFileLimit = 5_000_000;

/** `name` is the path as people read it. Undefined: it is too large to be kept. */
export async function keepContent(
  files: Files,
  path: string,
  name: string,
  size: number,
): Promise<RemovedFile | undefined> {
  if (size > keptFileLimit) return undefined;
  const bytes = await files.readBytes(path, keptFileLimit);
  try {
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: name, content, encoding: "utf8" };
  } catch {
    return { path: name, content: base64(bytes), encoding: "base64" };
  }
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: all the bytes as arguments of one call would overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}
