/** Reads a file of the administrator's policy. What is wrong with it is returned, because this file is part of a bundle of its own. */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import type { AdminPolicy, PolicyFault } from "../../core/policy/admin-policy.ts";
import { policyFileProblem, policyFileSchema } from "../../core/policy/policy-schema.ts";
import { codeOf } from "../files/fs-errors.ts";
import { parentFolders } from "../files/parent-folders.ts";
import { windowsOwnership } from "./windows-ownership.ts";

export type PolicyResult =
  | { policy: AdminPolicy; fault?: undefined }
  | { policy?: undefined; fault: PolicyFault };

/** Bytes. */
const LARGEST = 1024 * 1024;

/**
 * undefined: there is no such file. `findWriter`: returns the file or folder that somebody else than the administrator can change; default:
 * as this system says.
 */
export function readPolicy(
  file: string,
  findWriter: (file: string, stats: Stats) => string | undefined = unprotectedPart,
): PolicyResult | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return { fault: { code: "unreadable", file, detail: messageOf(error) } };
  }
  try {
    const stats = fstatSync(descriptor);
    const writable = findWriter(file, stats);
    if (writable !== undefined) return { fault: { code: "writable", file, path: writable } };
    if (!stats.isFile() || stats.size > LARGEST)
      return {
        fault: { code: "unreadable", file, detail: "it is not a regular file of at most 1 MB" },
      };
    return parsePolicy(readFileSync(descriptor, "utf8"), file);
  } catch (error) {
    return { fault: { code: "unreadable", file, detail: messageOf(error) } };
  } finally {
    closeSync(descriptor);
  }
}

/** `file`: where the text is from. */
export function parsePolicy(text: string, file: string): PolicyResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: { code: "invalid", file, detail: messageOf(error) } };
  }
  const { data, error } = policyFileSchema.safeParse(value);
  if (!data) return { fault: { code: "invalid", file, detail: policyFileProblem(error) } };
  const { version: _, ...policy } = data;
  return { policy: { ...policy, file } };
}

/**
 * The file, or the folder above it, that somebody else than the administrator can change or replace; undefined: there is none. Links
 * are followed, and the folders of both ends count.
 */
function unprotectedPart(file: string, stats: Stats): string | undefined {
  if (process.platform === "win32") return windowsOwnership(file);
  if (isChangeable(stats)) return file;
  const real = realpathSync(file);
  const folders = new Set([...parentFolders(file), ...parentFolders(real)]);
  return [...folders].find((folder) => isChangeable(lstatSync(folder)));
}

/** Others can replace no entry of a folder with the sticky bit, and the rights of a link mean nothing. */
function isChangeable(stats: Stats): boolean {
  const isSticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
  const isShared = (stats.mode & 0o022) !== 0 && !isSticky && !stats.isSymbolicLink();
  return stats.uid !== 0 || isShared;
}
