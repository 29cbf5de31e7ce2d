/** What works in a copy of a repository changes nothing in the repository itself, whatever path a model names. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { sampled } from "../support/random.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const FILES = ["delete.txt", "move.txt", "patch.txt", "replace.txt", "write.txt"];

/** One call of each tool that changes files. `at`: how the paths begin. */
function calls(at: string): ScriptPart[] {
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
const CHANGES = [
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
const inFolder = (folder: string) => CHANGES.map(({ path: name, kind }) => ({ path: folder + name, kind }));

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
    cwd: project.folder,
    encoding: "utf8",
  });

/** The repository's files with their content. */
async function userFiles(): Promise<unknown> {
  const names = (await readdir(project.folder, { recursive: true })).filter((name) => !/^\.git\b/.test(name));
  const texts = names.map((name) =>
    readFile(path.join(project.folder, name), "utf8").catch(() => "a folder"),
  );
  return Object.fromEntries((await Promise.all(texts)).map((text, index) => [names[index], text]));
}

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create(Object.fromEntries(FILES.map((name) => [name, "one\n"])));
  await mkdir(path.join(project.folder, "linked"));
  for (const name of FILES) await writeFile(path.join(project.folder, "linked", name), "one\n");
  await symlink(path.join(project.folder, "linked"), path.join(project.folder, "link"));
  await symlink(project.folder, path.join(project.dataDir, "../elsewhere"));
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "begin");
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const nekode = (...args: string[]) => project.run(args, env);
const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
const told = () => server.requests.map(({ body }) => JSON.stringify(body)).join("\n");

const NAMED: [how: string, at: () => string, changes: typeof CHANGES][] = [
  ["absolute paths", () => `${project.folder}/`, CHANGES],
  ["absolute paths of a folder", () => `${project.folder}/linked/`, inFolder("linked/")],
  ["an absolute link in the repository", () => "link/", []],
  ["a link elsewhere to the repository", () => path.join(project.dataDir, "../elsewhere/"), []],
];

/** How a path is judged does not depend on whose copy it is. */
const FEW = sampled(NAMED, 2);

it.each(NAMED)("a task in a worktree, by %s", async (_how, at, changes) => {
  server.setScript({ turns: [{ answer: calls(at()) }, { answer: [DONE] }] });
  const before = await userFiles();
  const { stdout, code } = await nekode("--worktree", "--permission", "all", "--json", "change it");
  expect(code).toBe(0);
  expect(await userFiles()).toEqual(before);
  const { root, files } = lastLine((await nekode("worktree", "list", "--json")).stdout);
  expect(
    git("-C", root, "status", "--porcelain", "-uall", "--no-renames").split("\n").filter(Boolean),
  ).toHaveLength(changes.length);
  expect(files).toBe(changes.length);
  expect(lastLine(stdout).files).toHaveLength(changes.length);
  if (changes.length === 0) expect(told()).toContain("belongs to the original project");
});

it.each(FEW)("a task of a batch, by %s", async (_how, at, changes) => {
  server.setScript({ turns: [{ answer: calls(at()) }, { answer: [DONE] }] });
  const tasks = path.join(project.dataDir, "../tasks.jsonl");
  await writeFile(tasks, `${JSON.stringify({ id: "one", cwd: project.folder, task: "change it" })}\n`);
  const before = await userFiles();
  const { code, stderr } = await project.run(["batch", tasks, "--permission", "all"], env);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(await userFiles()).toEqual(before);
  const result = lastLine(await readFile(tasks.replace(/\.jsonl$/, ".results.jsonl"), "utf8"));
  expect(result).toMatchObject({ status: "done", files: changes });
  if (changes.length === 0) expect(told()).toContain("belongs to the original project");
});

it.each(FEW)("a task that a task started, by %s", async (_how, at, changes) => {
  server.setScript({
    turns: [
      {
        match: { firstUser: "have it changed", request: 1 },
        answer: [{ tool: "start_task", params: { description: "change it", kind: "work" } }],
      },
      { match: { firstUser: "have it changed" }, answer: [DONE] },
      { match: { firstUser: "change it", request: 1 }, answer: calls(at()) },
      { match: { firstUser: "change it" }, answer: [DONE] },
    ],
  });
  const before = await userFiles();
  // Without the permission for edits, the changes of the worktree are proposed and wait.
  const { code, stdout } = await nekode("--permission", "all", "--json", "have it changed");
  expect(code).toBe(0);
  const after = await userFiles();
  // What the user allowed is applied as a whole, and counted.
  if (changes.length === 0) expect(after).toEqual(before);
  expect(lastLine(stdout).files).toEqual(changes);
  if (changes.length === 0) expect(told()).toContain("belongs to the original project");
});

it.each(FEW)("a replay, by %s", async (_how, at, changes) => {
  server.setScript({ turns: [{ answer: calls(at()) }, { answer: [DONE] }] });
  const { stdout } = await nekode("--permission", "all", "--json", "change it");
  git("reset", "-q", "--hard");
  git("clean", "-qfd");
  const before = await userFiles();
  const replayed = await nekode("replay", lastLine(stdout).session, "--permission", "all", "--json");
  expect(await userFiles()).toEqual(before);
  const report = JSON.parse(replayed.stdout);
  const changed = report.files.filter(({ kind }: { kind: string }) => kind !== "unchanged");
  expect(
    changed.map(({ path: name, kind }: { path: string; kind: string }) => ({ path: name, kind })),
  ).toEqual(changes);
  if (changes.length > 0) expect(report.same).toBe(true);
});
