/** The history on a terminal: sorted, kept, named, deleted with a way back, and that of other projects. */
import { readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer({
    script: {
      turns: [
        { match: { said: "long" }, answer: [{ text: "words ".repeat(200) }], times: true },
        { answer: [{ tool: "attempt_completion", params: { result: "吾輩は犬である。" } }], times: true },
      ],
    },
  });
  project = await Project.create({ "neko.txt": "猫\n" });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
});
afterEach(async () => {
  await server.close();
  await project.remove();
});

async function titles(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await project.run(["--json", "--list", ...args], env);
  expect(code, stderr).toBe(0);
  const lines = stdout.trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line).title);
}
async function idOf(title: string): Promise<string> {
  return (await project.run(["--list", "--search", title], env)).stdout.split(" ")[0] ?? "";
}
const ran = async (...args: string[]) => {
  const ended = await project.run(args, env);
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
};

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

it("looking leaves no trace", async () => {
  for (const args of [["--list"], ["--list", "--all-projects", "--search", "x"], ["--export", "x"]])
    await project.run(args, env);
  expect(await readdir(path.dirname(project.dataDir))).toEqual(["project"]);
});
