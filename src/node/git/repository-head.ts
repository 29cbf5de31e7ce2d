/** Reads the current branch and commit from a repository's files. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { findRepository } from "./find-repository.ts";

/** For example `main 1a2b3c4d5e`, `1a2b3c4d5e` for a detached HEAD, or `main` before the first commit. */
export async function findHead(folder: string): Promise<string | undefined> {
  const repository = await findRepository(folder).catch(() => undefined);
  if (!repository) return undefined;
  const text = async (...names: string[]): Promise<string> =>
    readFile(path.join(...names), "utf8").catch(() => "");
  const head = (await text(repository.gitDir, "HEAD")).trim();
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return short(head);
  const packed = await text(repository.commonDir, "packed-refs");
  const line = packed.split("\n").find((each) => each.endsWith(` ${ref}`));
  const commit = short((await text(repository.commonDir, ref)).trim()) ?? short(line ?? "");
  const branch = ref.replace(/^refs\/heads\//, "");
  return commit === undefined ? branch : `${branch} ${commit}`;
}

function short(id: string): string | undefined {
  return /^[0-9a-f]{40}/.test(id) ? id.slice(0, 10) : undefined;
}
