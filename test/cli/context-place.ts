/** What `context.test.ts` and `context.long.test.ts` begin with. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

export const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "All is done." } };

export const use = (...answers: ScriptPart[]) =>
  server.setScript({ scope: "server", turns: answers.map((part) => ({ answer: [part] })) });

/** The text of the first user message of a request. */
export const said = (request: number) => {
  const message = server.chat(request).messages[1] as { content: { text: string }[] };
  return message.content[0]?.text ?? "";
};

export async function put(name: string, content: string | Uint8Array): Promise<void> {
  const file = path.join(project.folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

export const instructed = (name: string) =>
  new RegExp(`^<explicit_instructions type="${name}">\\n[\\s\\S]+</explicit_instructions>\\n\\n<task>`);

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer();
    project = await Project.create({ "neko.txt": "吾輩は猫である。\n" });
    env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted" };
  });
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
    await project.remove();
  });
}
