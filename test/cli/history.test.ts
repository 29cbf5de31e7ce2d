/** The history on a terminal: sorted, kept, named, deleted with a way back, and that of other projects. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { env, idOf, placeOfEachTest, project, ran, titles } from "./history-place.ts";
import { Project } from "./support.ts";

placeOfEachTest();

it("names, and deletes with a way back", async () => {
  await ran("first");
  const id = await idOf("first");
  await ran("--rename", id, "犬の件");
  expect(await titles("--search", "犬の")).toEqual(["犬の件"]);
  expect(await ran("--delete", id)).toContain(`--undelete ${id}`);
  expect(await titles()).toEqual([]);
  // A later task takes nothing away that can be brought back.
  await ran("second");
  await ran("--undelete", id);
  expect((await titles()).sort()).toEqual(["second", "犬の件"]);
});

it.each([
  [["--delete", "nowhere"], 1, "there is no session nowhere"],
  [["--rename", "x"], 2, "NAME"],
  [["--delete", "x", "--favourite", "y"], 2, "cannot be used together"],
  [["--favorite", "x", "a task"], 2, "does not accept a TASK"],
  [["--list", "--sort", "size"], 2, "size"],
])("%j: exit %i, and why", async (args, code, why) => {
  const ended = await project.run(args, env);
  expect(ended.stderr).toContain(why);
  expect(ended.code).toBe(code);
});

it("other projects are listed and exported when asked for, and a session is told where it belongs", async () => {
  const other = await Project.create({});
  try {
    await ran("mine");
    const elsewhere = await project.runIn(other.folder, ["of the other project"], env);
    expect(elsewhere.code, elsewhere.stderr).toBe(0);
    expect(await titles()).toEqual(["mine"]);
    expect(await titles("--all-projects")).toEqual(["of the other project", "mine"]);
    const listed = await ran("--list", "--all-projects", "--search", "犬である other");
    expect(listed).toContain(`Project: ${other.folder}`);
    const id = listed.split(" ")[0] ?? "";
    expect((await project.run(["--export", id], env)).code).toBe(1);
    expect(await ran("--export", id, "--all-projects")).toMatch(/^# of the other project\n/);
    const refused = await project.run(["--resume", id, "go on"], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`nekode --cwd "${other.folder}" --resume ${id}`);
    const resumed = await project.run(["--cwd", other.folder, "--resume", id, "go on"], env);
    expect(resumed.code, resumed.stderr).toBe(0);
  } finally {
    await other.remove();
  }
});

it("looking leaves no trace", async () => {
  for (const args of [["--list"], ["--list", "--all-projects", "--search", "x"], ["--export", "x"]])
    await project.run(args, env);
  expect(await readdir(path.dirname(project.dataDir))).toEqual(["project"]);
});
