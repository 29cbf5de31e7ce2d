/** What the panel's page lists and imports: the sessions of this machine, through the project's library. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { createForeignImports } from "../../../../src/node/import/panel-imports.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { assets, clockAt, MemoryStorage, quietLog } from "../../core/sessions/support.ts";

it("imports only what it listed, reports what is missing, and forgets the list when it is closed", async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), "nekode-panel-import-"));
  const store = await openSessionStore(new MemoryStorage(), assets, clockAt(), quietLog);
  try {
    const folder = path.join(home, ".claude/projects/-app");
    await mkdir(folder, { recursive: true });
    const line = { type: "user", uuid: "a", message: { role: "user", content: "Find the cat" } };
    await writeFile(path.join(folder, "one.jsonl"), `${JSON.stringify(line)}\n{"type":"us`);
    const { host } = memoryHost();
    const environment = { HOME: home, USERPROFILE: home };
    const imports = createForeignImports({ host: { ...host, assets }, dataDir: undefined, environment });
    const how = {
      store,
      mask: { current: async () => (text: string) => text.replace("cat", "***") },
      isDryRun: false,
    };
    const listed = await imports.list();
    expect(listed).toMatchObject([
      { product: "claude", problems: [], sessions: [{ key: "claude:one", title: "Find the cat" }] },
    ]);
    const nothing = { imported: 0, known: 0, failed: 0, losses: [] };
    expect(await imports.import(["claude:two", "codex:one"], how)).toEqual(nothing);
    const losses = [{ title: "Find the cat", code: "", detail: "", unreadable: 1 }];
    expect(await imports.import(["claude:one"], { ...how, isDryRun: true })).toEqual({
      ...nothing,
      imported: 1,
      losses,
    });
    expect(await store.list()).toEqual([]);
    expect(await imports.import(["claude:one"], how)).toEqual({ ...nothing, imported: 1, losses });
    expect((await store.list()).map(({ title }) => title)).toEqual(["Find the ***"]);
    expect(await imports.import(["claude:one"], how)).toEqual({ ...nothing, known: 1 });
    imports.close();
    expect(await imports.import(["claude:one"], how)).toEqual(nothing);
  } finally {
    await store.close();
    await rm(home, { recursive: true, force: true });
  }
});
