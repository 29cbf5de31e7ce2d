/** A project over a folder of sessions on a real disk. */
import { Project } from "../../../src/core/agent/project.ts";
import type { Log } from "../../../src/core/ports/system.ts";
import { ModelProfiles } from "../../../src/core/provider/model-profile.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import { createNodeHost } from "../../support/node-host.ts";

export interface TasksPlace {
  root: string;
  dataDir: string;
  /** The folder of sql.js's WebAssembly file. */
  wasm: string;
  baseUrl: string;
  log: Log;
}

export async function openTasks({ root, dataDir, wasm, baseUrl, log }: TasksPlace) {
  const settings = settingsSchema.parse({
    provider: { baseUrl, model: "scripted", protocol: "native" },
    approval: { read: true, edit: true, maxRequests: 0 },
  });
  const { host, storage } = createNodeHost({ root, dataDir, assetsDir: wasm, shell: "/bin/sh", log });
  const store = await openSessionStore(storage, createAssets(wasm), host.clock, log);
  const project = new Project({
    ...{ host, store },
    settings: () => settings,
    apiKey: async () => "key",
    profiles: new ModelProfiles(),
  });
  const { view } = project;
  return { host, store, project, view };
}
