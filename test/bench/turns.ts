import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Project } from "../../src/core/agent/project.ts";
import { ModelProfiles } from "../../src/core/provider/model-profile.ts";
import { openSessionStore } from "../../src/core/sessions/store.ts";
import { nodeFileStates } from "../../src/node/files/disk-file-states.ts";
import { createCheckpoints } from "../../src/node/store/project-checkpoints.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { type Script, startModelServer } from "../model-server/server.ts";
import { createNodeHost } from "../support/node-host.ts";
import { type Bench, scan } from "./bench.ts";

/** Turns of one task; each is a request, an edit that needs no approval, and its result on the disk. */
const TURNS = 20;

const before = Array.from({ length: TURNS }, (_, at) => `line ${at + 1} old\n`).join("");
const much = before.repeat(5_000);
const script: Script = {
  turns: [
    ...Array.from({ length: TURNS }, (_, at) => ({
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

/**
 * A task on real files with the terminal host's ports, its checkpoints and its session; the model answers at once. Gives
 * the milliseconds of a turn between the end of an answer and the next request: what is the agent's own.
 */
async function ownTime(): Promise<number> {
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
    // Of a window that is not known, the endpoint is asked first.
    provider: { baseUrl: server.url, model: "scripted", protocol: "xml", contextWindow: 200_000 },
    approval: { edit: true },
  });
  const checkpoints = createCheckpoints({
    storage,
    dataDir: path.join(folder, "data"),
    roots: () => [root],
    files: nodeFileStates,
    hasBackground: () => false,
    environment: process.env,
    clock: host.clock,
    log,
    settings: () => settings.checkpoints,
  });
  const deps = {
    host,
    store,
    checkpoints,
    settings: () => settings,
    apiKey: async () => undefined,
    profiles: new ModelProfiles(),
  };
  const project = new Project(deps);
  const { view } = project;
  const answered: number[] = [];
  try {
    const asked = async () => {
      for (let turn = 1; turn <= TURNS; turn++) {
        const request = await server.waitForRequest(turn);
        void request.closed.then(() => answered.push(Date.now()));
      }
    };
    const [, end] = await Promise.all([asked(), view.send("Edit all lines").then(() => view.active.idle)]);
    if (end?.type !== "completed") throw new Error(`the task ended as ${end?.type}`);
    const own = answered.map((at, turn) => (server.requests[turn + 1]?.receivedAt ?? at) - at);
    return own.reduce((sum, ms) => sum + ms, 0) / TURNS;
  } finally {
    await project.dispose();
    await checkpoints.dispose();
    await store.close();
    host.shell.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const benches: Bench[] = [
  {
    name: `the agent's own time of a turn, an edit of a real file, ${TURNS} in a row`,
    target: "< 50 ms",
    run: ownTime,
    // The file alone is scanned in no time that can be told.
    baseline: () => void scan([much]),
  },
];
