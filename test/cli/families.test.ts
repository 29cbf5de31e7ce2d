/** Tasks that start tasks, in the built terminal host: with real worktrees, paused and answered from outside, and killed. */
import { execFileSync } from "node:child_process";
import { on } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

const task = (kind: string, description: string) => ({ tool: "start_task", params: { description, kind } });
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });
const NAMES = ["alpha", "beta", "gamma"];
const turns: ScriptTurn[] = [
  {
    match: { firstUser: "do all", request: 1 },
    answer: [...NAMES.map((name) => task("explore", `Look at ${name}`)), task("work", "Make it a dog")],
  },
  { match: { firstUser: "do all", request: 2 }, answer: [done("All is done.")] },
  ...NAMES.flatMap((name): ScriptTurn[] => [
    {
      match: { firstUser: `Look at ${name}`, request: 1 },
      answer: [{ tool: "read_file", params: { path: `${name}.txt` } }],
      times: 2,
    },
    { match: { firstUser: `Look at ${name}`, request: 2 }, answer: [done(`Report on ${name}.`)], times: 2 },
  ]),
  {
    match: { firstUser: "Make it a dog", request: 1 },
    answer: [{ tool: "write_to_file", params: { path: "cat.txt", content: "a dog\r\n" } }],
    times: 2,
  },
  { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog.")], times: 2 },
];

beforeEach(async () => {
  server = await startModelServer({ script: { turns } });
  project = await Project.create({
    "cat.txt": "a cat\r\n",
    ...Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `of ${name}\n`])),
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: project.folder,
      env: { ...project.environment, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "begin");
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const nekode = (...args: string[]) => project.run(args, env);
const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
/** Worktrees and branches that are left. */
const left = async () => ({
  branches: execFileSync("git", ["branch", "--format=%(refname:short)"], { cwd: project.folder })
    .toString()
    .trim()
    .split("\n").length,
  trees: execFileSync("git", ["worktree", "list"], { cwd: project.folder }).toString().trim().split("\n")
    .length,
});

it("three read and one works, and the project has exactly its bytes", async () => {
  const { code, stdout, stderr } = await nekode("--permission", "edits", "--json", "do all");
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(await project.read("cat.txt")).toBe("a dog\r\n");
  expect(lastLine(stdout)).toMatchObject({
    ...{ status: "done", requests: 10, answer: expect.stringContaining("All is done.") },
    files: [{ path: "cat.txt", kind: "changed" }],
  });
  expect(await left()).toEqual({ branches: 1, trees: 1 });
  const list = (await nekode("--list")).stdout;
  expect(list.match(/^\S+ .* do all\n( {2}\S+ .*\n){4}$/)).not.toBeNull();
  const found = (await nekode("--list", "--search", "gamma")).stdout;
  expect(found.match(/^\S+ .* \(Started by do all\)$/gm)).toHaveLength(1);
  const text = await nekode("--export", lastLine(stdout).session, "--format", "md");
  expect(text.stdout).toContain("Report on gamma.");
});

const held = (match: ScriptTurn["match"]) =>
  match?.firstUser === "Look at alpha" && match.request === 2
    ? { answer: [{ hold: "alpha" }, done("Report on alpha.")] }
    : {};

/** Resolves when the stream has said it. */
async function said(stream: Readable | null, text: string): Promise<void> {
  if (!stream) throw new Error("The output is not a pipe");
  let all = "";
  for await (const [part] of on(stream, "data")) {
    all += part;
    if (all.includes(text)) return;
  }
}

it("its questions pause the run and are answered from outside, one by one, by what was shown", async () => {
  // One that reads is still asking the model when the worker has to wait.
  server.setScript({ turns: turns.map(({ match, ...turn }) => ({ match, ...turn, ...held(match) })) });
  const run = project.start(["--json", "do all"], env);
  // From the start, as the question may come before the request that is held.
  const isAsked = said(run.child.stderr, "For the subtask “Make it a dog”");
  await server.waitForHold("alpha");
  await isAsked;
  server.release("alpha");
  const paused = await run.ended;
  expect(paused.code).toBe(4);
  const first = lastLine(paused.stdout);
  expect(paused.stderr).toContain("For the subtask “Make it a dog”");
  expect(await project.read("cat.txt")).toBe("a cat\r\n");
  const asked = await nekode("answer", first.session, "yes", "--shown", first.approval.shown, "--json");
  // The change in the worktree was made; now the project's own is asked about.
  expect(asked.stderr).toContain("+a dog");
  expect(asked.code).toBe(4);
  expect(await project.read("cat.txt")).toBe("a cat\r\n");
  const second = lastLine(asked.stdout);
  const ended = await nekode("answer", first.session, "yes", "--shown", second.approval.shown, "--json");
  expect(ended.code).toBe(0);
  expect(lastLine(ended.stdout)).toMatchObject({ session: first.session, status: "done" });
  expect(await project.read("cat.txt")).toBe("a dog\r\n");
  expect(await left()).toEqual({ branches: 1, trees: 1 });
  // Nothing was asked of the model twice.
  expect(server.requests).toHaveLength(10);
});

it("killed in the middle, it goes on where it was, and nothing is doubled", async () => {
  const held = turns.map((turn) =>
    turn.match?.request === 2 && turn.match.firstUser !== "do all" && "answer" in turn
      ? { ...turn, answer: [{ hold: "reports" }, ...(turn.answer ?? [])] }
      : turn,
  );
  server.setScript({ turns: held });
  const { child, ended } = project.start(["--permission", "edits", "do all"], env);
  await server.waitForRequest(9);
  child.kill("SIGKILL");
  await ended;
  server.setScript({ turns });
  const before = server.requests.length;
  const { code, stdout } = await nekode("--permission", "edits", "--json", "--continue");
  expect(code).toBe(0);
  expect(lastLine(stdout)).toMatchObject({ status: "done", answer: expect.stringContaining("All is done.") });
  expect(await project.read("cat.txt")).toBe("a dog\r\n");
  // One request for each that was cut off, and the last one.
  expect(server.requests.length - before).toBe(5);
  expect((await nekode("--list")).stdout.match(/^ {2}\S+ /gm)).toHaveLength(4);
  expect(await left()).toEqual({ branches: 1, trees: 1 });
});

it("in a folder without git only tasks that read are started, and the model is told", async () => {
  const plain = await Project.create({ "cat.txt": "a cat\n" });
  try {
    server.setScript({
      turns: [
        { match: { request: 1 }, answer: [task("work", "Make it a dog")] },
        { answer: [done("It is not possible.")] },
      ],
    });
    const { code } = await plain.run(["--permission", "edits", "try"], env);
    expect(code).toBe(0);
    expect(server.requests.at(-1)?.text).toMatch(/not in a Git repository/i);
    expect(await readdir(plain.folder)).toEqual(["cat.txt"]);
    await writeFile(path.join(plain.folder, "cat.txt"), "");
  } finally {
    await plain.remove();
  }
});
