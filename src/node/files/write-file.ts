/**
 * Writes files as the user approved, atomically: after an interruption, the file has its old or its complete new content (but see
 * `placeContent`).
 * Also has the terminal host's `Editor`, which shows no preview.
 */
import { type BigIntStats, constants } from "node:fs";
import { link, mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Editor, Preview } from "../../core/ports/editor.ts";
import type { TextFile } from "../../core/ports/files.ts";
import { createSynced, replaceFile, tempFilePath } from "./atomic-write.ts";
import { changedBytes } from "./changed-bytes.ts";
import { needsMark } from "./code-page.ts";
import { access, exactStat, type OpenFile } from "./direct-calls.ts";
import { readWhole, realTarget, TEXT_LIMIT, versionOf } from "./disk-files.ts";
import { encodingNamed } from "./encoding/codecs.ts";
import { type EncodingNames, editorConfigNames } from "./encoding-names.ts";
import { decodeAs, type Encoded, encode } from "./encodings.ts";
import { codeOf } from "./fs-errors.ts";
import { placeContent } from "./place-file.ts";
import { removeApproved, renameApproved, writable } from "./remove-file.ts";

/** `names`: what names the encoding of a new file. */
export function writingEditor(names: EncodingNames): Editor {
  return {
    preview: (file, original) => new WrittenPreview(file, original, names),
    remove: removeApproved,
    rename: renameApproved,
  };
}

class WrittenPreview implements Preview {
  readonly #path: string;
  readonly #original: TextFile | null;
  readonly #names: EncodingNames;
  /** The path's real target when the change was proposed. */
  readonly #target: Promise<string>;
  #text = "";

  constructor(file: string, original: TextFile | null, names: EncodingNames) {
    this.#path = file;
    this.#original = original;
    this.#names = names;
    this.#target = realTarget(file);
    // `save` reports the error, if it is called.
    this.#target.catch(() => {});
  }

  update(): void {}

  async finish(text: string): Promise<void> {
    this.#text = text;
  }

  async save(chosen?: string): ReturnType<Preview["save"]> {
    const text = chosen ?? this.#text;
    const { encoding } = await writeApproved(this.#path, text, {
      original: this.#original,
      expectedVersion: this.#original?.version ?? null,
      expectedTarget: await this.#target,
      names: this.#names,
    });
    return {
      finalText: text,
      encoding,
      newProblems: [],
      ...(chosen === undefined ? {} : { userText: chosen }),
    };
  }

  async discard(): Promise<void> {}
}

interface Approved {
  original: TextFile | null;
  expectedVersion: string | null;
  expectedTarget: string;
  /** What names the encoding of a new file; default: `.editorconfig`. */
  names?: EncodingNames;
  /** As `mkdir` with `recursive`, which is the default. */
  makeFolder?: (folder: string) => Promise<void>;
}

/**
 * Writes `text` in the encoding of `original`, and a new file in the one that is named for it, or UTF-8. Resolves with the
 * encoding. Rejects with ToolError, without writing, if the file or its path's target changed.
 */
export async function writeApproved(file: string, text: string, approved: Approved): Promise<Encoded> {
  const { original, expectedVersion, expectedTarget } = approved;
  const { names = editorConfigNames, makeFolder = makeFolders } = approved;
  const like = original ?? (await encodingOfNew(file, text, names));
  try {
    if (original !== null && expectedVersion !== null)
      await replaceContent(file, expectedTarget, text, original, expectedVersion);
    else {
      const encoded = encode(text, like);
      if (!encoded.ok) throw unsaved(file, encoded.message);
      await createFile(file, expectedTarget, encoded.bytes, makeFolder);
    }
    return like;
  } catch (error) {
    await refuseMoved(file, expectedTarget);
    throw writable(error, file);
  }
}

function unsaved(file: string, message: string): ToolError {
  return new ToolError(`${file} cannot be saved: ${message}`);
}

async function encodingOfNew(file: string, text: string, names: EncodingNames): Promise<Encoded> {
  const mark = !text.startsWith("\ufeff");
  const named = (await names(file)) ?? "utf8";
  const encoding = encodingNamed(named) ?? "utf8";
  // UTF-16 is recognized by its mark.
  const bom = mark && (/bom$/i.test(named) || encoding.startsWith("utf16") || needsMark(file, text));
  return { encoding, bom: bom && encoding.startsWith("utf") };
}

async function refuseMoved(file: string, expectedTarget: string): Promise<void> {
  const target = await realTarget(file);
  if (target === expectedTarget) return;
  throw new ToolError(
    `${file} now resolves to ${target} instead of ${expectedTarget}, its target when this change was proposed. Nothing was written.`,
  );
}

async function makeFolders(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
}

async function createFile(
  file: string,
  target: string,
  bytes: Uint8Array,
  makeFolder: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(target);
  await refuseMoved(file, target);
  await makeFolder(folder);
  // A link may have been created in place of a new folder.
  await refuseMoved(file, target);
  await replaceFile({
    temp: tempFilePath(folder),
    file: target,
    synced: false,
    write: (temp) => createSynced(temp, bytes),
    place: placeNew,
  });
}

/** Linking fails if the target exists and never follows a link, so it replaces no file. */
async function placeNew(temp: string, target: string): Promise<boolean> {
  try {
    await link(temp, target);
    return false;
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // A file system without links: the name is reserved first, so that nothing is replaced.
    await (await open(target, "wx")).close();
    await rename(temp, target);
    return true;
  }
}

async function replaceContent(
  file: string,
  target: string,
  text: string,
  original: TextFile,
  expectedVersion: string,
): Promise<void> {
  const now = await readWhole(target, TEXT_LIMIT);
  if (now.version !== expectedVersion || decodeAs(now.bytes, original).text !== original.text)
    refuseChanged(file);
  const changed = changedBytes(now.bytes, original, text);
  if (!changed.ok) throw unsaved(file, changed.message);
  await access(target, constants.W_OK);
  await replaceFile({
    temp: tempFilePath(path.dirname(target)),
    file: target,
    synced: false,
    write: (temp) => createSynced(temp, changed.bytes, { mode: 0o600, prepare: likeFile(now.stats) }),
    place: placeContent,
    async check() {
      await refuseMoved(file, target);
      if (versionOf(await exactStat(target)) !== expectedVersion) refuseChanged(file);
    },
  });
}

/** Gives the new file the owner and mode of the file that it replaces. */
function likeFile({ uid, gid, mode }: BigIntStats) {
  return async (handle: OpenFile): Promise<void> => {
    // Only root can change the owner; the user's own file needs no change.
    await handle.chown(Number(uid), Number(gid)).catch(() => {});
    await handle.chmod(Number(mode) & 0o7777);
  };
}

function refuseChanged(file: string): never {
  throw new ToolError(
    `${file} changed on disk since it was read. Nothing was written. Read it again, then propose the change again.`,
  );
}
