/** Removes and moves files as the user approved, and words disk errors for the model. */
import { link, mkdir, open, realpath, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { ExpectedFile, ExpectedMove } from "../../core/ports/editor.ts";
import { syncFolder } from "./atomic-write.ts";
import { readable, realTarget, versionOf } from "./disk-files.ts";
import { codeOf } from "./fs-errors.ts";

/** Removes `file`; see the `Editor` port. */
export async function removeApproved(file: string, expected: ExpectedFile): Promise<void> {
  try {
    await refuseUnexpected(file, expected, "removed");
    await unlink(file);
    await syncFolder(expected.folder);
  } catch (error) {
    throw writable(error, file);
  }
}

/** Moves a file to a path that does not exist; see the `Editor` port. */
export async function renameApproved(file: string, to: string, expected: ExpectedMove): Promise<void> {
  try {
    await refuseMoved(to, expected.target);
    await mkdir(path.dirname(expected.target), { recursive: true });
    await refuseUnexpected(file, expected, "moved");
    // A link may have been created in place of a new folder.
    await refuseMoved(to, expected.target);
    await moveWithoutReplacing(file, expected.target);
    await syncFolder(expected.folder);
    await syncFolder(path.dirname(expected.target));
  } catch (error) {
    throw writable(error, codeOf(error) === "EEXIST" ? to : file);
  }
}

async function refuseMoved(to: string, expected: string): Promise<void> {
  const target = await realTarget(to);
  if (target === expected) return;
  throw new ToolError(
    `${to} now resolves to ${target} instead of ${expected}, its target when this change was proposed. Nothing was moved.`,
  );
}

async function moveWithoutReplacing(file: string, to: string): Promise<void> {
  try {
    // Linking fails if the target exists; renaming would replace it.
    await link(file, to);
    await unlink(file);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS" && code !== "EMLINK") throw error;
    // A file system without links: the name is reserved first, so that nothing is replaced.
    await (await open(to, "wx")).close();
    await rename(file, to);
  }
}

async function refuseUnexpected(file: string, expected: ExpectedFile, done: string): Promise<void> {
  const folder = await realpath(path.dirname(file)).catch((error: unknown) => {
    throw readable(error, file);
  });
  if (folder !== expected.folder) {
    throw new ToolError(
      `${file} is now in ${folder} instead of ${expected.folder}, its folder when this change was proposed. Nothing was ${done}.`,
    );
  }
  const found = await stat(file, { bigint: true });
  if (!found.isFile()) throw new ToolError(`${file} is no longer a file. Nothing was ${done}.`);
  if (versionOf(found) !== expected.version) {
    throw new ToolError(
      `${file} changed on disk since this change was proposed. Nothing was ${done}. Read it again first.`,
    );
  }
}

/** Converts a system error of a write to a ToolError that the model can act on. */
export function writable(error: unknown, file: string): unknown {
  if (error instanceof ToolError) return error;
  switch (codeOf(error)) {
    case "EEXIST":
      return new ToolError(
        `${file} now exists, or one of its folders is a file. Nothing was written. Read it, then propose the change again.`,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ToolError(`${file} is read-only. Nothing was written.`);
    case "ENOSPC":
    case "EDQUOT":
      return new ToolError(`The disk is full: ${file} was not written and is unchanged.`);
    case "EBUSY":
      return new ToolError(`${file} cannot be replaced while it is in use. Nothing was written.`);
    default:
      return readable(error, file);
  }
}
