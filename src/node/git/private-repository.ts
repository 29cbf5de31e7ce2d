/** Creates the private repository for snapshots from plain files, so that no template or setting applies to it. */
import { constants } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Repository } from "./find-repository.ts";
import { runGit } from "./git-process.ts";

/** Overrides the project's attributes: stores each file's exact bytes and runs no program. */
const OWN_ATTRIBUTES =
  "* -text -eol -crlf -ident -filter -working-tree-encoding -diff -merge -export-subst -export-ignore\n";

export async function makePrivateRepository(
  folder: string,
  repository: Repository,
  program: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const name of ["objects/pack", "all/info", "refs", "info"])
    await mkdir(path.join(folder, name), { recursive: true });
  const { commonDir, sha256 } = repository;
  // When git writes an object that exists, it updates that object's time wherever it is stored. Writers therefore see only
  // the private objects, and readers see both.
  const places = [path.join(folder, "objects"), path.join(commonDir, "objects")];
  if (places.some((place) => place.includes("\n")))
    throw new Error("the path of the repository contains a line break");
  await writeFile(path.join(folder, "all/info/alternates"), places.map((place) => `${place}\n`).join(""));
  await writeFile(path.join(folder, "HEAD"), "ref: refs/heads/none\n");
  const paths = await userPaths(program, folder, environment);
  await writeFile(path.join(folder, "config"), configText(sha256, paths));
  for (const name of ["info/exclude", "info/attributes", "info/sparse-checkout"]) {
    await copyFile(path.join(commonDir, name), path.join(folder, name), constants.COPYFILE_FICLONE).catch(
      () => {},
    );
  }
}

/** From now on files are stored unchanged. Before that, the project's attributes show which files git stores converted. */
export async function readAsBytes(folder: string): Promise<void> {
  await writeFile(path.join(folder, "info/attributes"), OWN_ATTRIBUTES);
}

/**
 * The files of excludes and attributes that the user's global settings name; the project's settings are not read. None if git cannot tell,
 * for example because a path begins with the home folder of an unknown user.
 */
async function userPaths(
  program: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, string>> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name)));
  const keys = "^core\\.(excludesfile|attributesfile)$";
  const args = ["config", "--global", "--type=path", "-z", "--get-regexp", keys];
  const found = await runGit(program, args, { ...env, LC_ALL: "C" }, folder).catch(() => undefined);
  const paths = new Map<string, string>();
  // The last of several counts.
  for (const entry of found?.toString("utf8").split("\0") ?? []) {
    const end = entry.indexOf("\n");
    if (end > 0) paths.set(entry.slice(0, end), entry.slice(end + 1));
  }
  return paths;
}

function configText(sha256: boolean, paths: ReadonlyMap<string, string>): string {
  const windows = process.platform === "win32";
  const caseBlind = windows || process.platform === "darwin";
  const lines = [
    "[core]",
    `repositoryformatversion = ${sha256 ? 1 : 0}`,
    "bare = false",
    `filemode = ${!windows}`,
    `symlinks = ${!windows}`,
    `ignorecase = ${caseBlind}`,
    `precomposeunicode = ${process.platform === "darwin"}`,
    "longpaths = true",
    "autocrlf = false",
    "safecrlf = false",
    "fsmonitor = false",
    "untrackedCache = false",
    "splitIndex = false",
    "preloadIndex = true",
    "trustctime = true",
    // Objects lost in a power failure are created again.
    "fsync = none",
    "looseCompression = 0",
    `hooksPath = ${quoted(windows ? "NUL" : "/dev/null")}`,
    ...[...paths].map(([key, value]) => `${key.slice("core.".length)} = ${quoted(value)}`),
    "[gc]",
    "auto = 0",
    "[maintenance]",
    "auto = false",
    "[protocol]",
    "allow = never",
    "[diff]",
    "ignoreSubmodules = all",
    "renames = false",
    ...(sha256 ? ["[extensions]", "objectFormat = sha256"] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(value: string): string {
  return `"${value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
}
