// A folder of a test's own, as the user's project.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Workspace {
  readonly folder: string;
  /** The *.code-workspace file that names its roots, where it has several. */
  readonly roots?: string;
  /** Text of a file, by its path in the folder. */
  read(file: string): Promise<string>;
  bytes(file: string): Promise<Buffer>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  exists(file: string): boolean;
  remove(): Promise<void>;
}

/**
 * @param name of the folder: it shows in the window's title
 * @param git makes it a repository with one commit of `files`
 * @param roots folders in it that are the workspace's roots
 * @param within the folder that it is made in
 */
export async function createWorkspace(
  name: string,
  files: Record<string, string | Uint8Array>,
  git: boolean,
  roots: readonly string[] = [],
  within = tmpdir(),
): Promise<Workspace> {
  const parent = await realpath(await mkdtemp(path.join(within, "nekode-workspace-")));
  const folder = path.join(parent, name);
  await mkdir(folder);
  const file = path.join(parent, `${name}.code-workspace`);
  if (roots.length > 0) {
    const folders = roots.map((root) => ({ path: path.join(folder, root) }));
    await writeFile(file, JSON.stringify({ folders }));
  }
  const workspace: Workspace = {
    folder,
    ...(roots.length > 0 ? { roots: file } : {}),
    read: (file) => readFile(path.join(folder, file), "utf8"),
    bytes: (file) => readFile(path.join(folder, file)),
    async write(file, content) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    },
    exists: (file) => existsSync(path.join(folder, file)),
    // A process of the window that is on its way out may write its last file meanwhile.
    remove: () => rm(parent, { recursive: true, force: true, maxRetries: 3 }),
  };
  for (const [file, content] of Object.entries(files)) await workspace.write(file, content);
  if (git) {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    await run("git", ["init", "-q", "-b", "main"], { cwd: folder });
    await run("git", ["add", "-A"], { cwd: folder });
    await run("git", [...identity, "commit", "-q", "--allow-empty", "-m", "Start"], { cwd: folder });
  }
  return workspace;
}
