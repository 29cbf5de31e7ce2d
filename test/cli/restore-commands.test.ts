/** The way back on a terminal: what changed is listed, shown, restored, undone, and nothing without a yes. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const COMMAND = "echo 犬 > a.txt && rm b.txt";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer({
    script: {
      turns: [
        { answer: [{ tool: "write_to_file", params: { path: "new/made.txt", content: "made\n" } }] },
        { answer: [{ tool: "execute_command", params: { command: COMMAND, requires_approval: false } }] },
        { answer: [{ tool: "attempt_completion", params: { result: "First done." } }] },
        { answer: [{ tool: "write_to_file", params: { path: "a.txt", content: "狸\n" } }] },
        { times: true, answer: [{ tool: "attempt_completion", params: { result: "Second done." } }] },
      ],
    },
  });
  project = await Project.create({ "a.txt": "猫\n", "b.txt": "b\n" });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project.folder });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "Start");
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const onDisk = () =>
  Promise.all(["a.txt", "b.txt", "new/made.txt"].map((name) => project.read(name).catch(() => undefined)));
const APPROVE = ["--approve", "read,edit,command"];

it("lists, shows, restores and undoes, each after a yes", async () => {
  const { code, stdout } = await project.converse(APPROVE, env, [
    ["> ", "/checkpoints\r"],
    ["There are no checkpoints yet.", "change some files\r"],
    ["First done.", ""],
    ["> ", "and now the cat\r"],
    ["Second done.", ""],
    ["> ", "/checkpoints\r"],
    ["2  and now the cat  (1 file changed)", "/changes\r"],
    ["+狸", "/undo\r"],
    ["Undo this change? [y]es or [n]o:", "n\r"],
    ["> ", "/undo\r"],
    ["Undo this change?", "y\r"],
    ["Restored files: 1", "/restore 1\r"],
    ["b.txt", ""],
    ["new/made.txt (will be deleted)", ""],
    ["Restore [f]iles", "f\r"],
    ["Restored files: 3", "/undo\r"],
    ["Undo the restore?", "y\r"],
    ["Restored files: 3", "/restore 9\r"],
    ["There is no such checkpoint", "/restore 2 everything\r"],
    ["not everything", "/exit\r"],
  ]);
  expect(code, stdout).toBe(0);
  expect(await onDisk()).toEqual(["犬\n", undefined, "made\n"]);
});

it("takes files and conversation back to a message, which can be said anew", async () => {
  const { stdout } = await project.converse(APPROVE, env, [
    ["> ", "change some files\r"],
    ["First done.", ""],
    ["> ", "/restore 1 both\r"],
    ["Restore to this checkpoint?", "y\r"],
    ["Restored files: 3", ""],
    ["change some files", " once more\r"],
    ["First done.", "/exit\r"],
  ]);
  expect(await onDisk()).toEqual(["犬\n", undefined, "made\n"]);
  const said = JSON.stringify(server.requests.at(-1)?.body);
  expect(said, stdout).toContain("change some files once more");
  // Both ways stay: the one that was left is a session like any other.
  const listed = await project.run(["--list"], env);
  expect(listed.stdout.trim().split("\n")).toHaveLength(2);
});

it("asks before it overwrites what somebody changed since, also in a later run", async () => {
  await project.run([...APPROVE, "change some files"], env);
  await writeFile(path.join(project.folder, "a.txt"), "mine\n");
  const left = await project.converse(["--continue", ...APPROVE], env, [
    ["> change some files", ""],
    ["First done.", ""],
    ["> ", "/restore 1 files\r"],
    ["a.txt (changed since)", ""],
    ["Restore to this checkpoint?", "y\r"],
    ["Restore these files too?", "n\r"],
    ["Restored files: 2", "/exit\r"],
  ]);
  expect(left.code, left.stdout).toBe(0);
  expect(await onDisk()).toEqual(["mine\n", "b\n", undefined]);
  // Looking at a session sends nothing.
  expect(server.requests).toHaveLength(3);
});

it("speaks Japanese", async () => {
  const { stdout } = await project.converse(APPROVE, { ...env, LANG: "ja_JP.UTF-8" }, [
    ["> ", "/help\r"],
    ["最後の変更、または最後の復元を元に戻す", "change some files\r"],
    ["First done.", ""],
    ["> ", "/undo\r"],
    ["この変更を元に戻しますか?", "はい\r"],
    ["復元したファイル: 2 個", "/exit\r"],
  ]);
  expect(stdout).not.toContain("Undo");
  expect(await onDisk()).toEqual(["猫\n", "b\n", "made\n"]);
});
