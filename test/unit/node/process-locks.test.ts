/** Who works on what, told by files that name processes: living ones hold, dead ones do not. */
import { mkdir, readdir, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { endedProcess, statOf } from "../../support/processes.ts";
import { neglectedProcess, temporaryFolder } from "./support.ts";

async function storageWith(holder?: Record<string, unknown>) {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "open"));
  if (holder) await writeFile(path.join(folder, "open/s1"), JSON.stringify(holder));
  return { folder, storage: createStorage(folder) };
}

it("one has it until it is released, or taken over, which the first one learns", async () => {
  const { folder, storage } = await storageWith();
  const first = await storage.takeLock("open/s1");
  expect(await first?.isMine()).toBe(true);
  expect(await storage.takeLock("open/s1")).toBeUndefined();
  const second = await storage.takeLock("open/s1", true);
  expect([await first?.isMine(), await second?.isMine()]).toEqual([false, true]);
  await first?.release();
  expect(await second?.isMine()).toBe(true);
  await second?.release();
  expect(await readdir(path.join(folder, "open"))).toEqual([]);
  expect(await storage.takeLock("open/s1")).toBeDefined();
});

it("is not had any more once its file is gone or another's, however often that was asked before", async () => {
  const { folder, storage } = await storageWith();
  const file = path.join(folder, "open/s1");
  const had = await storage.takeLock("open/s1");
  const text = await readFile(file, "utf8");
  for (let i = 0; i < 3; i++) expect(await had?.isMine()).toBe(true);
  await rename(file, `${file}-away`);
  expect(await had?.isMine()).toBe(false);
  await writeFile(file, text);
  expect(await had?.isMine()).toBe(true);
  // Written in place, to the same length: only the time tells.
  await writeFile(file, text.replace(/"token":"./, '"token":"!'));
  // On some systems two writes within milliseconds have the same one.
  await utimes(file, 1, 1);
  expect(await had?.isMine()).toBe(false);
});

it("of many that ask at once exactly one gets it", async () => {
  const { storage } = await storageWith();
  const locks = await Promise.all(Array.from({ length: 20 }, () => storage.takeLock("open/s1")));
  expect(locks.filter((lock) => lock !== undefined)).toHaveLength(1);
});

const dead = endedProcess();
const other = { token: "t", host: hostname(), pid: process.ppid, began: "" };
it.each([
  ["a process that ended", { ...other, pid: dead }, false],
  ["an earlier process of this number", { ...other, pid: process.pid }, false],
  ["a living process whose start the system did not tell", other, true],
  ["a process on another machine", { ...other, host: "elsewhere", pid: dead }, true],
  ["nobody that can be read", { nonsense: true }, false],
])("%s: holds it is %s", async (_, holder, holds) => {
  const { storage } = await storageWith(holder);
  expect(await storage.lockedElsewhere("open")).toEqual(holds ? ["s1"] : []);
  expect((await storage.takeLock("open/s1")) === undefined).toBe(holds);
  expect(await storage.takeLock("open/s1", true)).toBeDefined();
});

it.runIf(process.platform === "linux")(
  "a living process holds it, one that took its number does not",
  async () => {
    const began = statOf(process.ppid)[19];
    expect(await (await storageWith({ ...other, began })).storage.takeLock("open/s1")).toBeUndefined();
    expect(await (await storageWith({ ...other, began: "1" })).storage.takeLock("open/s1")).toBeDefined();
  },
);

it.runIf(process.platform === "linux")(
  "one that was killed and that its parent never asked for is dead",
  async () => {
    const child = await neglectedProcess();
    const { storage } = await storageWith({ ...other, pid: child.pid, began: statOf(child.pid)[19] });
    expect(await storage.lockedElsewhere("open")).toEqual(["s1"]);
    await child.kill();
    expect(await storage.lockedElsewhere("open")).toEqual([]);
    expect(await storage.takeLock("open/s1")).toBeDefined();
  },
);
