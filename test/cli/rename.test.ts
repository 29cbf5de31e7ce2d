/** A rename over several files on a terminal, by the real language server of TypeScript: one question, and one undo. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const FILES: Record<string, string> = {
  "tsconfig.json": '{ "compilerOptions": { "module": "esnext" }, "include": ["*.ts"] }\n',
  "cart.ts": "export function total(a: number): number {\n  return a;\n}\n",
  "shop.ts":
    'import { total } from "./cart";\nexport const both = total(1) + total(2);\n// total is a word here\n',
  "other.ts": "export const total = 3;\n",
};
const RENAMED = {
  ...FILES,
  "cart.ts": "export function sum(a: number): number {\n  return a;\n}\n",
  "shop.ts": 'import { sum } from "./cart";\nexport const both = sum(1) + sum(2);\n// total is a word here\n',
};

let server: ModelServer;
let project: Project;
let configDir: string;
beforeEach(async () => {
  server = await startModelServer({
    script: {
      turns: [
        {
          answer: [{ tool: "refactor_code", params: { path: "cart.ts", symbol: "total", new_name: "sum" } }],
        },
        { times: true, answer: [{ tool: "attempt_completion", params: { result: "Renamed." } }] },
      ],
    },
  });
  project = await Project.create(FILES);
  project.commit();
  configDir = path.join(project.dataDir, "config");
  await mkdir(configDir, { recursive: true });
  const typescript = {
    command: process.execPath,
    args: [path.resolve("node_modules/typescript/bin/tsc"), "--lsp", "--stdio"],
    extensionToLanguage: { ".ts": "typescript" },
  };
  await writeFile(path.join(configDir, "lsp.json"), JSON.stringify({ typescript }));
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const onDisk = async () =>
  Object.fromEntries(
    await Promise.all(Object.keys(FILES).map(async (name) => [name, await project.read(name)])),
  );

it("asks once for all files, changes exactly what means the symbol, and is undone at once", async () => {
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
  const config = ["--config-dir", configDir];
  const { code, stdout } = await project.converse([...config, "--approve", "read"], env, [
    ["> ", "rename total to sum\r"],
    ["[n]o", "y\r"],
    ["Renamed.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(code, stdout).toBe(0);
  expect(stdout.match(/\[n\]o/g)).toHaveLength(1);
  expect(await onDisk()).toEqual(RENAMED);
  const undone = await project.converse(["--continue", ...config], env, [
    ["> ", "/undo\r"],
    ["Undo this change?", "y\r"],
    ["Restored files: 2", "/exit\r"],
  ]);
  expect(undone.code, undone.stdout).toBe(0);
  expect(await onDisk()).toEqual(FILES);
});
