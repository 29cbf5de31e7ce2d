/** A plan in a terminal: made in plan mode, started by `/start`, and compared with what was changed. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const PLAN = "# Paint the cat\n\nChange `a.txt` and `b.txt`.\n\n- [ ] paint\n";
let server: ModelServer;
let project: Project;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "a.txt": "a\n", "b.txt": "b\n" });
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

it("is started by /start in a later run, which says what differs from it", async () => {
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
  const done = { tool: "attempt_completion", params: { result: "Done." } };
  server.setScript({
    scope: "server",
    turns: [
      { answer: [{ tool: "plan_mode_respond", params: { response: PLAN } }] },
      { answer: [{ tool: "write_to_file", params: { path: "a.txt", content: "new\n" } }] },
      { answer: [done] },
      { answer: [done] },
    ],
  });
  const run = (...args: string[]) => project.run(["--approve", "all", ...args], env);
  expect((await run("--mode", "plan", "Plan it")).code).toBe(0);
  expect(await project.read("a.txt")).toBe("a\n");
  const nobody = await run("--continue", "/start agent nobody");
  expect([nobody.code, nobody.stderr.includes('there is no agent named "nobody"')]).toEqual([2, true]);
  const started = await run("--continue", "/start");
  expect(started.code).toBe(0);
  expect(await project.read("a.txt")).toBe("new\n");
  const said = `${started.stdout}${started.stderr}`;
  const text = "Plan: 1 of 2 files changed. Not changed: b.txt. Open steps in the todo list: 1.";
  expect(said).toContain("The changes differ from the plan. The model is asked to finish or to explain.");
  expect(said.split(text)).toHaveLength(2);
});

it("/start is the user's own command of that name where there is no plan", async () => {
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
  server.setScript({ turns: [{ answer: [{ tool: "attempt_completion", params: { result: "Done." } }] }] });
  await mkdir(path.join(project.folder, ".claude/commands"), { recursive: true });
  await project.write({ ".claude/commands/start.md": "Start the server of the cats.\n" });
  await project.converse([], env, [
    ["> ", "/start\r"],
    ["Done.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(JSON.stringify(server.chat(1).messages)).toContain("Start the server of the cats.");
});
