/** What `worktrees.test.ts` and `worktrees.long.test.ts` begin with. */
import { afterEach, beforeEach, expect } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { git } from "../unit/node/git-support.ts";
import { Project } from "./support.ts";

export const BEFORE = `${NEKO_BEFORE}\n`;

export const AFTER = `${NEKO_AFTER}\n`;

export const TASK = "猫を犬に @/neko.txt";

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

export function commitAll(): void {
  project.commit();
  // In whose name the product merges.
  git(project.folder, "config", "user.name", "U");
  git(project.folder, "config", "user.email", "u@example.org");
}

export const worktree = (...args: string[]) => project.run(["worktree", ...args], env);

/** Begins a task that edits neko.txt; returns the folder of its worktree. */
export async function begin(): Promise<string> {
  server.setScript(nekoScript());
  const { code, stderr } = await project.run(["--worktree", "--approve", "read,edit", TASK], env);
  expect(stderr).toContain("on the branch nekode/猫を犬に-neko-txt");
  expect(code).toBe(0);
  const listed = await worktree("list", "--json");
  const { root, title, files } = JSON.parse(listed.stdout);
  expect({ title, files }).toEqual({ title: TASK, files: 1 });
  return root;
}

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer();
    project = await Project.create({ "neko.txt": BEFORE });
    env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret-of-the-test" };
  });
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
    await project.remove();
  });
}
