/** Commands in the terminal host: the shell they run in, and what becomes of those that still run at the end. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { isAlive } from "../support/processes.ts";
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

/** Runs the task whose model runs this command and is done. */
async function run(
  params: Record<string, string | number | boolean>,
  more: Record<string, string> = {},
  done: ScriptPart[] = [],
) {
  server.setScript({
    turns: [
      { match: { request: 1 }, answer: [{ tool: "execute_command", params }] },
      {
        match: { request: 2 },
        answer: [...done, { tool: "attempt_completion", params: { result: "It ran." } }],
      },
    ],
  });
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k", ...more };
  return project.run(["--approve", "all", "Run it"], env);
}

it("ends what still runs in the background, and names it", async () => {
  const command = "echo $$ > pid; trap '' TERM; while :; do sleep 1; done";
  const running = run({ command, requires_approval: false, timeout: 1 }, {}, [{ hold: "begun" }]);
  await server.waitForHold("begun");
  // Sent to the background after a second, it may not have come to its first word by then.
  await expect.poll(() => project.read("pid").catch(() => "")).toMatch(/^\d+\n$/);
  server.release("begun");
  const { code, stderr } = await running;
  expect(code).toBe(0);
  expect(stderr).toContain(`Ended because the session was closed: ${command}`);
  expect(JSON.stringify(server.chat(2).messages)).toContain("# Actively Running Terminals");
  const pid = Number(await project.read("pid"));
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it("names the user's shell that does not exist, and the one that is used", async () => {
  const { code, stderr } = await run(
    { command: "echo hello", requires_approval: false },
    { SHELL: "/nowhere/zsh", LANG: "ja_JP.UTF-8" },
  );
  expect(code).toBe(0);
  expect(stderr).toContain(
    "お使いのシェル /nowhere/zsh が見つからないため、コマンドは /bin/bash で実行します。",
  );
  const messages = JSON.stringify(server.chat(2).messages);
  expect(messages).toContain("It ran in /bin/bash, because the user's shell /nowhere/zsh does not exist.");
});
