/**
 * Writing a file as the person approved it: the whole new content or, at any interruption, the old. The terminal host's
 * editor is made of it: no preview to look at, one atomic write.
 */
import { constants } from "node:fs";
import { access, type FileHandle, link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Editor, Preview } from "../../core/ports/editor.ts";
import type { TextFile } from "../../core/ports/files.ts";
import { needsMark } from "./code-page.ts";
import { readWhole, textLimit, versionOf } from "./disk-files.ts";
import { decode, encode, encodingName } from "./encodings.ts";
import { codeOf } from "./fs-errors.ts";
import { realTarget } from "./real-target.ts";
import { removeApproved, renameApproved, writable } from "./remove-file.ts";
import { tempFilePath } from "./temp-file.ts";

export { realTarget };

import { syncFolder } from "../store/folder-storage.ts";

export const writingEditor: Editor = {
  preview: (file, original) => new WrittenPreview(file, original),
  remove: removeApproved,
  rename: renameApproved,
};

class WrittenPreview implements Preview {
  readonly #path: string;
  readonly #original: TextFile | null;
  /** Where the path really led when the change was proposed. */
  readonly #target: Promise<string>;
  #text = "";

  constructor(file: string, original: TextFile | null) {
    this.#path = file;
    this.#original = original;
    this.#target = realTarget(file);
    // Asked for when it is saved, if it ever is.
    this.#target.catch(() => {});
  }

  update(): void {}

  async finish(text: string): Promise<void> {
    this.#text = text;
  }

  async save(): ReturnType<Preview["save"]> {
    await writeApproved(this.#path, this.#text, {
      original: this.#original,
      expectedVersion: this.#original?.version ?? null,
      expectedTarget: await this.#target,
    });
    const encoding = this.#original?.encoding ?? "utf8";
    return { finalText: this.#text, encoding, newProblems: [] };
  }

  async discard(): Promise<void> {}
}

/**
 * Writes `text` in the encoding of `original` (UTF-8 for a new file). Rejects with ToolError, having written nothing,
 * when the file or where its path leads is not what it was.
 */
export async function writeApproved(
  file: string,
  text: string,
  options: { original: TextFile | null; expectedVersion: string | null; expectedTarget: string },
): Promise<void> {
  const { original, expectedVersion, expectedTarget } = options;
  const encoded = encode(text, original ?? { encoding: "utf8", bom: needsMark(file, text) });
  if (!encoded.ok) throw new ToolError(`${file} cannot be saved: ${encoded.message}`);
  try {
    await refuseMoved(file, expectedTarget);
    if (expectedVersion === null) await createFile(file, expectedTarget, encoded.bytes);
    else await replaceFile(file, expectedTarget, encoded.bytes, original, expectedVersion);
  } catch (error) {
    throw writable(error, file);
  }
}

async function refuseMoved(file: string, expectedTarget: string): Promise<void> {
  const target = await realTarget(file);
  if (target === expectedTarget) return;
  throw new ToolError(
    `${file} now leads to ${target}, no longer to ${expectedTarget}, as when this was proposed. Nothing was written.`,
  );
}

async function createFile(file: string, target: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true });
  // A link may have been put where a folder was about to be made.
  await refuseMoved(file, target);
  const draft = await writeDraft(folder, bytes);
  try {
    // Linking fails where the name exists, and never follows a link: nobody's new file is replaced.
    await link(draft, target).catch(async (error: unknown) => {
      if (codeOf(error) === "EEXIST") throw error;
      // A file system without links; the name is taken first, so that it still replaces nothing.
      await (await open(target, "wx")).close();
      await rename(draft, target);
    });
    await syncFolder(folder);
  } finally {
    await rm(draft, { force: true });
  }
}

async function replaceFile(
  file: string,
  target: string,
  bytes: Uint8Array,
  original: TextFile | null,
  expectedVersion: string,
): Promise<void> {
  const now = await readWhole(target, textLimit);
  const decoded = decode(now.bytes, original ? { preferred: original.encoding } : {});
  const isSame = original === null || (decoded.kind === "text" && decoded.text === original.text);
  if (now.version !== expectedVersion || !isSame) refuseChanged(file);
  if (decoded.kind !== "text" || !decoded.exact) {
    throw new ToolError(
      `${file} holds bytes that are not ${original ? encodingName(original) : "text"}; writing it back would change them. Nothing was written.`,
    );
  }
  await access(target, constants.W_OK);
  const before = await stat(target);
  const folder = path.dirname(target);
  const draft = await writeDraft(folder, bytes, before);
  try {
    // Writing the draft took a moment: look again right before the one step that counts.
    await refuseMoved(file, target);
    if (versionOf(await stat(target, { bigint: true })) !== expectedVersion) refuseChanged(file);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

function refuseChanged(file: string): never {
  throw new ToolError(
    `${file} changed on disk since it was read. Nothing was written. Read it again and propose the change anew.`,
  );
}

/** The new content beside its place, synced, with the mode and owner of the file that it will replace. */
async function writeDraft(
  folder: string,
  bytes: Uint8Array,
  like?: { mode: number; uid: number; gid: number },
): Promise<string> {
  const draft = tempFilePath(folder);
  let handle: FileHandle | undefined;
  try {
    handle = await open(draft, "wx", like ? 0o600 : 0o666);
    await handle.writeFile(bytes);
    if (like) {
      // Only the superuser may give a file away; the person's own file is theirs already.
      await handle.chown(like.uid, like.gid).catch(() => {});
      await handle.chmod(like.mode & 0o7777);
    }
    await handle.sync();
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle?.close();
  }
}
