/** What `json-lines.test.ts` and `json-lines.long.test.ts` begin with. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, expect } from "vitest";
import { runReportSchema } from "../../src/shared/run/run-report.ts";
import { NEKO_BEFORE } from "../model-server/scripts/neko.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const schema: unknown = JSON.parse(
  await readFile(path.resolve(import.meta.dirname, "../../docs/json-events.schema.json"), "utf8"),
);

const isLine = new Ajv2020({ allErrors: false }).compile(schema as object);

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

/** The report on the last line; all lines fit the schema, and the first one begins the run. */
export function reportOf(stdout: string) {
  const lines: unknown[] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(isLine(line) ? [] : [line, isLine.errors]).toEqual([]);
  expect(lines[0]).toMatchObject({ type: "start", version: 1, cwd: project.folder });
  const reports = lines.filter((line) => runReportSchema.safeParse(line).success);
  expect(reports).toEqual([lines.at(-1)]);
  return runReportSchema.parse(lines.at(-1));
}

export async function run(script: Script, ...args: string[]) {
  server.setScript(script);
  const { code, stdout } = await project.run(["--json", ...args], env);
  const report = reportOf(stdout);
  expect(report.exit).toBe(code);
  return report;
}

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer();
    project = await Project.create({ "neko.txt": `${NEKO_BEFORE}\n` });
    env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret" };
  });
  afterEach(async () => {
    await server.close();
    await project.remove();
  });
}
