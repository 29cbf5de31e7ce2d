/** One store for one project, whichever hosts come and in whatever order. */
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage, projectFolder } from "../../../src/node/store/folder-storage.ts";
import {
  defaultDataDir,
  findProjectStore,
  ownerOf,
  registerProjectStore,
} from "../../../src/node/store/project-store.ts";
import { asNobody, temporaryFolder } from "./support.ts";

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));

let said: string[] = [];
let dataDir = "";
let root = "";
let scratch = "";
const log = { info: (text: string) => void said.push(text), error: (text: string) => void said.push(text) };

beforeEach(async () => {
  said = [];
  scratch = await temporaryFolder();
  dataDir = path.join(scratch, "data");
  root = path.join(scratch, "project");
  await mkdir(root);
});

const editorOwn = (name = "editor") => path.join(scratch, name, "sessions");
const editor = (own = editorOwn()) => registerProjectStore({ dataDir, root, own, log });
const terminal = () => registerProjectStore({ dataDir, root, log });
const meeting = () => projectFolder(dataDir, root);
const location = () => path.join(meeting(), "location.json");

async function fill(folder: string, id: string): Promise<void> {
  const store = await openSessionStore(createStorage(folder), createAssets(wasm), systemClock, log);
  await store.create({ id, projectPath: root, model: "m", title: id, mode: "act", startedAt: "2025" });
  await store.close();
}

describe("the first host decides, the others follow", () => {
  it("the editor first: the terminal uses the editor's storage", async () => {
    expect(await editor()).toMatchObject({ folder: editorOwn(), shared: true });
    expect(await terminal()).toMatchObject({ folder: editorOwn(), shared: true });
    expect(await findProjectStore({ dataDir, root, log })).toMatchObject({ folder: editorOwn() });
    expect(said).toEqual([]);
  });

  it("the terminal first: the editor uses the terminal's", async () => {
    expect(await terminal()).toMatchObject({ folder: meeting(), shared: true });
    expect(await editor()).toMatchObject({ folder: meeting(), shared: true, others: [] });
    await rename(dataDir, path.join(scratch, "moved"));
    dataDir = path.join(scratch, "moved");
    expect(await editor()).toMatchObject({ folder: meeting() });
  });

  it("of many at once, all end up with one", async () => {
    const places = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 ? terminal() : editor(editorOwn(`editor-${index}`)),
      ),
    );
    expect(new Set(places.map(({ folder }) => folder)).size).toBe(1);
    expect(places.every(({ shared }) => shared)).toBe(true);
  });

  it("who only reads leaves no trace", async () => {
    expect(await findProjectStore({ dataDir, root, log })).toMatchObject({
      folder: meeting(),
      shared: false,
    });
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  });

  it("a link to the project is the project; another project is another", async () => {
    await editor();
    const link = path.join(scratch, "link");
    await symlink(root, link);
    expect((await registerProjectStore({ dataDir, root: link, log })).folder).toBe(editorOwn());
    const other = path.join(scratch, "other");
    await mkdir(other);
    expect((await registerProjectStore({ dataDir, root: other, log })).folder).not.toBe(editorOwn());
  });

  it("is for the user alone", async () => {
    await terminal();
    await editor(editorOwn("second"));
    for (const folder of [dataDir, path.dirname(meeting()), meeting()])
      expect((await stat(folder)).mode & 0o777, folder).toBe(0o700);
  });
});

describe("after a power failure, a new store is found, whatever is left of the files that name it", () => {
  const LEFT = ["all", "nothing", "", "\0\0"];

  it.each(LEFT.flatMap((location) => LEFT.map((owner) => [location, owner] as const)))(
    "location %j, owner %j",
    async (ofLocation, ofOwner) => {
      await terminal();
      await fill(meeting(), "from the terminal");
      for (const [name, left] of [
        ["location.json", ofLocation],
        ["project.json", ofOwner],
      ] as const) {
        const file = path.join(meeting(), name);
        if (left === "nothing") await rm(file);
        else if (left !== "all") await writeFile(file, left);
      }
      expect(await findProjectStore({ dataDir, root, log })).toMatchObject({ folder: meeting() });
      expect(await editor()).toEqual({ folder: meeting(), shared: true, others: [] });
      expect(await ownerOf(meeting())).toBe(root);
      expect(await terminal()).toEqual({ folder: meeting(), shared: true, others: [] });
    },
  );
});

