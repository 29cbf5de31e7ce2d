/** Replacing a file as a whole: the old content or the new, and nothing beside it. */
import { link, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createSynced, replaceFile } from "../../../src/node/files/atomic-write.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { temporaryFolder } from "./support.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function withOld() {
  const folder = await temporaryFolder();
  const [file, temp] = [path.join(folder, "file"), path.join(folder, "temp")];
  await writeFile(file, "old");
  return { folder, file, temp, now: async () => [await readFile(file, "utf8"), await readdir(folder)] };
}
const write = (temp: string) => createSynced(temp, bytes("new"));
const fails = (): Promise<never> => Promise.reject(new Error("no"));

it("has the new content when it resolves, and looks right before the step", async () => {
  const { file, temp, now } = await withOld();
  let seen: unknown;
  await replaceFile({
    temp,
    file,
    write,
    async check() {
      seen = [await readFile(file, "utf8"), await readFile(temp, "utf8")];
    },
  });
  expect(seen).toEqual(["old", "new"]);
  expect(await now()).toEqual(["new", ["file"]]);
});

it.each([
  ["writing", { write: (temp: string) => createSynced(temp, bytes("ne")).then(fails) }],
  ["the check", { write, check: fails }],
  ["the step", { write, place: fails }],
])("keeps the old content and leaves nothing where %s fails", async (_, parts) => {
  const { file, temp, now } = await withOld();
  await expect(replaceFile({ temp, file, ...parts })).rejects.toThrow("no");
  expect(await now()).toEqual(["old", ["file"]]);
});

it("leaves nothing where the new content is put in place by a link", async () => {
  const { folder, temp } = await withOld();
  const place = async (from: string, to: string) => {
    await link(from, to);
    return false;
  };
  await replaceFile({ temp, file: path.join(folder, "second"), write, place });
  expect(await readdir(folder)).toEqual(["file", "second"]);
});

it("leaves nothing where both names are the same file already", async () => {
  const folder = await temporaryFolder();
  const storage = createStorage(folder);
  await storage.replace("a", bytes("a"));
  await storage.duplicate("a", "b");
  // A rename between two links to one file does nothing at all.
  await storage.duplicate("a", "b");
  expect(await readdir(path.join(folder, "tmp"))).toEqual([]);
});

it("creates a file only where nothing is, with what belongs to it", async () => {
  const { folder, file } = await withOld();
  await expect(createSynced(file, bytes("new"))).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(file, "utf8")).toBe("old");
  const dangling = path.join(folder, "link");
  await symlink(path.join(folder, "elsewhere"), dangling);
  await expect(createSynced(dangling, bytes("new"))).rejects.toMatchObject({ code: "EEXIST" });
  const own = path.join(folder, "own");
  await createSynced(own, bytes("new"), { mode: 0o600, prepare: (handle) => handle.chmod(0o640) });
  if (process.platform !== "win32") expect((await stat(own)).mode & 0o777).toBe(0o640);
});
