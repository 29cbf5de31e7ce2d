/** The folders and links that the paths of the corpora name. */
import { mkdir, mkdtemp, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIgnoreRules } from "../../src/core/instructions/ignore-rules.ts";
import { judgePath } from "../../src/core/safety/paths/judge-path.ts";
import type { Corpus } from "./corpus.ts";

const FOLDERS = ["src", ".git/hooks", ".vscode", "docs", "secret-notes", "sub"];

/** Where each link leads; `base` is the folder that holds the project. */
const links = (base: string): [string, string][] => [
  ["link-to-outside", join(base, "outside")],
  ["link-inside", "src/a.ts"],
  ["link-to-git", ".git"],
  ["link-to-vscode", ".vscode"],
  ["link-to-env", ".env"],
  ["link-to-ignored", "secret-notes/a.txt"],
  ["dangling", join(base, "outside", "not-yet")],
  ["loop", "loop"],
  ["ping", "pong"],
  ["pong", "ping"],
  ["here", "."],
  ["up", ".."],
  ["chain", "link-to-outside"],
  ["chain-end", "chain/x"],
  ["sub/far", "../../outside"],
  ["sub/back", ".."],
  ["proc-cwd", "/proc/self/cwd"],
  ["new-hook", ".git/hooks/pre-commit"],
  ["new-inside", "src/not-yet.ts"],
  ["new-env", ".env.not-yet"],
  ["hook-folder", ".git/hooks"],
  ["to-agents", "AGENTS.md"],
  ["to-package", "package.json"],
  ["to-key", "server.key"],
  ["to-ignored-folder", "secret-notes"],
  ["src/to-vscode", "../.vscode"],
];

export interface PathProject {
  /** Holds the project, and a folder `outside` beside it. */
  base: string;
  root: string;
  judge(path: Corpus["paths"][number]): ReturnType<typeof judgePath>;
  remove(): Promise<void>;
}

export async function createPathProject(): Promise<PathProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "nekode-paths-")));
  const root = join(base, "project");
  for (const name of FOLDERS) await mkdir(join(root, name), { recursive: true });
  await mkdir(join(base, "outside"));
  await writeFile(join(base, "outside", "x"), "outside");
  await writeFile(join(root, "src", "a.ts"), "");
  await writeFile(join(root, ".env"), "KEY=1");
  await writeFile(join(root, "secret-notes", "a.txt"), "");
  for (const [name, target] of links(base)) await symlink(target, join(root, name));
  const ignored = createIgnoreRules([{ folder: "", text: "secret-notes/\n" }]).ignores;
  return {
    base,
    root,
    judge: ([access, written]) =>
      judgePath(written.replaceAll("{root}", root), { root, access, realpath, readlink, ignored }),
    remove: () => rm(base, { recursive: true, force: true }),
  };
}
