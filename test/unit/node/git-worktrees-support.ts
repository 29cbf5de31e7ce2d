/** Worktrees of real repositories. */
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { Worktree, Worktrees } from "../../../src/core/ports/worktrees.ts";
import { createWorktrees } from "../../../src/node/git/worktrees/node-worktrees.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";
import type { Fault } from "../../../src/shared/reason.ts";
import { git, repository } from "./git-support.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

export const text = (...at: string[]) => readFileSync(path.join(...at), "utf8");
export const fault = (code: Fault["code"]) =>
  expect.objectContaining({ fault: expect.objectContaining({ code }) });

export interface Place {
  root: string;
  worktreesDir: string;
  worktrees: Worktrees;
  environment: NodeJS.ProcessEnv;
  /** With all defaults. */
  create(title?: string): Promise<Worktree>;
}

/** The settings of a user whom git knows. */
const IDENTITY = "[user]\n\tname = U\n\temail = u@example.org\n";

export async function place(
  files: Readonly<Record<string, string>> = { "a.txt": "one\n" },
  settings = IDENTITY,
): Promise<Place> {
  return placeAt(await repository(files), settings);
}

export async function placeAt(root: string, settings = IDENTITY): Promise<Place> {
  const home = await temporaryFolder();
  const worktreesDir = path.join(home, "data", "worktrees");
  writeFileSync(path.join(home, ".gitconfig"), settings);
  const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const worktrees = createWorktrees({
    ...{ worktreesDir, environment },
    roots: () => [root],
    shell: createShell(),
    log: { info: () => undefined, error: () => undefined },
  });
  const create = async (title = "Fix the cat") =>
    (await worktrees.create({ folder: root, title }, neverAborted)).worktree;
  return { root, worktreesDir, worktrees, environment, create };
}

/** Everything that a worktree leaves: branches, what git knows, folders. */
export function traces({ root, worktreesDir }: Pick<Place, "root" | "worktreesDir">): string[] {
  const admins = names(path.join(root, ".git", "worktrees"));
  const branches = git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/").trim().split("\n");
  const files = names(worktreesDir).flatMap((key) => names(path.join(worktreesDir, key)));
  return [...admins, ...branches.filter((name) => name !== "main"), ...files];
}

export function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A folder for PATH with a git that runs `script` before the real one, `$real`; `$n` is the number of the call. */
export async function countingGit(script: string): Promise<string> {
  const folder = await temporaryFolder();
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const count = path.join(folder, "count");
  writeFileSync(count, "");
  // In the shell alone, which starts no other program but git.
  const counted = `printf x >> '${count}'\nread -r n < '${count}'\nn=\${#n}`;
  const text = `#!/bin/sh\n${counted}\nreal='${real}'\n${script}\nexec "$real" "$@"\n`;
  writeFileSync(path.join(folder, "git"), text);
  chmodSync(path.join(folder, "git"), 0o755);
  return folder;
}
