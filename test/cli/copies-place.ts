/** What `copies.test.ts` and `copies.long.test.ts` begin with. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

const FILES = ["delete.txt", "move.txt", "patch.txt", "replace.txt", "write.txt"];

export const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
    cwd: project.folder,
    encoding: "utf8",
  });

export const DONE = { tool: "attempt_completion", params: { result: "Done." } };

/** One call of each tool that changes files. `at`: how the paths begin. */
export function calls(at: string): ScriptPart[] {
  const patch = [
    `*** Update File: ${at}patch.txt\n@@\n-one\n+two`,
    `*** Add File: ${at}added.txt\n+new`,
    `*** Update File: ${at}move.txt\n*** Move to: ${at}moved.txt\n@@\n-one\n+two`,
  ];
  return [
    { tool: "write_to_file", params: { path: `${at}write.txt`, content: "two\n" } },
    {
      tool: "replace_in_file",
      params: { path: `${at}replace.txt`, diff: "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE" },
    },
    { tool: "apply_patch", params: { input: `*** Begin Patch\n${patch.join("\n")}\n*** End Patch` } },
    { tool: "delete_file", params: { path: `${at}delete.txt` } },
  ];
}

export const CHANGES = [
  ...[
    { path: "added.txt", kind: "added" },
    { path: "delete.txt", kind: "deleted" },
  ],
  ...[
    { path: "move.txt", kind: "deleted" },
    { path: "moved.txt", kind: "added" },
  ],
  ...["patch.txt", "replace.txt", "write.txt"].map((name) => ({ path: name, kind: "changed" })),
];

/** The repository's files with their content. */
export async function userFiles(): Promise<Record<string, string>> {
  const names = (await readdir(project.folder, { recursive: true })).filter((name) => !/^\.git\b/.test(name));
  const texts = names.map((name) =>
    readFile(path.join(project.folder, name), "utf8").catch(() => "a folder"),
  );
  return Object.fromEntries((await Promise.all(texts)).map((text, index) => [names[index], text]));
}

export const nekode = (...args: string[]) => project.run(args, env);
export const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
export const told = () => server.requests.map(({ body }) => JSON.stringify(body)).join("\n");

/** Runs a task in a worktree, where it changes so many files, and none of the user's. */
export async function changedInWorktree(count: number): Promise<void> {
  const before = await userFiles();
  const { stdout, code } = await nekode("--worktree", "--permission", "all", "--json", "change it");
  expect(code).toBe(0);
  expect(await userFiles()).toEqual(before);
  const { root, files } = lastLine((await nekode("worktree", "list", "--json")).stdout);
  expect(
    git("-C", root, "status", "--porcelain", "-uall", "--no-renames").split("\n").filter(Boolean),
  ).toHaveLength(count);
  expect(files).toBe(count);
  expect(lastLine(stdout).files).toHaveLength(count);
}

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer();
    project = await Project.create(Object.fromEntries(FILES.map((name) => [name, "one\n"])));
    await mkdir(path.join(project.folder, "linked"));
    for (const name of FILES) await writeFile(path.join(project.folder, "linked", name), "one\n");
    await symlink(path.join(project.folder, "linked"), path.join(project.folder, "link"));
    await symlink(project.folder, path.join(project.dataDir, "../elsewhere"));
    project.commit();
    env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret" };
  });
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
    await project.remove();
  });
}
