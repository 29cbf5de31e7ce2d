/** What names the encoding of a file: the editor's settings where there is an editor, and `.editorconfig`. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { stat } from "./direct-calls.ts";
import { charsetIn } from "./encoding/editor-config.ts";
import { type Decoded, decode } from "./encodings.ts";
import { parentFolders } from "./parent-folders.ts";

/** The name of an encoding, as the editor or `.editorconfig` writes it; undefined: nothing names it. */
export type EncodingNames = (file: string) => Promise<string | undefined>;

/** Decodes the bytes of a file or of an earlier version of it. Everything that shows a file's text uses it. */
export async function decodeFile(file: string, bytes: Uint8Array, names: EncodingNames): Promise<Decoded> {
  return decode(bytes, { named: await names(file) });
}

/** The first name that one of them knows. */
export function firstName(...all: readonly EncodingNames[]): EncodingNames {
  return async (file) => {
    for (const names of all) {
      const name = await names(file);
      if (name !== undefined) return name;
    }
    return undefined;
  };
}

interface ConfigFile {
  /** Changes with the content. */
  version: string;
  text: string;
}

/** By path. A folder's file is read again when it changed. */
const configFiles = new Map<string, ConfigFile>();
/** Bytes of the largest file that is read. */
const LARGEST = 1_000_000;

/** The `charset` of the `.editorconfig` files in the file's folder and above it. */
export const editorConfigNames: EncodingNames = async (file) => {
  const folders = parentFolders(file);
  // All at once: on a slow disk, each look at one is a wait.
  const texts = await Promise.all(folders.map(configIn));
  for (const [at, folder] of folders.entries()) {
    const text = texts[at];
    if (text === undefined) continue;
    const { charset, isRoot } = charsetIn(text, path.relative(folder, file));
    if (charset !== undefined) return charset === "unset" ? undefined : charset;
    if (isRoot) return undefined;
  }
  return undefined;
};

async function configIn(folder: string): Promise<string | undefined> {
  const file = path.join(folder, ".editorconfig");
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > LARGEST) return undefined;
  const version = `${found.ino}-${found.mtimeMs}-${found.size}`;
  const known = configFiles.get(file);
  if (known?.version === version) return known.text;
  const text = await readFile(file, "utf8").catch(() => "");
  configFiles.set(file, { version, text });
  return text;
}
