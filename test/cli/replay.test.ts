/** A session that a model answered once is played again over other files, by the built program in a real repository. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ReplayReport, replayReportSchema } from "../../src/shared/run/replay-report.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { atifFaults } from "../support/atif-check.ts";
import { underOne } from "../support/protocols.ts";
import { type Ended, Project } from "./support.ts";

const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const edit = (before: string, after: string) => ({
  tool: "replace_in_file",
  params: { path: "a.txt", diff: `------- SEARCH\n${before}\n=======\n${after}\n+++++++ REPLACE` },
});
const MARK = "echo ran >> ran.log; echo out";
const SCRIPT: Script = {
  turns: [
    { answer: [{ reasoning: "Look first." }, { tool: "read_file", params: { path: "a.txt" } }] },
    {
      answer: [edit("one", "two"), { tool: "write_to_file", params: { path: "new/b.txt", content: "b\n" } }],
    },
    { answer: [{ tool: "execute_command", params: { command: MARK, requires_approval: false } }] },
    { answer: [DONE] },
    { answer: [{ text: "It is two now." }] },
  ],
};

let server: ModelServer;
let project: Project;
let env: Record<string, string>;
/** For temporary files of this test's programs alone: other suites replay sessions at the same time. */
let scratch: string;

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
    cwd: project.folder,
    encoding: "utf8",
  });

beforeEach(async () => {
  server = await startModelServer({ script: SCRIPT });
  project = await Project.create({
    "a.txt": "one\n",
    ".gitignore": "ignored.txt\n",
    "ignored.txt": "mine\n",
  });
  scratch = path.join(project.folder, "../tmp");
  await mkdir(scratch);
  env = {
    ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret" },
    TMPDIR: scratch,
  };
  git("init", "-q", "-b", "main");
  git("add", "a.txt", ".gitignore");
  git("commit", "-qm", "begin");
});
afterEach(async () => {
  await server.close();
  const left = await readdir(scratch);
  await project.remove();
  expect(left.filter((name) => name.startsWith("nekode-replay-"))).toEqual([]);
});

/** Of one turn; `again`: of two. */
async function record({ again = false, args = [] as string[] } = {}): Promise<string> {
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await project.run(["--json", ...args, ...words], env);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "").session as string;
  };
  const id = await run("--permission", "all", "change a.txt");
  if (again) await run("--permission", "all", "--resume", id, "and what is it now?");
  return id;
}

function reportOf({ stdout, stderr }: Ended): ReplayReport {
  if (stdout === "") throw new Error(stderr);
  return replayReportSchema.parse(JSON.parse(stdout));
}

/** Everything that a replay must not change. */
async function userFiles(): Promise<unknown> {
  const names = (await readdir(project.folder, { recursive: true })).sort();
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(project.folder, name)).then(String, () => "a folder")),
  );
  return [names, texts, git("status", "--porcelain"), git("worktree", "list")];
}

it.each(underOne("native"))(
  "over the files that it began with it is the same, twice, under %s",
  async (protocol) => {
    const id = await record({ again: true, args: ["--protocol", protocol] });
    const requests = server.requests.length;
    const before = await userFiles();
    const args = ["replay", id, "--against", "main", "--json", "--permission", "all"];
    const [first, second] = [await project.run(args, env), await project.run(args, env)];
    expect(second.stdout).toBe(first.stdout);
    expect([first.code, second.code]).toEqual([0, 0]);
    const commit = git("rev-parse", "main").trim();
    expect(reportOf(first)).toMatchObject({
      ...{ session: id, same: true, against: { revision: "main", commit }, permission: "all" },
      answers: { recorded: 5, played: 5 },
      // The last call of the first turn is answered by the user's next message.
      calls: { same: 5, different: 0, notRun: 0 },
      files: [
        { path: "a.txt", kind: "changed", recorded: "same" },
        { path: "new/b.txt", kind: "added", recorded: "same" },
        { path: "ran.log", kind: "added" },
      ],
    });
    expect(server.requests).toHaveLength(requests);
    expect(await userFiles()).toEqual(before);
  },
);

