/** Real repositories in temporary folders, and what a test compares of them. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { GitSnapshots } from "../../../src/node/git/git-snapshots.ts";
import { temporaryFolder } from "./support.ts";

/** Git as a user runs it, without this machine's own settings. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "core.fsync=none", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "p",
      GIT_AUTHOR_EMAIL: "p@example.org",
      GIT_COMMITTER_NAME: "p",
      GIT_COMMITTER_EMAIL: "p@example.org",
    },
  });
}

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** What `git init` makes, without starting it. */
export function initRepository(root: string): void {
  const settings = `bare = false\n\tfilemode = ${process.platform !== "win32"}\n\tlogallrefupdates = true`;
  write(root, {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": `[core]\n\trepositoryformatversion = 0\n\t${settings}\n`,
    ".git/info/exclude": "",
  });
  for (const name of ["objects", "refs/heads", "hooks"])
    mkdirSync(path.join(root, ".git", name), { recursive: true });
}

/** A repository with those files committed; `root`: a folder of the caller's. */
export async function repository(
  files: Readonly<Record<string, string | Uint8Array>>,
  root?: string,
): Promise<string> {
  root ??= await temporaryFolder();
  initRepository(root);
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  return root;
}

/** A repository of many files, made all at once. */
export async function largeRepository(files: readonly { name: string; text: string }[]): Promise<string> {
  const root = await temporaryFolder();
  initRepository(root);
  const stream = ["commit refs/heads/main", "committer p <p@example.org> 0 +0000", "data 0", ""];
  for (const { name, text } of files)
    stream.push(`M 100644 inline ${name}`, `data ${Buffer.byteLength(text)}`, text);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: `${stream.join("\n")}\n` });
  git(root, "reset", "-q", "--hard");
  return root;
}

/** Everything of a folder in one hash: names, kinds, modes, times of change, contents. */
export function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  const visit = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      const file = path.join(at, name);
      const stats = lstatSync(file, { bigint: true });
      hash.update(`${path.relative(folder, file)}\0${stats.mode}\0`);
      if (stats.isDirectory()) visit(file);
      else if (stats.isSymbolicLink()) hash.update(readlinkSync(file));
      else hash.update(`${stats.mtimeNs}\0${stats.size}\0`).update(readFileSync(file));
    }
  };
  visit(folder);
  return hash.digest("hex");
}

export async function snapshots(
  root: string,
  options: Partial<ConstructorParameters<typeof GitSnapshots>[0]> = {},
): Promise<{ taken: GitSnapshots; problems: string[]; privateDir: string }> {
  const problems: string[] = [];
  const privateDir = path.join(await temporaryFolder(), "private");
  const taken = new GitSnapshots({
    root,
    privateDir,
    environment: { ...process.env, HOME: path.dirname(privateDir) },
    log: { info: () => {}, error: (text, cause) => void problems.push(`${text}: ${String(cause)}`) },
    ...options,
  });
  return { taken, problems, privateDir };
}

/** The tree of a snapshot that must come about. */
export async function tree(taken: GitSnapshots): Promise<string> {
  const snapshot = await taken.take();
  if ("unavailable" in snapshot) throw new Error(snapshot.unavailable);
  return snapshot.tree;
}

/** What changed while `work` ran: the contents before and after, by the path from `root`. */
export async function changesOf(
  taken: GitSnapshots,
  root: string,
  work: () => void,
): Promise<Record<string, [string | null, string | null]>> {
  const before = await tree(taken);
  work();
  const after = await tree(taken);
  const changes = await taken.changes(before, after);
  const ids = changes
    .flatMap((change) => [change.before?.id, change.after?.id])
    .filter((id) => id !== undefined);
  const contents = await taken.read(ids, 1e9, 1e9);
  const text = (side: { id: string; kind: string } | null) =>
    side && `${side.kind}: ${Buffer.from(contents.get(side.id) ?? "?").toString("utf8")}`;
  return Object.fromEntries(
    changes.map((change) => [path.relative(root, change.path), [text(change.before), text(change.after)]]),
  );
}
