/**
 * The order of the history, and folders that were renamed. `history.test.ts` proves names, the way back and other projects;
 * test/unit/cli/session-commands.test.ts the options.
 */
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { env, idOf, placeOfEachTest, project, ran, server, titles } from "./history-place.ts";
import { Project } from "./support.ts";

placeOfEachTest();

it("lists in any order, and favorites alone", async () => {
  await ran("the long one");
  await ran("the second");
  expect(await titles()).toEqual(["the second", "the long one"]);
  expect(await titles("--sort", "oldest")).toEqual(["the long one", "the second"]);
  expect(await titles("--sort", "tokens")).toEqual(["the long one", "the second"]);
  const id = await idOf("the second");
  await ran("--favorite", id);
  expect(await titles("--favorites")).toEqual(["the second"]);
  await ran("--unfavourite", id);
  expect(await titles("--favourites")).toEqual([]);
});

it("of a folder that was renamed are among the other projects', and can be gone on with as a copy", async () => {
  const old = await Project.create({});
  try {
    const before = await project.runIn(old.folder, ["before the new name"], env);
    expect(before.code, before.stderr).toBe(0);
    const renamed = `${old.folder}-renamed`;
    await rename(old.folder, renamed);
    const there = (...args: string[]) => project.runIn(renamed, args, env);
    const list = await there("--list");
    expect(list.stdout).toBe("");
    const hint =
      /folders no longer exist[^\n]*renamed or moved[^\n]*\n {2}project: before the new name\n {4}nekode --export /;
    expect(list.stderr).toMatch(hint);
    expect((await there("--continue", "go on")).stderr).toMatch(hint);
    expect((await there("--list", "--json")).stderr).toBe("");
    const { stdout } = await there("--list", "--all-projects");
    expect(stdout).toContain("before the new name  (Project: project)");
    const refused = await there("--resume", stdout.split(" ")[0] ?? "", "go on");
    const [, command = ""] =
      /^nekode (--export .*) > task.json && nekode --import/m.exec(refused.stderr) ?? [];
    const exported = await there(...command.split(" "));
    await writeFile(path.join(renamed, "task.json"), exported.stdout);
    expect((await there("--import", "task.json")).code).toBe(0);
    expect(await there("--continue", "go on")).toMatchObject({ code: 0 });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("before the new name");
  } finally {
    await old.remove();
  }
});
