/**
 * Writes files as the user approved, atomically: after an interruption, the file has its old or its complete new content (but see
 * `placeContent`).
 * Also has the terminal host's `Editor`, which shows no preview.
 */
import { constants } from "node:fs";
import { access, type FileHandle, link, mkdir, open, rename, stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Editor, Preview } from "../../core/ports/editor.ts";
import type { TextFile } from "../../core/ports/files.ts";
import { createSynced, replaceFile } from "./atomic-write.ts";
import { needsMark } from "./code-page.ts";
import { readWhole, TEXT_LIMIT, versionOf } from "./disk-files.ts";
import { decode, encode, encodingName } from "./encodings.ts";
import { codeOf } from "./fs-errors.ts";
import { placeContent } from "./place-file.ts";
import { realTarget } from "./real-target.ts";
import { removeApproved, renameApproved, writable } from "./remove-file.ts";
import { tempFilePath } from "./temp-file.ts";

export const writingEditor: Editor = {
  preview: (file, original) => new WrittenPreview(file, original),
  remove: removeApproved,
  rename: renameApproved,
};

class WrittenPreview implements Preview {
  readonly #path: string;
  readonly #original: TextFile | null;
  /** The path's real target when the change was proposed. */
  readonly #target: Promise<string>;
  #text = "";

  constructor(file: string, original: TextFile | null) {
    this.#path = file;
    this.#original = original;
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
    await writeApproved(this.#path, text, {
      original: this.#original,
      expectedVersion: this.#original?.version ?? null,
      expectedTarget: await this.#target,
    });
    const encoding = this.#original?.encoding ?? "utf8";
    return {
      finalText: text,
      encoding,
      newProblems: [],
      ...(chosen === undefined ? {} : { userText: chosen }),
    };
  }

  async discard(): Promise<void> {}
}

/**
 * Writes `text` in the encoding of `original` (UTF-8 for a new file). Rejects with ToolError, without writing, if the file or
 * its path's target changed.
 */
export async function writeApproved(
  file: string,
  text: string,
  options: { original: TextFile | null; expectedVersion: string | null; expectedTarget: string },
): Promise<void> {
  const { original, expectedVersion, expectedTarget } = options;
  const bom = !text.startsWith("\ufeff") && needsMark(file, text);
  const encoded = encode(text, original ?? { encoding: "utf8", bom });
  if (!encoded.ok) throw new ToolError(`${file} cannot be saved: ${encoded.message}`);
  try {
    await refuseMoved(file, expectedTarget);
    if (expectedVersion === null) await createFile(file, expectedTarget, encoded.bytes);
    else await replaceContent(file, expectedTarget, encoded.bytes, original, expectedVersion);
  } catch (error) {
    throw writable(error, file);
  }
}

async function refuseMoved(file: string, expectedTarget: string): Promise<void> {
  const target = await realTarget(file);
  if (target === expectedTarget) return;
  throw new ToolError(
    `${file} now resolves to ${target} instead of ${expectedTarget}, its target when this change was proposed. Nothing was written.`,
  );
}

async function createFile(file: string, target: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true });
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
async function placeNew(temp: string, target: string): Promise<void> {
  await link(temp, target).catch(async (error: unknown) => {
    if (codeOf(error) === "EEXIST") throw error;
    // A file system without links: the name is reserved first, so that nothing is replaced.
    await (await open(target, "wx")).close();
    await rename(temp, target);
  });
}

async function replaceContent(
  file: string,
  target: string,
  bytes: Uint8Array,
  original: TextFile | null,
  expectedVersion: string,
): Promise<void> {
  const now = await readWhole(target, TEXT_LIMIT);
  const decoded = decode(now.bytes, original ? { preferred: original.encoding } : {});
  const isSame = original === null || (decoded.kind === "text" && decoded.text === original.text);
  if (now.version !== expectedVersion || !isSame) refuseChanged(file);
  if (decoded.kind !== "text" || !decoded.exact) {
    throw new ToolError(
      `${file} contains bytes that are not ${original ? encodingName(original) : "text"}; writing it back would change them. Nothing was written.`,
    );
  }
  await access(target, constants.W_OK);
  const before = await stat(target);
  await replaceFile({
    temp: tempFilePath(path.dirname(target)),
    file: target,
    synced: false,
    write: (temp) => createSynced(temp, bytes, { mode: 0o600, prepare: likeFile(before) }),
    place: placeContent,
    async check() {
      await refuseMoved(file, target);
      if (versionOf(await stat(target, { bigint: true })) !== expectedVersion) refuseChanged(file);
    },
  });
}

/** Gives the new file the owner and mode of the file that it replaces. */
function likeFile({ uid, gid, mode }: { uid: number; gid: number; mode: number }) {
  return async (handle: FileHandle): Promise<void> => {
    // Only root can change the owner; the user's own file needs no change.
    await handle.chown(uid, gid).catch(() => {});
    await handle.chmod(mode & 0o7777);
  };
}

function refuseChanged(file: string): never {
  throw new ToolError(
    `${file} changed on disk since it was read. Nothing was written. Read it again, then propose the change again.`,
  );
}
