/** The stored sessions of a project, after the programs that worked on them. */
import { createRequire } from "node:module";
import path from "node:path";
import type { SessionStore } from "../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../src/core/sessions/store.ts";
import { createAssets } from "../../src/node/assets.ts";
import { systemClock } from "../../src/node/clock.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { findProjectStore } from "../../src/node/store/project-store.ts";
import type { Project } from "./support.ts";

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
const quiet = { info: () => {}, error: () => {} };

/** In this process: a second one takes longer to start than all that is asked of it. */
export async function inStore<T>(project: Project, work: (store: SessionStore) => Promise<T>): Promise<T> {
  const { dataDir, folder: root } = project;
  const { folder } = await findProjectStore({ dataDir, root, log: quiet });
  const store = await openSessionStore(createStorage(folder), createAssets(wasm), systemClock, quiet);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
