/** Agents in a terminal: listed with what is wrong with them, and chosen for a run. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const REVIEWER = "---\ndescription: Reviews.\ntools: [read, vscodeAPI]\n---\nBe brief.\n";
let server: ModelServer;
let project: Project;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "a.txt": "a\n" });
  const folder = path.join(project.folder, ".github/agents");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "reviewer.agent.md"), REVIEWER);
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

it("are listed, and one of them limits a run and its continuation", async () => {
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
  const listed = await project.run(["agents"], env);
  expect(listed.stdout).toContain("  reviewer\n    GitHub Copilot, project · ");
  expect(listed.stdout).toContain("    ! these tools do not exist here and are left out: vscodeAPI\n");
  expect(listed.stdout).toContain("Built in\n  ask\n");
  const write = { tool: "write_to_file", params: { path: "new.txt", content: "x" } };
  const done = { tool: "attempt_completion", params: { result: "Done." } };
  server.setScript({
    turns: [
      { match: { request: 1 }, answer: [write] },
      { match: { request: 2 }, answer: [done] },
      { match: { request: 3 }, answer: [write] },
      { match: { request: 4 }, answer: [done] },
    ],
  });
  const run = (...args: string[]) => project.run(["--approve", "all", ...args], env);
  expect((await run("--agent", "nobody", "Write")).stderr).toContain(
    'there is no agent named "nobody"; there are:',
  );
  expect((await run("--agent", "reviewer", "Write")).code).toBe(0);
  expect((await run("--continue", "Write again")).code).toBe(0);
  expect(await project.read("new.txt").catch(() => "none")).toBe("none");
  expect(JSON.stringify(server.chat(4).messages)).toContain("does not have write_to_file");
});
