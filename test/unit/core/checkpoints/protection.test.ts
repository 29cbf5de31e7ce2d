/** A task whose commands all run unasked: one that destroys what cannot be kept asks all the same. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Project } from "../../../../src/core/agent/project.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { nodeFileStates } from "../../../../src/node/files/disk-file-states.ts";
import { createCheckpoints } from "../../../../src/node/store/project-checkpoints.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { rowsOf } from "../../../../src/shared/view/reducer.ts";
import { startModelServer } from "../../../model-server/server.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { createNodeHost } from "../../../support/node-host.ts";
import { write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";

it("asks and says what cannot be undone", async () => {
  const root = await temporaryFolder();
  write(root, { "small.txt": "s", "data/large.bin": new Uint8Array(9_000_000) });
  const commands = ["rm small.txt", "rm -rf data"];
  const turns = [...commands, ""].map((command, i) => ({
    match: { request: i + 1 },
    answer: [
      command === ""
        ? { tool: "attempt_completion", params: { result: "Done." } }
        : { tool: "execute_command", params: { command, requires_approval: false } },
    ],
  }));
  const server = await startModelServer({ script: { turns } });
  onTestFinished(() => server.close());
  const dataDir = await temporaryFolder();
  const log = { info: () => {}, error: () => {} };
  const settings = settingsSchema.parse({
    provider: { baseUrl: server.url, model: "scripted", protocol: "native" },
    approval: { read: true, edit: true, commandAll: true },
    checkpoints: { maxSize: 10 },
  });
  const { host, storage } = createNodeHost({ root, dataDir, assetsDir: dataDir, shell: "/bin/sh", log });
  host.assets = memoryHost().host.assets;
  const store = await openSessionStore(storage, host.assets, host.clock, log);
  const checkpoints = createCheckpoints({
    ...{ storage, dataDir, files: nodeFileStates, environment: process.env, clock: host.clock, log },
    roots: () => [root],
    hasBackground: () => host.shell.background().length > 0,
    settings: () => settings.checkpoints,
  });
  const project = new Project({
    ...{ host, store, checkpoints },
    settings: () => settings,
    apiKey: async () => "key",
    profiles: new ModelProfiles(),
  });
  const { view } = project;
  onTestFinished(async () => {
    await project.dispose();
    await checkpoints.dispose();
    await store.close();
    host.shell.dispose();
  });
  await project.restore();
  void view.send("Clean up");
  await expect.poll(() => view.active.chatView.status).toBe("approval");
  expect(existsSync(path.join(root, "small.txt"))).toBe(false);
  expect(existsSync(path.join(root, "data/large.bin"))).toBe(true);
  const row = rowsOf(view.active.chatView).findLast(({ kind }) => kind === "call");
  expect(row?.kind === "call" && row.approval).toMatchObject({
    reason: { code: "cannot-be-kept" },
    notKept: [{ why: "size", count: 1, names: ["data/large.bin"] }],
  });
  if (row) view.active.approve(row.id);
  await expect.poll(() => view.active.chatView.status).toBe("idle");
  expect(existsSync(path.join(root, "data"))).toBe(false);
});
