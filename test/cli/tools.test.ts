/** `nekode tools`: the list of all tools, and switching them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "a.txt": "a\n" });
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

it("a tool that is switched off is not in a run's requests; what tasks need cannot be switched off", async () => {
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
  const tools = (...args: string[]) => project.run(["tools", ...args], env);
  const list = await tools();
  expect(list.stdout).toMatch(/^Built in: [\d,]+ tokens$/m);
  expect(list.stdout).toMatch(/^ {2}web_fetch {2}on {2}\d+ tokens$/m);
  expect(list.stdout).toMatch(/^About [\d,]+ tokens in each request$/m);
  expect((await tools("disable", "web_fetch", "no_such")).code).toBe(2);
  expect((await tools("disable", "attempt_completion")).stderr).toContain("every task needs it");
  expect((await tools("disable", "web_fetch")).code).toBe(0);
  expect((await tools("--json")).stdout).toMatch(/"name":"web_fetch".*"on":false/);
  server.setScript({ turns: [{ answer: [{ tool: "attempt_completion", params: { result: "Done." } }] }] });
  expect((await project.run(["--protocol", "native", "Do it"], env)).code).toBe(0);
  const names = server.requests.at(-1)?.chat?.tools?.map((tool) => tool.function.name) ?? [];
  expect([names.includes("read_file"), names.includes("web_fetch")]).toEqual([true, false]);
  expect((await tools("enable", "web_fetch")).code).toBe(0);
  expect((await tools("--json")).stdout).toMatch(/"name":"web_fetch".*"on":true/);
});
