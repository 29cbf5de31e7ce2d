/** What `action.test.ts` and `action.long.test.ts` begin with. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { Project } from "../support.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

export const repository = path.join(import.meta.dirname, "../../..");

export let server: ModelServer;
export let project: Project;
export let scratch: string;

export function runner(options: Partial<RunnerOptions> = {}): Runner {
  const { PATH = "", HOME = "", XDG_CACHE_HOME = "" } = project.environment;
  return new Runner({
    ...{ scratch, workspace: project.folder, actionFolder: repository, github: {} },
    env: {
      ...{ PATH, HOME, XDG_CACHE_HOME, LANG: "C.UTF-8" },
      ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted" },
    },
    ...options,
  });
}

export const done = (result: string): ScriptTurn => ({
  answer: [{ tool: "attempt_completion", params: { result } }],
});

export const command = (text: string): ScriptTurn => ({
  answer: [{ tool: "execute_command", params: { command: text, requires_approval: true } }],
});

/** Lists the environment of each process above the command. */
export const ABOVE =
  "p=$$; while [ $p -gt 1 ]; do tr '\\0' '\\n' < /proc/$p/environ; p=$(sed -n 's/^PPid:.//p' /proc/$p/status); done > up.txt";

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer();
    project = await Project.create({ "a.txt": "meow\n", "other.txt": "text that no request contains\n" });
    scratch = await mkdtemp(path.join(tmpdir(), "nekode-runner-"));
  });
  afterEach(async () => {
    await server.close();
    await project.remove();
    await rm(scratch, { recursive: true });
  });
}
