/** Memory in the terminal host: what runs read and write, and the command that lists and deletes. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "a.txt": "a\n" });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const play = (...parts: ScriptPart[]) =>
  server.setScript({ turns: parts.map((part, n) => ({ match: { request: n + 1 }, answer: [part] })) });
const note = (text: string): ScriptPart => ({ tool: "remember", params: { text, topic: "cats" } });
/** The last request. */
const last = () => server.requests.findLast(({ chat }) => chat !== undefined)?.chat ?? {};
const memory = (...args: string[]) => project.run(["memory", ...args], env);
const file = async () => (await memory("path")).stdout.trim();

it("a run on a terminal writes a note, and the next one reads it; /memory says so", async () => {
  play(note("Cats are liquid."), DONE);
  const args = ["--permission", "edits", "Note it"];
  const first = await project.converse(args, env, [
    ["Remembering cats: Cats are liquid.", ""],
    ["To delete this note: nekode memory remove", ""],
  ]);
  expect(first.code).toBe(0);
  const content = await readFile(await file(), "utf8");
  expect(content).toContain("- **cats**: Cats are liquid.\n");
  expect(path.relative(project.dataDir, await file())).toMatch(
    /^projects[/\\]project-[0-9a-f]+[/\\]memory\.md$/,
  );
  play(DONE);
  await project.converse([], env, [
    ["> ", "How are cats?\r"],
    ["Notes from memory in this task: 1", ""],
    ["> ", "/memory\r"],
    ["Cats are liquid.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(JSON.stringify(last())).toContain("cats: Cats are liquid.");
  expect(JSON.stringify(last())).toContain("remember");
});

it("a run in which nobody can be asked neither reads nor writes, unless it is told to", async () => {
  await mkdir(path.dirname(await file()), { recursive: true });
  await writeFile(await file(), "- Cats are liquid.\n");
  const said = () => JSON.stringify(last());
  play(DONE);
  await project.run(["--json", "Hello"], env);
  expect(said()).not.toMatch(/remember|Cats are liquid/);
  play(DONE);
  await project.run(["--memory", "on", "Hello"], env);
  expect(said()).toContain("Cats are liquid");
  play(DONE);
  await project.converse(["--memory", "off", "Hello"], env, []);
  expect(said()).not.toMatch(/remember|Cats are liquid/);
  expect((await project.run(["--memory", "maybe", "Hello"], env)).code).toBe(2);
});

it("lists the notes, removes one or all of them, and prints the path", async () => {
  expect((await memory()).stderr).toContain("Nothing is remembered yet.");
  await mkdir(path.dirname(await file()), { recursive: true });
  const source = "  <!-- 2026-11-29T13:41:05.000Z, session s1, message m1 -->\n";
  await writeFile(await file(), `- **build**: One\n${source}- Two\u001b[2J\n- Three\n`);
  const listed = await memory("list");
  expect(listed.stdout).toMatch(
    /^[0-9a-f]{6} {2}One\n {4}build · 2026-11-29 13:41 · session s1\n[0-9a-f]{6} {2}Two.*\n {4}written by you\n {4}! Not given to the model: it contains invisible characters\.\n/,
  );
  expect(listed.stdout).not.toContain("\u001b");
  const notes = (await memory("list", "--json")).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(notes).toMatchObject([
    { topic: "build", text: "One", session: "s1" },
    { problem: "hidden" },
    { text: "Three" },
  ]);
  expect((await memory("remove", notes[0].id, "nothing")).code).toBe(2);
  expect((await memory("remove", notes[0].id)).stdout).toBe("Deleted notes: 1\n");
  expect((await memory("clear")).stderr).toContain("memory clear requires --yes where nobody can be asked");
  await project.converse(["memory", "clear"], env, [["Delete all 2 notes?", "n\r"]]);
  expect(await readFile(await file(), "utf8")).toContain("Three");
  expect((await memory("clear", "--yes")).stdout).toBe("Deleted notes: 2\n");
  expect(await readFile(await file(), "utf8")).toBe("");
  for (const wrong of [["forget"], ["list", "x"], ["remove"]]) expect((await memory(...wrong)).code).toBe(2);
  expect((await memory("--help")).stdout).toContain("Usage: nekode memory");
});

it("a damaged file is reported and stays", async () => {
  await mkdir(path.dirname(await file()), { recursive: true });
  await writeFile(await file(), Buffer.from([0xff, 0xfe, 0x00]));
  for (const args of [["list"], ["clear", "--yes"]]) {
    const { code, stderr } = await memory(...args);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is too large or not readable as text"),
    });
  }
  expect([...(await readFile(await file()))]).toEqual([0xff, 0xfe, 0x00]);
});

it("a task in a worktree shares the memory of the project", async () => {
  project.commit();
  play(note("Cats are liquid."), DONE);
  const { code } = await project.run(
    ["--worktree", "--memory", "on", "--permission", "edits", "Note it"],
    env,
  );
  expect(code).toBe(0);
  expect((await memory()).stdout).toContain("Cats are liquid.");
});

it("two processes that write at the same moment lose nothing", async () => {
  const texts = Array.from({ length: 4 }, (_, n) => `Fact ${n}.`);
  server.setScript({
    turns: [
      { match: { anyMessage: "Remembered as" }, answer: [DONE] },
      ...texts.map((text) => ({ match: { anyMessage: text }, answer: [note(text)] })),
    ],
  });
  const runs = texts.map(
    (text) => project.start(["--memory", "on", "--permission", "edits", text], env).ended,
  );
  for (const { code, stderr } of await Promise.all(runs)) expect({ code, stderr }).toMatchObject({ code: 0 });
  const listed = await memory("list", "--json");
  expect(
    listed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).text)
      .sort(),
  ).toEqual(texts);
});
