/** What `server-runs.test.ts` and `server-runs.long.test.ts` begin with. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { processesNaming } from "../support/processes.ts";
import { overAt, Project } from "./support.ts";

const packages = path.join(import.meta.dirname, "../../node_modules/@modelcontextprotocol");

export const EVERYTHING = path.join(packages, "server-everything/dist/index.js");

export const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

export let model: ModelServer;
export let project: Project;
export let env: Record<string, string>;

/** The same, for runs that need a server: the first turn waits ten seconds for it, which a busy machine may exceed. */
export let patient: Record<string, string>;

/** The model calls this tool of the server `every`, then completes the task. */
export const calls = (tool: string, args: Record<string, unknown>) =>
  model.setScript({
    turns: [
      {
        answer: [
          {
            tool: "use_mcp_tool",
            params: { server_name: "every", tool_name: tool, arguments: JSON.stringify(args) },
          },
        ],
      },
      DONE,
    ],
  });

export const everything = () => ({ command: process.execPath, args: [EVERYTHING, "stdio", project.folder] });

/** A server that starts in a fraction of the time. Its `echo` answers with what it was given. */
export const light = () => {
  const program = path.join(import.meta.dirname, "../fixtures/servers/scripted.mjs");
  return { command: process.execPath, args: [program, "{}", project.folder] };
};

export const addEverything = async () => {
  const { command, args } = everything();
  expect((await project.run(["mcp", "add", "every", "--", command, ...args])).code).toBe(0);
};

export const configure = (servers: Record<string, unknown>) =>
  writeFile(path.join(project.folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));

/** Leaves a trace when it is started. */
export const trace = 'require("node:fs").writeFileSync("started", "");';

export const prompt = (text: string) => ["--protocol", "xml", text];

export const task = (...args: string[]) => ["--protocol", "xml", ...args, "do it"];

/** What the model received last. */
export const sent = () => JSON.stringify(model.chat(model.requests.length).messages);

/** The result of the last call, in the last message that the model received. */
export const result = () => {
  const { content } = model.chat(model.requests.length).messages.at(-1) as { content: { text: string }[] };
  return content.map(({ text }) => text).join("\n");
};

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    model = await startModelServer();
    project = await Project.create({});
    env = { NEKODE_BASE_URL: model.url, NEKODE_MODEL: "scripted" };
    patient = { ...env, ...overAt(10) };
  });
  afterEach(async () => {
    expect(model.refusals).toEqual([]);
    // Nothing that was started for this test still runs: each server has the project's folder among its arguments.
    await expect.poll(() => processesNaming(project.folder)).toEqual([]);
    await model.close();
    await project.remove();
  });
}
