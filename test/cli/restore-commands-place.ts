/** What `restore-commands.test.ts` and `restore-commands.long.test.ts` begin with. */
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const COMMAND = "echo 犬 > a.txt && rm b.txt";

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

export const onDisk = () =>
  Promise.all(["a.txt", "b.txt", "new/made.txt"].map((name) => project.read(name).catch(() => undefined)));

export const APPROVE = ["--approve", "read,edit,command"];

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer({
      script: {
        turns: [
          { answer: [{ tool: "write_to_file", params: { path: "new/made.txt", content: "made\n" } }] },
          { answer: [{ tool: "execute_command", params: { command: COMMAND, requires_approval: false } }] },
          { answer: [{ tool: "attempt_completion", params: { result: "First done." } }] },
          { answer: [{ tool: "write_to_file", params: { path: "a.txt", content: "狸\n" } }] },
          { times: true, answer: [{ tool: "attempt_completion", params: { result: "Second done." } }] },
        ],
      },
    });
    project = await Project.create({ "a.txt": "猫\n", "b.txt": "b\n" });
    project.commit();
    env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
  });
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
    await project.remove();
  });
}