describe("stores from before the hosts met", () => {
  it("a terminal's is used by the editor, and the editor's own stays reachable", async () => {
    await fill(meeting(), "from the terminal");
    await fill(editorOwn(), "from the editor");
    expect(await findProjectStore({ dataDir, root, log })).toMatchObject({ folder: meeting() });
    expect(await editor()).toEqual({ folder: meeting(), shared: true, others: [editorOwn()] });
    expect(await terminal()).toEqual({ folder: meeting(), shared: true, others: [editorOwn()] });
  });

  it("an editor's that comes after another was registered is remembered too", async () => {
    await editor();
    await fill(editorOwn("second"), "from a window of several folders");
    const place = { folder: editorOwn(), shared: true, others: [editorOwn("second")] };
    expect(await editor(editorOwn("second"))).toEqual(place);
    expect(await terminal()).toEqual(place);
  });

  it("a storage that belongs to another project is left to it", async () => {
    await editor();
    await fill(editorOwn(), "of the first folder");
    const first = root;
    root = path.join(scratch, "another-first-folder");
    await mkdir(root);
    const place = await editor();
    expect(place.folder).not.toBe(editorOwn());
    expect(path.dirname(place.folder)).toBe(path.dirname(editorOwn()));
    expect(await ownerOf(editorOwn())).toBe(first);
    root = first;
    expect((await terminal()).folder).toBe(editorOwn());
  });
});

describe("what is registered cannot be used", () => {
  it("its folder is gone: the next host registers its own, and remembers where it was", async () => {
    await editor();
    await rm(editorOwn(), { recursive: true });
    const place = { folder: meeting(), shared: true, others: [editorOwn()] };
    expect(await terminal()).toEqual(place);
    expect(said.join()).toContain("is not there");
    expect(await editor()).toEqual(place);
  });

  it("it belongs to another project: the own one", async () => {
    await editor();
    await writeFile(path.join(editorOwn(), "project.json"), JSON.stringify({ project: "/somewhere/else" }));
    expect((await terminal()).folder).toBe(meeting());
    expect(said.join()).toContain("belongs to /somewhere/else");
    expect(await ownerOf(editorOwn())).toBe("/somewhere/else");
  });

  it.each(["{", "[]", '{"folder":7}', "\0{"])(
    "a file that is not ours (%j): the own one, and the file stays",
    async (text) => {
      await mkdir(meeting(), { recursive: true });
      await writeFile(location(), text);
      expect(await editor()).toEqual({ folder: editorOwn(), shared: false, others: [] });
      expect(await findProjectStore({ dataDir, root, log })).toMatchObject({ folder: meeting() });
      expect(said.join()).toContain("is not ours");
      expect(await readFile(location(), "utf8")).toBe(text);
    },
  );

  it.each(["", "\0\0"])("nothing is left of the file (%j): the next host registers its own", async (left) => {
    await mkdir(meeting(), { recursive: true });
    await writeFile(location(), left);
    const place = { folder: editorOwn(), shared: true, others: [] };
    expect(await editor()).toEqual(place);
    expect(await terminal()).toEqual(place);
  });

  it("a data folder that is a file: the own one", async () => {
    await writeFile(dataDir, "");
    expect(await editor()).toEqual({ folder: editorOwn(), shared: false, others: [] });
    expect(said).toHaveLength(1);
  });

  it("a data folder that cannot be written: the own one", async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o500);
    await chmod(scratch, 0o755);
    await asNobody(async () => {
      expect(await editor()).toEqual({ folder: editorOwn(), shared: false, others: [] });
    });
    expect(said.join()).toContain("EACCES");
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("a store that cannot be written: the own one", async () => {
    await editor();
    await chmod(editorOwn(), 0o500);
    const parents = [scratch, dataDir, path.dirname(meeting()), meeting(), path.dirname(editorOwn())];
    for (const folder of parents) await chmod(folder, 0o755);
    await asNobody(async () => {
      const place = await editor(editorOwn("second"));
      expect(place).toEqual({ folder: editorOwn("second"), shared: false, others: [] });
    });
    expect(said.join()).toContain("EACCES");
  });

  it("no data folder at all: the own one", async () => {
    const place = await registerProjectStore({ dataDir: undefined, root, own: editorOwn(), log });
    expect(place).toEqual({ folder: editorOwn(), shared: false, others: [] });
    await expect(registerProjectStore({ dataDir: undefined, root, log })).rejects.toThrow("no home folder");
  });
});

it("the data folder is the one that is named, else the system's", () => {
  expect(defaultDataDir({ NEKODE_DATA_DIR: dataDir, XDG_DATA_HOME: "/x" })).toBe(dataDir);
  expect(defaultDataDir({ NEKODE_DATA_DIR: "", XDG_DATA_HOME: "relative" })).toMatch(/nekode$/);
  if (process.platform === "linux") expect(defaultDataDir({ XDG_DATA_HOME: "/x" })).toBe("/x/nekode");
});
