/** Checks the logs of references: they contain the addresses that were pulled from, with any user name and token. */
import { join } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { withoutKnownSecrets } from "../../secrets.ts";
import type { ReadOptions } from "../programs/option-tables.ts";
import { type LocatedRepository, type RepositoryReader, RepositoryUncertain } from "./locate-repository.ts";

/** The logs that a command prints: that of HEAD, that of the stash, or any. */
export type PrintedLogs = "head" | "stash" | "all";

const MAX_LOGS = 2_000;
const MAX_BYTES = 8_000_000;

/** Returns the logs that a subcommand prints; undefined if it prints none. */
export function printedLogs(sub: string, read: ReadOptions): PrintedLogs | undefined {
  const names = read.options.map(({ name }) => name);
  const operands = [...read.positionals, ...read.rest].map(({ text }) => text);
  if (sub === "stash") return operands[0] === "list" ? (operands.length === 1 ? "stash" : "all") : undefined;
  const walks = names.some((name) => /^(?:-g|--walk-reflogs|--grep-reflog)$/.test(name));
  if (sub !== "reflog" && !walks) return undefined;
  const named = operands.filter(
    (text, i) => text !== "HEAD" && !(sub === "reflog" && i === 0 && text === "show"),
  );
  const more = names.some((name) => /^--(?:all|branches|tags|remotes|glob|stdin)$/.test(name));
  return named.length > 0 || more ? "all" : "head";
}

/** Whether a text contains an address with a password or a token, or a secret of a well-known form. */
export function containsCredential(text: string): boolean {
  return /:\/\/[^/\s@]*:[^/\s@]+@|:\/\/[\w-]{16,}@/.test(text) || withoutKnownSecrets(text) !== text;
}

/** Returns why printing these logs asks; otherwise undefined. */
export async function secretInLogs(
  logs: PrintedLogs,
  { gitDir, commonDir, entries }: LocatedRepository,
  { files }: RepositoryReader,
): Promise<Reason | undefined> {
  // With any other storage, the logs are part of a compressed file.
  if (
    entries.some(
      ({ section, key, value }) => section === "extensions" && key === "refstorage" && value !== "files",
    )
  )
    return reasonOf("reflog-unclear");
  const pending = pathsOf(logs, gitDir, commonDir);
  let seen = 0;
  let bytes = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stat = await files.stat(path);
    if (stat?.kind === "directory") {
      for (const { name } of await files.list(path)) pending.push(join(path, name));
      continue;
    }
    if (stat === undefined) continue;
    bytes += stat.size;
    if (stat.kind !== "file" || ++seen > MAX_LOGS || bytes > MAX_BYTES)
      throw new RepositoryUncertain(reasonOf("reflog-unclear"));
    if (containsCredential((await files.readText(path)).text)) return reasonOf("reflog-secret");
  }
  return undefined;
}

/** Returns the files that contain these logs, or folders of such files. */
function pathsOf(logs: PrintedLogs, gitDir: string, commonDir: string): string[] {
  switch (logs) {
    case "head":
      return [join(gitDir, "logs/HEAD")];
    case "stash":
      return [join(commonDir, "logs/refs/stash")];
    case "all":
      return [...new Set([join(gitDir, "logs"), join(commonDir, "logs"), join(commonDir, "worktrees")])];
  }
}
