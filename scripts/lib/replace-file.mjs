// Writes files of dist/ while programs of an earlier build may run from there.
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** @param {NodeJS.ErrnoException} error */
const ifMissing = (error) => {
  if (error.code === "ENOENT") return undefined;
  throw error;
};

/**
 * Puts the content in place as a whole, so that whoever reads the file has the old content or the new one. A file that has the
 * content already stays as it is.
 * @param {string} file @param {Uint8Array | string} content
 */
export async function replaceFile(file, content) {
  const bytes = Buffer.from(content);
  const before = await readFile(file).catch(ifMissing);
  if (before?.equals(bytes)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, bytes);
    const mode = (await stat(file).catch(ifMissing))?.mode;
    if (mode !== undefined) await chmod(temporary, mode & 0o777);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
