import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { installOnce, withFreeFolder, withLock } from "../../scripts/lib/cache.mjs";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-cache-"));
  vi.stubEnv("NEKODE_CACHE", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("one holder of a lock at a time", async () => {
  const lock = path.join(folder, "lock");
  const events: string[] = [];
  const work = (name: string) =>
    withLock(lock, async () => {
      events.push(`${name} in`);
      await new Promise(setImmediate);
      events.push(`${name} out`);
    });
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(events).toHaveLength(6);
  for (let i = 0; i < 6; i += 2) expect(events[i + 1]).toBe(events[i]?.replace("in", "out"));
  expect(existsSync(lock)).toBe(false);
});

test("a lock whose holder died is taken over", async () => {
  const lock = path.join(folder, "lock");
  // Beyond the largest id of a process.
  await writeFile(lock, "99999999");
  expect(await withLock(lock, async () => readFile(lock, "utf8"))).toBe(String(process.pid));
});

test("a lock that stays held is an error that names its holder", async () => {
  const lock = path.join(folder, "lock");
  await writeFile(lock, String(process.pid));
  await expect(withLock(lock, async () => {}, { timeoutMs: 0 })).rejects.toThrow(
    `Process ${process.pid} still holds`,
  );
});

test("who comes while a folder is in use gets the next one, and the first again when it is free", async () => {
  const folders = ["a", "b"].map((name) => path.join(folder, name));
  const used = await withFreeFolder(folders, async (first) => [
    first,
    await withFreeFolder(folders, async (second) => second),
  ]);
  expect(used).toEqual(folders);
  expect(await withFreeFolder(folders, async (again) => again)).toBe(folders[0]);
});

test("with every folder in use the error names who uses the last one; that of the work is passed on", async () => {
  const [only] = [path.join(folder, "a")];
  const busy = withFreeFolder([only], () => withFreeFolder([only], async () => undefined));
  await expect(busy).rejects.toThrow(`Process ${process.pid} still holds`);
  const failing = withFreeFolder([only, path.join(folder, "b")], async (used) => {
    throw new Error(`failed in ${path.basename(used)}`);
  });
  await expect(failing).rejects.toThrow("failed in a");
});

test("several that want the same thing install it once", async () => {
  let fills = 0;
  const fill = async (temporary: string) => {
    fills++;
    await writeFile(path.join(temporary, "file"), "content");
  };
  const folders = await Promise.all([installOnce("thing", fill), installOnce("thing", fill)]);
  expect(new Set(folders)).toEqual(new Set([path.join(folder, "thing")]));
  expect(await readFile(path.join(folder, "thing", "file"), "utf8")).toBe("content");
  expect(fills).toBe(1);
});

test("a failed installation leaves nothing, and the next one starts anew", async () => {
  const failing = installOnce("thing", async (temporary) => {
    await writeFile(path.join(temporary, "half"), "");
    throw new Error("no network");
  });
  await expect(failing).rejects.toThrow("no network");
  expect(await readdir(folder)).toEqual([]);
  await installOnce("thing", async () => {});
  expect(await readdir(path.join(folder, "thing"))).toEqual([]);
});
