/** Tasks that start tasks, in the built terminal host, with real worktrees. `families.long.test.ts` pauses and kills them. */
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  done,
  env,
  lastLine,
  left,
  nekode,
  placeOfEachTest,
  project,
  server,
  task,
} from "./families-place.ts";
import { Project } from "./support.ts";

placeOfEachTest();

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
