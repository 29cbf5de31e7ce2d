/**
 * The compiled code of the program, which V8 can use in later runs. The code in such a file runs with the user's rights, so a
 * file that another user could have written is never read.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { cachedDataVersionTag } from "node:v8";
import zlib from "node:zlib";
import { homeFolder } from "../config/config-dir.ts";
import type { ReadBuffer } from "./read-buffer.ts";

/** Files that are kept: of the terminal host's and the editor's programs, for several versions of them and of Node. */
const KEPT = 6;
const ENDING = ".code";
const { crc32 }: { crc32?: (bytes: Uint8Array) => number } = zlib;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** The code of one program, for this version of Node. */
export interface CodeCache {
  /** undefined: there is none, it is damaged, or another user could have written it. Valid until `buffer` is used again. */
  read(buffer: ReadBuffer): Buffer | undefined;
  /** Replaces the code, and deletes that of older versions. Does nothing if the folder is not the user's alone. */
  write(code: Buffer): void;
}

/**
 * `program`: the file whose code it is. undefined: the code is not kept, because the user has no folder for it, or does
 * not want it (`NODE_DISABLE_COMPILE_CACHE`, as for Node's own), or the system does not say who owns a file.
 */
export function codeCacheOf(
  program: string,
  version: string,
  environment: NodeJS.ProcessEnv,
  user: number | "unknown" = process.getuid?.() ?? "unknown",
): CodeCache | undefined {
  const folder = cacheDir(environment);
  if (folder === undefined || user === "unknown") return undefined;
  if (environment.NODE_DISABLE_COMPILE_CACHE || environment.NODE_V8_COVERAGE) return undefined;
  const { size, mtimeMs, ctimeMs } = statSync(program);
  const identity = [version, program, size, mtimeMs, ctimeMs, process.version, process.arch];
  // The tag names V8's version and flags, and the features of the processor.
  const key = JSON.stringify([...identity, cachedDataVersionTag()]);
  const name = createHash("sha256").update(key).digest("hex").slice(0, 32);
  const file = path.join(folder, `${name}${ENDING}`);
  return {
    read: (buffer) => attempt(() => (isPrivate(folder, user) ? readCode(file, user, buffer) : undefined)),
    write(code) {
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isPrivate(folder, user)) return;
        const temporary = `${file}.${randomUUID()}`;
        try {
          writeFileSync(temporary, Buffer.concat([digestOfCode(code), code]), { flag: "wx", mode: 0o600 });
          renameSync(temporary, file);
        } finally {
          rmSync(temporary, { force: true });
        }
        deleteOld(folder);
      });
    },
  };
}

/** The system's folder for caches. */
function cacheDir(environment: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CACHE_HOME = "" } = environment;
  if (path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, "nekode", "code");
  const home = homeFolder(environment);
  if (home === undefined) return undefined;
  const caches =
    process.platform === "darwin" ? path.join(home, "Library", "Caches") : path.join(home, ".cache");
  return path.join(caches, "nekode", "code");
}

/** The file begins with a digest of the rest, because V8 does not check all of the data. */
function readCode(file: string, user: number, buffer: ReadBuffer): Buffer | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.nlink > 1 || !isOwn(found, user)) return undefined;
    const bytes = buffer.read(descriptor, found.size);
    const code = bytes.subarray(DIGEST_BYTES);
    return bytes.subarray(0, DIGEST_BYTES).equals(digestOfCode(code)) ? code : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Whether no other user can create a file there: the last two folders belong to this user and are not links, and only this user
 * and the administrator can rename or replace a folder above them.
 */
function isPrivate(folder: string, user: number): boolean {
  const own = [folder, path.dirname(folder)].map((each) => lstatSync(each));
  if (!own.every((each) => each.isDirectory() && isOwn(each, user))) return false;
  for (let at = realpathSync(path.dirname(folder)); ; at = path.dirname(at)) {
    const { uid, mode } = statSync(at);
    if (uid !== user && uid !== 0) return false;
    if ((mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

const isOwn = ({ uid, mode }: Stats, user: number): boolean =>
  uid === user && (mode & WRITABLE_BY_OTHERS) === 0;

function deleteOld(folder: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  const dated = files.map((name) => ({ name, at: statSync(path.join(folder, name)).mtimeMs }));
  for (const { name } of dated.sort((a, b) => b.at - a.at).slice(KEPT))
    rmSync(path.join(folder, name), { force: true });
}

const DIGEST_BYTES = 32;

/** A checksum where the runtime has one (from Node 20.15 and 22.2 on): it takes a tenth of the time, and only damage is to be found. */
function digestOfCode(code: Buffer): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  if (crc32 === undefined) createHash("sha256").update(code).digest().copy(digest);
  else digest.writeUInt32LE(crc32(code));
  return digest;
}

/** undefined also if the system refuses: without the code the program only starts more slowly. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
