/** Secrets in a file that only the user can read, for a host without a keychain. All hosts of the user share it. */

import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Secrets } from "../../core/ports/servers.ts";
import * as z from "../../shared/zod.ts";
import { createSynced, replaceFile } from "../files/atomic-write.ts";
import { isMissing } from "../files/fs-errors.ts";
import { withLock } from "./process-locks.ts";

/** Milliseconds to wait for another process that writes the file. */
const LOCK_MS = 10_000;

const fileSchema = z.record(z.string(), z.string());
type Contents = z.infer<typeof fileSchema>;

/** Methods reject if the file cannot be read or written. A file with other content is not changed. */
export function createFileSecrets(file: string): Secrets {
  const change = (edit: (contents: Contents) => boolean) =>
    withLock(
      `${file}.lock`,
      async () => {
        const contents = await read(file);
        if (edit(contents)) await write(file, contents);
      },
      LOCK_MS,
    );
  return {
    async get(name) {
      const contents = await read(file);
      return Object.hasOwn(contents, name) ? contents[name] : undefined;
    },
    set: (name, value) =>
      change((contents) => {
        contents[name] = value;
        return true;
      }),
    delete: (name) =>
      change((contents) => {
        const has = Object.hasOwn(contents, name);
        delete contents[name];
        return has;
      }),
  };
}

async function read(file: string): Promise<Contents> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return {};
    throw error;
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    // The reason would contain parts of the file.
    throw new Error(`The file ${file} does not contain secrets in the expected form.`);
  }
}

async function write(file: string, contents: Contents): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const bytes = new TextEncoder().encode(JSON.stringify(contents, null, 2));
  await replaceFile({
    temp: `${file}.${randomUUID()}.tmp`,
    file,
    async write(temp) {
      await createSynced(temp, bytes, { mode: 0o600 });
      // Independent of the process's mask.
      await chmod(temp, 0o600);
    },
  });
}
