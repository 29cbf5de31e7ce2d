/** Sessions of the user's other projects: found where hosts meet, read, and left as they are. */
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { Library } from "../../../src/core/agent/session-library.ts";
import type { OtherProjects } from "../../../src/core/sessions/other-projects.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage, projectFolder } from "../../../src/node/store/folder-storage.ts";
import { createOtherProjects } from "../../../src/node/store/project-list.ts";
import { registerProjectStore } from "../../../src/node/store/project-store.ts";
import { movedProjects } from "../../../src/shared/history/session-lists.ts";
import { historyQuerySchema } from "../../../src/shared/protocol.ts";
import { memoryHost } from "../../support/memory-host.ts";
import { temporaryFolder } from "./support.ts";

const assets = createAssets(
  path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm")),
);
let said: string[] = [];
const log = {
  info: () => {},
  error: (text: string) => void said.push(text),
};
let scratch = "";
let dataDir = "";
let here = "";
let others: OtherProjects;

beforeEach(async () => {
  said = [];
  scratch = await temporaryFolder();
  dataDir = path.join(scratch, "data");
  here = await project("here");
  others = createOtherProjects({ dataDir, here, root: undefined, assets, clock: systemClock, log });
});

/** The store of a project of that name; with `own`, of an editor's. */
async function project(name: string, own?: string): Promise<string> {
  const root = path.join(scratch, name);
  await mkdir(root, { recursive: true });
  const place = await registerProjectStore({ dataDir, root, log, ...(own === undefined ? {} : { own }) });
  return place.folder;
}

/** With `checkpoint`, the database has it, too, and not the journal alone. */
async function fill(
  folder: string,
  id: string,
  text: string,
  { parent, checkpoint = false }: { parent?: string; checkpoint?: boolean } = {},
): Promise<void> {
  const store = await openSessionStore(createStorage(folder), assets, systemClock, log);
  const createdAt = "2025-01-01T00:00:00.000Z";
  const place = { projectPath: "/p", model: "m", mode: "act" as const, startedAt: createdAt };
  await store.create({ id, title: id, parent, ...place });
  const blocks = [{ type: "text" as const, text, source: "person" as const }];
  await store.append(id, { id: `${id}-1`, role: "user", blocks, createdAt, display: text });
  if (checkpoint) await store.checkpoint();
  await store.close();
}

const query = (more = {}) => historyQuerySchema.parse({ allProjects: true, ...more });

async function contents(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile())
      files[file] = `${(await readFile(file)).toString("base64")} ${(await stat(file)).mtimeMs}`;
  }
  return files;
}

it("lists and finds what other projects have, with where they are, and writes nothing there", async () => {
  const first = await project("first");
  const second = await project("second", path.join(scratch, "editor"));
  await fill(here, "mine", "猫");
  await fill(first, "a", "吾輩は猫である");
  await fill(second, "b", "犬");
  const before = await contents(scratch);
  const listed = await others.find(query(), 10);
  expect(listed.map(({ id, project }) => [id, project?.name, project?.folder])).toEqual([
    ["a", "first", path.join(scratch, "first")],
    ["b", "second", path.join(scratch, "second")],
  ]);
  const found = await others.find(query({ text: "猫", sort: "relevance" }), 10);
  expect(found.map(({ id }) => id)).toEqual(["a"]);
  const loaded = await others.load("b", listed[1]?.project?.key);
  expect(loaded?.session.messages[0]?.display).toBe("犬");
  expect((await others.load("a"))?.project.name).toBe("first");
  expect(await others.load("b", listed[0]?.project?.key)).toBeUndefined();
  expect(await others.load("mine")).toBeUndefined();
  expect(await contents(scratch)).toEqual(before);
  expect(said).toEqual([]);
});

it("lists what a task started under it, and each says which project it is of", async () => {
  const first = await project("first");
  await fill(first, "parent", "猫");
  await fill(first, "child", "犬", { parent: "parent" });
  const [parent, ...more] = await others.find(query({ grouped: true }), 10);
  expect(more).toEqual([]);
  expect(parent?.children?.map(({ id, project }) => [id, project?.name])).toEqual([["child", "first"]]);
  expect(parent?.children?.[0]?.project).toEqual(parent?.project);
});

it("lists stores that are not in use any more, and those that say nothing of their project", async () => {
  const own = path.join(scratch, "editor");
  await fill(own, "of the editor", "x");
  await project("here", own);
  const unnamed = projectFolder(dataDir, path.join(scratch, "gone"));
  await fill(unnamed, "of a folder that is gone", "y");
  const listed = await others.find(query(), 10);
  expect(listed.map(({ id, project }) => [id, project?.name, project?.folder])).toEqual([
    ["of a folder that is gone", "gone", undefined],
    ["of the editor", "here", path.join(scratch, "here")],
  ]);
});

it("a store that is damaged or newer, and a place that is not ours, take nothing from the others", async () => {
  const good = await project("good");
  await fill(good, "a", "x");
  const damaged = await project("damaged");
  await fill(damaged, "b", "x", { checkpoint: true });
  await writeFile(path.join(damaged, "sessions.db"), "not a database");
  await mkdir(path.join(dataDir, "projects", "junk"));
  await writeFile(path.join(dataDir, "projects", "junk", "location.json"), "{");
  await writeFile(path.join(dataDir, "projects", "file"), "");
  // The journals and their mirrors have it all; nothing is mended from outside.
  expect((await others.find(query(), 10)).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  await rm(path.join(damaged, "previous"), { recursive: true });
  await rm(path.join(damaged, "previous-mirror"), { recursive: true });
  await rm(path.join(damaged, "journal"), { recursive: true, force: true });
  await rm(path.join(damaged, "mirror"), { recursive: true, force: true });
  const before = await contents(damaged);
  expect((await others.find(query(), 10)).map(({ id }) => id)).toEqual(["a"]);
  expect(await contents(damaged)).toEqual(before);
  expect(said).toEqual([]);
});

it("no data folder: no other projects", async () => {
  const none = createOtherProjects({
    dataDir: undefined,
    here,
    root: undefined,
    assets,
    clock: systemClock,
    log,
  });
  expect(await none.find(query(), 10)).toEqual([]);
  await cp(here, path.join(scratch, "copy"), { recursive: true });
  expect(await none.load("x")).toBeUndefined();
});

it("copies the tasks of a project whose folder is gone, without those that they started, and of no other project", async () => {
  const gone = await project("gone");
  for (const id of ["a", "b"]) await fill(gone, id, `said in ${id}`);
  await fill(gone, "child", "犬", { parent: "a" });
  await fill(await project("there"), "c", "猫");
  await rm(path.join(scratch, "gone"), { recursive: true });
  const store = await openSessionStore(createStorage(here), assets, systemClock, log);
  const library = new Library({ host: memoryHost().host, store, otherProjects: others });
  const { sessions } = await library.find(query({ grouped: true }));
  const [moved, ...more] = movedProjects(sessions);
  expect([moved?.project.name, more]).toEqual(["gone", []]);
  expect(await library.adopt(moved?.project.key ?? "")).toBe(2);
  const taken = await store.list();
  expect(taken.map(({ title }) => title).sort()).toEqual(["a", "b"]);
  const key = sessions.find(({ id }) => id === "c")?.project?.key ?? "";
  await expect(library.adopt(key)).rejects.toThrow("exists");
  await store.close();
});
