import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSessionStore } from "../../src/core/sessions/sessions.ts";
import { TaskManager } from "../../src/core/task/manager.ts";
import { createNodeHost } from "../../src/node/compose.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { type Script, startModelServer } from "../model-server/server.ts";
import { type Bench, scan } from "./bench.ts";

/** Turns of one task; each is a request, an edit that needs no approval, and its result on the disk. */
const turns = 20;

const before = Array.from({ length: turns }, (_, at) => `line ${at + 1} old\n`).join("");
const much = before.repeat(5_000);
const script: Script = {
  turns: [
    ...Array.from({ length: turns }, (_, at) => ({
      match: { request: at + 1 },
      answer: [
        {
          tool: "replace_in_file",
          params: {
            path: "work.txt",
            diff: `------- SEARCH\nline ${at + 1} old\n=======\nline ${at + 1} new\n+++++++ REPLACE`,
          },
        },
      ],
    })),
    { answer: [{ tool: "attempt_completion", params: { result: "All edited." } }] },
  ],
};

const packages = path.resolve("node_modules");
const wasm = (name: string) =>
  path.join(packages, name === "sql-wasm.wasm" ? "sql.js/dist" : "@vscode/tree-sitter-wasm/wasm", name);

/** The whole task on real files with the terminal host's ports; the model answers at once. */
async function task(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  const root = path.join(folder, "project");
  await mkdir(root);
  await writeFile(path.join(root, "work.txt"), before);
  const server = await startModelServer({ script });
  const log = { info: () => undefined, error: (text: string, cause: unknown) => console.error(text, cause) };
  const { host, storage } = createNodeHost({
    root,
    dataDir: path.join(folder, "data"),
    assetsDir: packages,
    log,
  });
  host.assets = { read: (name) => readFile(wasm(name)) };
  const store = await openSessionStore(storage, host.assets, host.clock, log);
  const settings = settingsSchema.parse({
    provider: { baseUrl: server.url, model: "scripted", protocol: "xml" },
    approval: { edit: true },
  });
  const manager = new TaskManager({ host, store, settings: () => settings, apiKey: async () => undefined });
  try {
    await manager.send("Edit all lines");
    const end = await manager.idle;
    if (end !== "completed") throw new Error(`the task ended as ${end}`);
  } finally {
    await manager.dispose();
    await store.close();
    host.shell.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const benches: Bench[] = [
  {
    name: `a task of ${turns} edits on real files, the model's answers and its start included`,
    target: "< 100 ms a turn",
    run: task,
    // The file alone is scanned in no time that can be told.
    baseline: () => void scan([much]),
  },
];
