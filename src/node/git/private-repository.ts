/** The repository of our own that snapshots are made in: plain files, so that no template or setting gets into it. */
import { constants } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Repository } from "./find-repository.ts";
import { runGit } from "./git-process.ts";

/** Whatever the project's attributes say: the very bytes of each file, and no program run for them. */
const ownAttributes =
  "* -text -eol -crlf -ident -filter -working-tree-encoding -diff -merge -export-subst -export-ignore\n";

export async function makePrivateRepository(
  folder: string,
  repository: Repository,
  program: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const name of ["objects", "all/info", "refs", "info"])
    await mkdir(path.join(folder, name), { recursive: true });
  const { commonDir, sha256 } = repository;
  // Git marks an object that it finds while it writes as used, in whatever place it is: so writers see only our own, and
  // readers both.
  const places = [path.join(folder, "objects"), path.join(commonDir, "objects")];
  if (places.some((place) => place.includes("\n")))
    throw new Error("a path of the repository has a line break");
  await writeFile(path.join(folder, "all/info/alternates"), places.map((place) => `${place}\n`).join(""));
  await writeFile(path.join(folder, "HEAD"), "ref: refs/heads/none\n");
  const [excludes, attributes] = await Promise.all(
    ["core.excludesFile", "core.attributesFile"].map((key) => personsPath(program, key, folder, environment)),
  );
  await writeFile(path.join(folder, "config"), configText({ sha256, excludes, attributes }));
  for (const name of ["info/exclude", "info/attributes", "info/sparse-checkout"]) {
    await copyFile(path.join(commonDir, name), path.join(folder, name), constants.COPYFILE_FICLONE).catch(
      () => {},
    );
  }
}

/** From here on files are read as they are. Until then the project's own attributes tell which are stored otherwise. */
export async function readAsBytes(folder: string): Promise<void> {
  await writeFile(path.join(folder, "info/attributes"), ownAttributes);
}

/** A file that the person's own settings name; a project's settings are not asked. */
async function personsPath(
  program: string,
  key: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name)));
  const args = ["config", "--global", "--type=path", "--get", key];
  const found = await runGit(program, args, { ...env, LC_ALL: "C" }, folder).catch(() => undefined);
  const text = found?.toString("utf8").replace(/\n$/, "");
  return text ? text : undefined;
}

function configText(values: {
  sha256: boolean;
  excludes: string | undefined;
  attributes: string | undefined;
}): string {
  const windows = process.platform === "win32";
  const caseBlind = windows || process.platform === "darwin";
  const lines = [
    "[core]",
    `repositoryformatversion = ${values.sha256 ? 1 : 0}`,
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
    // What is lost when the power goes is made anew.
    "fsync = none",
    "looseCompression = 0",
    `hooksPath = ${quoted(windows ? "NUL" : "/dev/null")}`,
    ...(values.excludes === undefined ? [] : [`excludesFile = ${quoted(values.excludes)}`]),
    ...(values.attributes === undefined ? [] : [`attributesFile = ${quoted(values.attributes)}`]),
    "[gc]",
    "auto = 0",
    "[maintenance]",
    "auto = false",
    "[protocol]",
    "allow = never",
    "[diff]",
    "ignoreSubmodules = all",
    "renames = false",
    ...(values.sha256 ? ["[extensions]", "objectFormat = sha256"] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(value: string): string {
  return `"${value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
}
