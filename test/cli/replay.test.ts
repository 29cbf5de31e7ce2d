/** A session that a model answered once is played again over other files, by the built program in a real repository. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { underOne } from "../support/protocols.ts";
import { env, git, placeOfEachTest, project, record, reportOf, server } from "./replay-place.ts";

placeOfEachTest();

/** Everything that a replay must not change. */
async function userFiles(): Promise<unknown> {
  const names = (await readdir(project.folder, { recursive: true })).sort();
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(project.folder, name)).then(String, () => "a folder")),
  );
  return [names, texts, git("status", "--porcelain"), git("worktree", "list")];
}

it.each(underOne("native"))(
  "over the files that it began with it is the same, under %s",
  async (protocol) => {
    const id = await record({ again: true, args: ["--protocol", protocol] });
    const requests = server.requests.length;
    const before = await userFiles();
    const args = ["replay", id, "--against", "main", "--json", "--permission", "all"];
    const replayed = await project.run(args, env);
    expect(replayed.code).toBe(0);
    const commit = git("rev-parse", "main").trim();
    expect(reportOf(replayed)).toMatchObject({
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
});
