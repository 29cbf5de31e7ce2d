/**
 * What works in a copy of a repository changes nothing in the repository itself, by every way that a path can name it, and in a batch.
 * `copies.test.ts` proves two of the ways for the other kinds of copies.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import {
  CHANGES,
  calls,
  changedInWorktree,
  DONE,
  env,
  git,
  lastLine,
  nekode,
  placeOfEachTest,
  project,
  server,
  told,
  userFiles,
} from "./copies-place.ts";

placeOfEachTest();

const inFolder = (folder: string) => CHANGES.map(({ path: name, kind }) => ({ path: folder + name, kind }));

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
  await changedInWorktree(changes.length);
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
