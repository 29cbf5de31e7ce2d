import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { projectFolder } from "../../../src/node/store/folder-storage.ts";
import { createNodeHost } from "../../support/node-host.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

it("the terminal's host has every port, and its own store for each project", async () => {
  const folder = await temporaryFolder();
  const root = path.join(folder, "project");
  await mkdir(root);
  await writeFile(path.join(root, "a.txt"), "猫\n");
  const assetsDir = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
  const log = { info: () => {}, error: () => {} };
  const dataDir = projectFolder(path.join(folder, "data"), root);
  const { host, storage } = createNodeHost({ root, dataDir, assetsDir, shell: "/bin/bash", log });
  onTestFinished(() => host.shell.dispose());

  const file = path.join(root, "a.txt");
  const original = await host.files.readText(file);
  const preview = host.editor.preview(file, original, { show: true });
  await preview.finish("犬\n");
  await preview.save();
  expect(await readFile(file, "utf8")).toBe("犬\n");
  expect((await host.search.files(root, { limit: 9, signal: neverAborted })).paths).toEqual(["a.txt"]);
  let output = "";
  const onOutput = (text: string) => {
    output += text;
  };
  await host.shell.run("cat a.txt", { cwd: root, timeoutMs: 9000, signal: neverAborted, onOutput });
  expect(output).toBe("犬\n");
  expect(host.newId()).not.toBe(host.newId());
  expect(host.workspace).toMatchObject({ root, roots: [{ name: "project", path: root }], trusted: true });
  expect(await host.surroundings.cliTools()).toBeInstanceOf(Array);

  const store = await openSessionStore(storage, host.assets, host.clock, log);
  await store.create({ id: "s", projectPath: root, model: "m", title: "t", mode: "act", startedAt: "2025" });
  await store.checkpoint();
  await store.close();
  expect((await readFile(path.join(dataDir, "sessions.db"))).subarray(0, 15).toString()).toBe(
    "SQLite format 3",
  );
});
