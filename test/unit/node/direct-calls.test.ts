/** Short calls of a file system, made by threads or directly. */
import {
  mkdtemp,
  open,
  rm,
  symlink,
  lstat as threadLstat,
  realpath as threadRealpath,
  stat as threadStat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(await threadRealpath(tmpdir()), "nekode-direct-"));
  await writeFile(path.join(folder, "a.txt"), "cats");
  await symlink("a.txt", path.join(folder, "link"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The module, as a process has it that begins. */
async function fresh() {
  vi.resetModules();
  return import("../../../src/node/files/direct-calls.ts");
}
const codeOf = (failing: Promise<unknown>) =>
  failing.then(
    () => "none",
    ({ code, syscall, path: file }) => ({ code, syscall, file }),
  );

describe.each([
  ["by threads", false],
  ["directly", true],
])("%s", (_, direct) => {
  it("say what node:fs/promises says of files, links and open files, and fail as it does", async () => {
    const calls = await fresh();
    if (direct) calls.callDirectly();
    const [file, link, none] = ["a.txt", "link", "none"].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    expect((await calls.stat(link)).ino).toBe((await threadStat(file)).ino);
    expect((await calls.exactStat(file)).mtimeNs).toBe((await threadStat(file, { bigint: true })).mtimeNs);
    expect((await calls.lstat(link)).ino).toBe((await threadLstat(link)).ino);
    expect((await calls.exactLstat(link)).isSymbolicLink()).toBe(true);
    expect(await calls.realpath(link)).toBe(file);
    await calls.access(file);
    for (const name of ["stat", "lstat", "realpath", "access"] as const)
      expect(await codeOf(calls[name](none))).toEqual({ code: "ENOENT", syscall: name, file: none });
    const handle = await open(file, "r+");
    expect((await calls.handleStat(handle)).size).toBe(4);
    expect((await calls.exactHandleStat(handle)).size).toBe(4n);
    expect((await calls.readRest(handle, 4)).toString()).toBe("cats");
    await calls.writeAll(handle, Buffer.from(" and dogs"));
    await handle.close();
    const again = await open(file, "r+");
    expect((await calls.readRest(again, 13)).toString()).toBe("cats and dogs");
    await again.truncate(4);
    await again.close();
  });
});

it("after a slow call, threads make the next ones, for 200 times as long", async () => {
  const { stat, callDirectly } = await fresh();
  callDirectly();
  const file = path.join(folder, "a.txt");
  let now = 1_000;
  let took = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += took;
    return now;
  });
  /** Whether the call was made before its promise was returned. */
  const isDirect = async () => {
    const turns: string[] = [];
    const asked = stat(file).then(() => turns.push("answer"));
    await Promise.resolve()
      .then(() => {})
      .then(() => turns.push("next task"));
    await asked;
    return turns[0] === "answer";
  };
  try {
    expect(await isDirect()).toBe(true);
    took = 10;
    await stat(file);
    took = 0;
    expect(await isDirect()).toBe(false);
    now += 1_999;
    expect(await isDirect()).toBe(false);
    now += 2;
    expect(await isDirect()).toBe(true);
  } finally {
    clock.mockRestore();
  }
});
