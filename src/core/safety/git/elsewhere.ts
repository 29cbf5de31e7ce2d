/**
 * Checks whether a repository refers to something that is not its own: another repository, other objects, files that
 * are links.
 */
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { secretName } from "../paths/secret-names.ts";
import type { ConfigEntry } from "./git-config.ts";
import type { GitUse } from "./git-use.ts";
import {
  configEntries,
  type LocatedRepository,
  pathFrom,
  type RepositoryReader,
  smallText,
} from "./locate-repository.ts";
import { containsCredential, secretInLogs } from "./reflog.ts";

/** Folders of a repository whose entries git reads by itself. */
const READ = ["", "info", "logs", "objects", "objects/info", "rebase-merge", "rebase-apply", "sequencer"];

/** Returns why all commands in this repository ask; otherwise undefined. */
export async function leadsElsewhere(
  repository: LocatedRepository,
  reader: RepositoryReader,
): Promise<Reason | undefined> {
  const { top, gitDir, commonDir } = repository;
  if (top !== undefined && !(await belongs(repository, top, reader))) return reasonOf("git-elsewhere");
  if (commonDir !== gitDir && commonDir !== resolve(gitDir, "../..")) return reasonOf("git-elsewhere");
  for (const folder of new Set([gitDir, commonDir])) {
    for (const name of READ) {
      const link = await linkIn(join(folder, name), reader);
      if (link !== undefined) return reasonOf("git-link", link);
    }
  }
  return undefined;
}

/**
 * Whether the files in `top` belong to the repository, according to the repository itself if it is not directly in
 * `top`.
 */
async function belongs(
  { gitDir, entries }: LocatedRepository,
  top: string,
  reader: RepositoryReader,
): Promise<boolean> {
  const real = (path: string) => reader.files.realpath(path).catch(() => resolve(path));
  if ((await real(gitDir)) === join(await real(top), ".git")) return true;
  const back = (await smallText(join(gitDir, "gitdir"), reader))?.trim();
  if (back !== undefined) return (await real(dirname(resolve(gitDir, back)))) === (await real(top));
  // The setting of a submodule. That it refers to this folder is checked together with all other settings.
  return entries.some(({ section, key }) => section === "core" && key === "worktree");
}

async function linkIn(folder: string, { files }: RepositoryReader): Promise<string | undefined> {
  if ((await files.stat(folder))?.kind !== "directory") return undefined;
  for (const { name, kind } of await files.list(folder)) {
    if (kind === "file" || kind === "directory") continue;
    const path = join(folder, name);
    // The socket of a file watcher is not a link.
    if ((await files.readlink(path).catch(() => undefined)) !== undefined) return path;
  }
  return undefined;
}

/** Returns where objects come from that are not the repository's own; otherwise undefined. */
export async function alternates(
  { commonDir }: LocatedRepository,
  reader: RepositoryReader,
): Promise<string | undefined> {
  const text = await smallText(join(commonDir, "objects/info/alternates"), reader);
  return text?.split("\n").find((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** Returns why what a command prints of the configuration, or of files that it names, asks. */
export async function secretsInConfig(
  use: GitUse,
  repository: LocatedRepository | undefined,
  reader: RepositoryReader,
): Promise<Reason | undefined> {
  const own = repository?.entries ?? [];
  if (/^(?:blame|annotate)$/.test(use.verb)) {
    const top = repository?.top;
    const named = own.find(
      ({ section, key, value }) =>
        section === "blame" &&
        key === "ignorerevsfile" &&
        (top === undefined || !plainFile(value, top, reader)),
    );
    return named && reasonOf("configured-secret-file", named.value);
  }
  if (use.logs !== undefined && repository) return secretInLogs(use.logs, repository, reader);
  if (use.printsKey === undefined && use.printsBranches !== true) return undefined;
  const included = own.find(
    ({ section, key, value }) =>
      /^include/.test(section) && key === "path" && secretName(value) !== undefined,
  );
  if (included) return reasonOf("configured-secret-file", included.value);
  const userConfig: ConfigEntry[] = [];
  for (const file of [".gitconfig", ".config/git/config"])
    userConfig.push(...(await configEntries(join(reader.home, file), reader)));
  const secret = [...own, ...userConfig].find((entry) => containsSecret(entry) && isPrinted(entry, use));
  return secret && reasonOf("configured-secret", nameOf(secret));
}

function isPrinted(entry: ConfigEntry, { printsKey, printsBranches }: GitUse): boolean {
  const name = nameOf(entry);
  if (printsBranches)
    return entry.section === "branch" || name === "remote.pushdefault" || containsCredential(entry.sub);
  return printsKey === "" || printsKey === name;
}

function plainFile(value: string, top: string, { home }: RepositoryReader): boolean {
  if (secretName(value)) return false;
  const inside = relative(top, pathFrom(top, value, home));
  return !isAbsolute(inside) && !/^\.\.(?:$|[\\/])/.test(inside);
}

function nameOf({ section, sub, key }: ConfigEntry): string {
  return [section, sub, key]
    .filter((part) => part !== "")
    .join(".")
    .toLowerCase();
}

/** Addresses with a password or token, headers, and keys that are secret by name. */
function containsSecret(entry: ConfigEntry): boolean {
  const name = nameOf(entry);
  if (/token|passw|passphrase|secret|extraheader|(?:api|private|access)_?-?key|smtppass/.test(name))
    return !/^(?:true|false|)$/i.test(entry.value);
  return containsCredential(`${name} ${entry.sub} ${entry.value}`);
}
