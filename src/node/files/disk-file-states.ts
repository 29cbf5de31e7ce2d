/** The `FileStates` port on the local disk: reads and restores files for checkpoints. */
import type { BigIntStats } from "node:fs";
import { chmod, mkdir, readlink, rmdir, symlink, unlink } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { FileContent, FileStates } from "../../core/ports/file-states.ts";
import { reasonOf } from "../../shared/reason.ts";
import { createSynced, removeStaleTempFiles, replaceFile, syncFolder, tempFilePath } from "./atomic-write.ts";
import { exactLstat, lstat, readBytes } from "./direct-calls.ts";
import { realTarget, versionOf } from "./disk-files.ts";
import { isMissing } from "./fs-errors.ts";
import { placeContent } from "./place-file.ts";
import { writable } from "./remove-file.ts";

type ReadResult = FileContent | null | "large" | "other";

/** Milliseconds by which the disk's timestamps may lag behind the clock. */
const CLOCK_GRAIN_MS = 10;

const isWindows = process.platform === "win32";

export const nodeFileStates: FileStates = {
  async locate(file, follow) {
    if (follow) return realTarget(file);
    return path.join(await realTarget(path.dirname(file)), path.basename(file));
  },

  async read(file, limit) {
    return (await look(file, limit)).content;
  },

  async madeSince(file, moment) {
    let outermost: string | undefined;
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const stats = await lstat(folder).catch(() => undefined);
      // A disk that does not record creation times reports a time long ago.
      if (!stats?.isDirectory() || stats.birthtimeMs < moment.getTime() - CLOCK_GRAIN_MS) return outermost;
      if (folder === path.dirname(folder)) return outermost;
      outermost = folder;
    }
  },

  async tidy(file) {
    await removeStaleTempFiles(path.dirname(file));
  },

  async prune(file, outermost) {
    for (let folder = path.dirname(file); isBelow(outermost, folder); folder = path.dirname(folder)) {
      // A folder that is not empty, or that is now a link, stays.
      if (
        !(await rmdir(folder).then(
          () => true,
          () => false,
        ))
      )
        return;
    }
  },

  async put(file, content, isExpected) {
    try {
      await put(file, content, isExpected);
    } catch (error) {
      throw writable(error, file);
    }
  },
};

function isBelow(outermost: string, folder: string): boolean {
  return folder === outermost || folder.startsWith(`${outermost}${path.sep}`);
}

async function look(
  file: string,
  limit: number,
): Promise<{ content: ReadResult; stats: BigIntStats | undefined }> {
  let stats: BigIntStats;
  try {
    stats = await exactLstat(file);
  } catch (error) {
    return { content: isMissing(error) ? null : "other", stats: undefined };
  }
  if (stats.isSymbolicLink()) {
    const bytes = await readlink(file, { encoding: "buffer" });
    return { content: { kind: "link", bytes }, stats };
  }
  if (stats.isDirectory()) {
    return { content: { kind: "directory", bytes: new Uint8Array(), ...modeOf(stats) }, stats };
  }
  if (!stats.isFile()) return { content: "other", stats };
  if (stats.size > BigInt(limit)) return { content: "large", stats };
  try {
    const kind = !isWindows && (stats.mode & 0o100n) !== 0n ? "executable" : "file";
    return { content: { kind, bytes: await readBytes(file), ...modeOf(stats) }, stats };
  } catch (error) {
    if (isMissing(error)) return { content: null, stats: undefined };
    return { content: "other", stats };
  }
}

function modeOf(stats: BigIntStats): { mode?: number } {
  return isWindows ? {} : { mode: Number(stats.mode & 0o7777n) };
}

async function put(
  file: string,
  content: FileContent | null,
  isExpected: (found: ReadResult) => Promise<boolean>,
): Promise<void> {
  const folder = path.dirname(file);
  await refuseMoved(folder);
  // No size limit: the expected content is no larger than what was kept.
  const { content: current, stats } = await look(file, Number.MAX_SAFE_INTEGER);
  if (!(await isExpected(current))) throw changedMeanwhile(file);
  if (content === null) {
    await refuseMoved(folder);
    if (current !== null) await (stats?.isDirectory() ? rmdir(file) : unlink(file));
    await syncFolder(folder);
    return;
  }
  if (content.kind === "directory") {
    await mkdir(file, { recursive: true });
    if (content.mode !== undefined) await chmod(file, content.mode);
    return;
  }
  await mkdir(folder, { recursive: true });
  await refuseMoved(folder);
  await replaceFile({
    temp: tempFilePath(folder),
    file,
    write: (temp) => write(temp, content, stats),
    ...(content.kind === "link" ? {} : { place: placeContent }),
    async check() {
      await refuseMoved(folder);
      const now = await exactLstat(file).catch(() => undefined);
      if ((now && versionOf(now)) !== (stats && versionOf(stats))) throw changedMeanwhile(file);
    },
  });
}

/** Throws ToolError if the folder, which was named by its real path, is now reached through a link. */
async function refuseMoved(folder: string): Promise<void> {
  if ((await realTarget(folder)) !== folder) {
    throw new ToolError(
      `${folder} now resolves to another location. Nothing was changed.`,
      reasonOf("folder-moved"),
    );
  }
}

function changedMeanwhile(file: string): ToolError {
  return new ToolError(`${file} changed at the same time. Nothing was changed.`, reasonOf("file-changed"));
}

async function write(
  temp: string,
  { kind, bytes, mode: ownMode }: FileContent,
  like: BigIntStats | undefined,
): Promise<void> {
  if (kind === "link") return symlink(Buffer.from(bytes), temp);
  const isExecutable = kind === "executable";
  await createSynced(temp, bytes, {
    mode: isExecutable ? 0o777 : 0o666,
    async prepare(handle) {
      // Existing permissions are kept, except for the executable bit, which is part of the content.
      if (ownMode !== undefined) await handle.chmod(ownMode);
      else if (like?.isFile()) {
        const mode = Number(like.mode & 0o7777n);
        await handle.chmod(isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
      }
    },
  });
}
