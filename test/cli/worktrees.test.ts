/** Tasks in worktrees, as a user of the terminal has them: begun, continued, reviewed and ended, with real git. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { git, write } from "../unit/node/git-support.ts";
import { countingGit } from "../unit/node/git-worktrees-support.ts";
import { Project } from "./support.ts";

const BEFORE = `${NEKO_BEFORE}\n`;
const AFTER = `${NEKO_AFTER}\n`;
const TASK = "猫を犬に @/neko.txt";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

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

function commitAll(): void {
  git(project.folder, "init", "-q", "-b", "main");
  git(project.folder, "config", "user.name", "U");
  git(project.folder, "config", "user.email", "u@example.org");
  git(project.folder, "add", "-A");
  git(project.folder, "commit", "-q", "-m", "first");
}

const worktree = (...args: string[]) => project.run(["worktree", ...args], env);

/** Begins a task that edits neko.txt; returns the folder of its worktree. */
async function begin(): Promise<string> {
  server.setScript(nekoScript());
  const { code, stderr } = await project.run(["--worktree", "--approve", "read,edit", TASK], env);
  expect(stderr).toContain("on the branch nekode/猫を犬に-neko-txt");
  expect(code).toBe(0);
  const listed = await worktree("list", "--json");
  const { root, title, files } = JSON.parse(listed.stdout);
  expect({ title, files }).toEqual({ title: TASK, files: 1 });
  return root;
}

describe("a task in a worktree", () => {
  it("changes nothing in the folder until it is merged, and is continued where it works", async () => {
    commitAll();
    const root = await begin();
    expect(await project.read("neko.txt")).toBe(BEFORE);
    expect(git(root, "diff", "--name-only").trim()).toBe("neko.txt");
    expect((await worktree("diff", "猫を犬に-neko-txt")).stdout).toContain(`+${NEKO_AFTER}`);
    expect((await worktree("open", "nekode/猫を犬に-neko-txt")).stdout).toBe(`${root}\n`);

    server.setScript({
      turns: [
        {
          answer: [{ tool: "write_to_file", params: { path: "more.txt", content: "more\n" } }],
        },
        { answer: [{ tool: "attempt_completion", params: { result: "done" } }] },
      ],
    });
    expect((await project.run(["--continue", "--approve", "read,edit", "more"], env)).code).toBe(0);
    expect(existsSync(path.join(root, "more.txt"))).toBe(true);
    expect(existsSync(path.join(project.folder, "more.txt"))).toBe(false);

    write(project.folder, { "more.txt": "mine\n" });
    const refused = await worktree("merge", "猫を犬に-neko-txt", "--message", "Dog");
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("more.txt") });
    expect(await project.read("more.txt")).toBe("mine\n");
    await rm(path.join(project.folder, "more.txt"));
    expect(await worktree("merge", "猫を犬に-neko-txt")).toMatchObject({ code: 0 });
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(git(project.folder, "log", "-1", "--format=%an %s").trim()).toBe("U Dog");
    expect(existsSync(root)).toBe(false);
    expect((await worktree("list")).stdout).toBe("");
    expect(git(project.folder, "branch", "--list", "nekode/*")).toBe("");
  });

  it("names what is lost before it is discarded, and does not run where its worktree is gone", async () => {
    commitAll();
    const root = await begin();
    const named = await worktree("discard", "猫を犬に-neko-txt");
    expect(named).toMatchObject({ code: 4, stderr: expect.stringContaining("  neko.txt\n") });
    expect(existsSync(root)).toBe(true);
    await rm(root, { recursive: true });
    const requests = server.requests.length;
    const resumed = await project.run(["--continue", "--approve", "read,edit", "again"], env);
    expect(resumed).toMatchObject({ code: 1, stderr: expect.stringContaining("no longer exists") });
    expect(server.requests).toHaveLength(requests);
    expect(await project.read("neko.txt")).toBe(BEFORE);
  });

  it("is named to whoever works in its folder, with whether it is open elsewhere", async () => {
    commitAll();
    const task = "Make a dog";
    server.setScript({
      turns: [
        { match: { firstUser: task }, answer: [{ hold: "working" }, { text: "A dog." }] },
        { match: { firstUser: "What is here?" }, answer: [{ text: "A cat." }] },
        { match: { firstUser: "And now?" }, answer: [{ text: "A dog." }] },
      ],
    });
    const { ended } = project.start(["--worktree", task], env);
    await server.waitForHold("working");
    const { root } = JSON.parse((await worktree("list", "--json")).stdout);
    const ask = (text: string) => project.runIn(root, [text], env);
    const named = `This folder is the worktree of the task “${task}”. To merge, keep or discard its changes, review it in the project ${project.folder}.`;
    const opened = "The session is open in another window or terminal";
    const meanwhile = await ask("What is here?");
    expect(meanwhile).toMatchObject({ code: 0, stdout: expect.stringContaining("A cat.") });
    expect(meanwhile.stderr.split(named)).toHaveLength(2);
    expect(meanwhile.stderr).toContain(opened);
    server.release("working");
    expect((await ended).stderr).not.toContain(named);
    const afterwards = (await ask("And now?")).stderr;
    expect(afterwards).toContain(named);
    expect(afterwards).not.toContain(opened);
  });

  it("is merged by one process while another one discards it, and nothing is lost", async () => {
    commitAll();
    const root = await begin();
    const fifo = path.join(path.dirname(project.folder), "fifo");
    execFileSync("mkfifo", [fifo]);
    const bin = await countingGit(`case "$*" in *commit-tree*) read -r _ < '${fifo}';; esac`);
    const slow = { ...env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
    const merging = project.start(["worktree", "merge", "猫を犬に-neko-txt"], slow);
    // It opens once git, in the middle of the merge, reads from it.
    const held = await open(fifo, "w");
    try {
      for (const args of [["discard", "--yes"], ["keep"], ["merge"]]) {
        const [action = "", ...rest] = args;
        const refused = await worktree(action, "猫を犬に-neko-txt", ...rest);
        expect(refused).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(
            "Another task, window or terminal uses this worktree (nekode/猫を犬に-neko-txt)",
          ),
        });
      }
      expect(git(root, "diff", "HEAD", "--name-only").trim()).toBe("neko.txt");
    } finally {
      await held.close();
    }
    expect(await merging.ended).toMatchObject({ code: 0 });
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(existsSync(root)).toBe(false);
    expect(await worktree("discard", "猫を犬に-neko-txt", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no worktree"),
    });
  });

  it("does not begin in a folder without git, and leaves nothing", async () => {
    const { code, stderr } = await project.run(["--worktree", TASK], env);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not in a Git repository"),
    });
    expect(server.requests).toHaveLength(0);
    expect((await project.run(["--list"], env)).stdout).toBe("");
    expect((await project.run(["--worktree", "--continue", "x"], env)).code).toBe(2);
    expect(await worktree("merge", "x")).toMatchObject({ code: 1 });
  });
});
