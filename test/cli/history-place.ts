/** What `history.test.ts` and `history.long.test.ts` begin with. */
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

export async function titles(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await project.run(["--json", "--list", ...args], env);
  expect(code, stderr).toBe(0);
  const lines = stdout.trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line).title);
}

export async function idOf(title: string): Promise<string> {
  return (await project.run(["--list", "--search", title], env)).stdout.split(" ")[0] ?? "";
}

export const ran = async (...args: string[]) => {
  const ended = await project.run(args, env);
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
};

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
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
}