it("over today's files it lists what differs; what was approved once runs no command", async () => {
  const id = await record();
  await writeFile(path.join(project.folder, "a.txt"), "one\nand more\n");
  const before = await userFiles();
  const ended = await project.run(["replay", id, "--json"], env);
  const report = reportOf(ended);
  expect(ended.code).toBe(5);
  expect(report).toMatchObject({
    ...{ same: false, against: { revision: null }, permission: "edits", answers: { played: 4 } },
    notRun: [{ answer: 3, call: 1, tool: "execute_command", why: "permission" }],
    files: expect.arrayContaining([
      expect.objectContaining({ path: "a.txt", kind: "changed", recorded: "different" }),
      // The command would have written to it once more.
      expect.objectContaining({ path: "ran.log", kind: "unchanged", recorded: "same" }),
      // Uncommitted files of the session are part of the files as they are.
      expect.objectContaining({ path: "new/b.txt", kind: "unchanged", recorded: "same" }),
    ]),
  });
  expect(
    report.differences.map(({ tool, diff }) => [tool, diff.includes("+") && diff.includes("and more")]),
  ).toEqual(
    expect.arrayContaining([
      ["read_file", true],
      ["replace_in_file", true],
    ]),
  );
  expect(await userFiles()).toEqual(before);
  const words = await project.run(["replay", id], env);
  expect(words.code).toBe(5);
  expect(words.stdout).toContain("Calls: ");
  expect(words.stdout).toMatch(/Not run:\n {2}answer 3, execute_command .*--permission/);
  expect(words.stdout).toContain("The replay differs from the session.");
});

it("a rejected call is rejected again, and a call that only the user's files can answer does not touch them", async () => {
  server.setScript({ turns: [{ answer: [edit("one", "two"), DONE] }, { answer: [DONE] }] });
  const asked = await project.run(["--json", "change a.txt"], env);
  expect(asked.code).toBe(4);
  const { session } = JSON.parse(asked.stdout.trimEnd().split("\n").at(-1) ?? "");
  expect((await project.run(["answer", session, "no", "Leave it."], env)).code).toBe(0);
  const ended = await project.run(["replay", session, "--json"], env);
  expect(reportOf(ended)).toMatchObject({ same: true, calls: { different: 0, notRun: 0 }, files: [] });
  expect(ended.code).toBe(0);
});

it("is exported for others as a trajectory and as a script; what cannot be replayed has its sentence", async () => {
  const id = await record();
  const words = async (...args: string[]) => {
    const { code, stderr, stdout } = await project.run(["replay", ...args], env);
    expect(stdout).toBe("");
    return [code, stderr];
  };
  expect(await words()).toEqual([2, expect.stringContaining("the ID of one session")]);
  expect(await words(id, "--permission", "ask")).toEqual([2, expect.stringContaining("edits, safe, all")]);
  expect(await words("gone")).toEqual([1, expect.stringContaining("there is no session gone")]);
  expect(await words(id, "--against", "nowhere")).toEqual([
    1,
    expect.stringContaining("nowhere is not a commit"),
  ]);
  const written = await project.run(["--export", id, "--format", "atif", "--export-dir", "out"], env);
  expect(written.stdout).toBe(`${path.join(project.folder, "out/trajectory.json")}\n`);
  expect(atifFaults(JSON.parse(await project.read("out/trajectory.json")))).toEqual([]);
  const { stdout } = await project.run(["--export", id, "--format", "script"], env);
  server.setScript(JSON.parse(stdout));
  await writeFile(path.join(project.folder, "a.txt"), "one\n");
  const again = await project.run(["--json", "--permission", "all", "change a.txt"], env);
  expect(again.code).toBe(0);
  expect(await project.read("a.txt")).toBe("two\n");
  expect(server.refusals).toEqual([]);
  execFileSync("mv", [".git", "git-away"], { cwd: project.folder });
  expect(await words(id)).toEqual([1, expect.stringContaining("only in a Git repository")]);
});
