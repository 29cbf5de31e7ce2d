/**
 * Replays of rejected calls, a second replay, the report in words, and what is exported for others. `replay.test.ts` proves replays that are the same and that differ, and
 * test/unit/cli/replay-session.test.ts and test/unit/node/git-replay.test.ts the parts.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { atifFaults } from "../support/atif-check.ts";
import { DONE, edit, env, placeOfEachTest, project, record, reportOf, server } from "./replay-place.ts";

placeOfEachTest();

it("is the same twice, and says in words what differs", async () => {
  const id = await record();
  await writeFile(path.join(project.folder, "a.txt"), "one\nand more\n");
  const args = ["replay", id, "--json"];
  const [first, second] = [await project.run(args, env), await project.run(args, env)];
  expect(second.stdout).toBe(first.stdout);
  expect([first.code, second.code]).toEqual([5, 5]);
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
