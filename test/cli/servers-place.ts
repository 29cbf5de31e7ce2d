/** What `servers.test.ts` and `servers.long.test.ts` begin with. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { Project } from "./support.ts";

export const packages = path.join(import.meta.dirname, "../../node_modules/@modelcontextprotocol");

export const MEMORY = [process.execPath, path.join(packages, "server-memory/dist/index.js")];

export let project: Project;
export let userFile: string;

export const mcp = (...args: string[]) => project.run(["mcp", ...args]);

export async function fine(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await mcp(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** A server with a value that the user enters. */
export const keyed = {
  command: process.execPath,
  args: ["-e", 'console.error("KEY=" + process.env.KEY); process.exit(3)'],
  env: { KEY: "${input:api-key}" },
};

export const keyInputs = [{ type: "promptString", id: "api-key", description: "API key", password: true }];

export const configure = (servers: Record<string, unknown>, more = {}) =>
  writeFile(path.join(project.folder, ".mcp.json"), JSON.stringify({ mcpServers: servers, ...more }));

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    project = await Project.create({});
    userFile = path.join(path.dirname(project.folder), ".config/nekode/mcp.json");
  });
  afterEach(() => project.remove());
}
