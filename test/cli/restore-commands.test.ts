/** The way back on a terminal: what changed is listed, shown, restored, undone, and nothing without a yes. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { APPROVE, env, onDisk, placeOfEachTest, project, server } from "./restore-commands-place.ts";

placeOfEachTest();

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
