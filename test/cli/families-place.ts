/** What `families.test.ts` and `families.long.test.ts` begin with. */
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

export const task = (kind: string, description: string) => ({
  tool: "start_task",
  params: { description, kind },
});

export const done = (result: string) => ({ tool: "attempt_completion", params: { result } });

const NAMES = ["alpha", "beta", "gamma"];

export const turns: ScriptTurn[] = [
  {
    match: { firstUser: "do all", request: 1 },
    answer: [...NAMES.map((name) => task("explore", `Look at ${name}`)), task("work", "Make it a dog")],
  },
  { match: { firstUser: "do all", request: 2 }, answer: [done("All is done.")] },
  ...NAMES.flatMap((name): ScriptTurn[] => [
    {
      match: { firstUser: `Look at ${name}`, request: 1 },
      answer: [{ tool: "read_file", params: { path: `${name}.txt` } }],
      times: 2,
    },
    { match: { firstUser: `Look at ${name}`, request: 2 }, answer: [done(`Report on ${name}.`)], times: 2 },
  ]),
  {
    match: { firstUser: "Make it a dog", request: 1 },
    answer: [{ tool: "write_to_file", params: { path: "cat.txt", content: "a dog\r\n" } }],
    times: 2,
  },
  { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog.")], times: 2 },
];

export const nekode = (...args: string[]) => project.run(args, env);

export const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");

/** Worktrees and branches that are left. */
export const left = async () => ({
  branches: execFileSync("git", ["branch", "--format=%(refname:short)"], { cwd: project.folder })
    .toString()
    .trim()
    .split("\n").length,
  trees: execFileSync("git", ["worktree", "list"], { cwd: project.folder }).toString().trim().split("\n")
    .length,
});

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer({ script: { turns } });
    project = await Project.create({
      "cat.txt": "a cat\r\n",
      ...Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `of ${name}\n`])),
    });
    project.commit();
    env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
  });
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
    await project.remove();
  });
}
