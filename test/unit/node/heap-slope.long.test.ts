/** A conversation of 1,000 turns leaves on the terminal host's heap what it consists of, and nothing else. */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openProject } from "../../../src/node/open-project.ts";
import { createTerminalHost } from "../../../src/node/terminal-host.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import { startInstantModel } from "../../support/instant-model.ts";
import { growthOf } from "../../support/many-turns.ts";
import { temporaryFolder } from "./support.ts";

const locate = createRequire(import.meta.url).resolve;
const assets: Record<string, string> = {
  "sql-wasm.wasm": locate("sql.js/dist/sql-wasm.wasm"),
};
const grammars = path.dirname(locate("@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm"));

it("a conversation of 1,000 turns on a real disk leaves nothing else on the heap", {
  timeout: 300_000,
}, async () => {
  const root = await temporaryFolder();
  const dataDir = await temporaryFolder();
  await writeFile(path.join(root, "a.ts"), "export const a = 1;\n");
  const model = await startInstantModel({ text: "It says one." });
  const log = { info: () => undefined, error: (text: string, cause: unknown) => console.error(text, cause) };
  const host = createTerminalHost({ policy: undefined, root, assetsDir: grammars, log });
  host.assets = { read: (name) => readFile(assets[name] ?? path.join(grammars, name)) };
  const settings = settingsSchema.parse({
    // A small window, so that requests stay short.
    provider: { baseUrl: model.url, model: "scripted", protocol: "native", contextWindow: 16_000 },
    approval: { edit: true, commandSafe: true, commandAll: true, maxRequests: 0 },
  });
  const { project, close } = await openProject({
    ...{ host, dataDir, sessions: { root }, environment: process.env },
    settings: () => settings,
    apiKey: async () => undefined,
  });
  onTestFinished(async () => {
    await project.view.newTask();
    host.shell.dispose();
    await close();
    await model.close();
  });
  const { heap, allowed, points } = await growthOf({
    model,
    onEvent: (listener) => project.onEvent(listener),
    async send(text) {
      await project.view.send(text);
      expect((await project.view.active.idle)?.type).toBe("replied");
    },
  });
  expect(heap, JSON.stringify(points)).toBeLessThan(allowed);
});
