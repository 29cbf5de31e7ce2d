/** Short calls of a file system, made by threads or directly. */
import {
  mkdtemp,
  readFile,
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
    expect((await calls.readBytes(link)).toString()).toBe("cats");
    expect(await codeOf(calls.readBytes(folder))).toMatchObject({ code: "EISDIR", syscall: "read" });
    expect((await calls.readdir(folder)).sort()).toEqual(["a.txt", "link"]);
    const kinds = (await calls.readEntries(folder)).map((entry) => [entry.name, entry.isSymbolicLink()]);
    expect(Object.fromEntries(kinds)).toEqual({ "a.txt": false, link: true });
    for (const [name, call] of [
      ["open", calls.readBytes],
      ["scandir", calls.readdir],
    ] as const)
      expect(await codeOf(call(none))).toEqual({ code: "ENOENT", syscall: name, file: none });
    for (const name of ["stat", "lstat", "realpath", "access"] as const)
      expect(await codeOf(calls[name](none))).toEqual({ code: "ENOENT", syscall: name, file: none });
    const opened = await calls.openFile(file, "r+");
    expect((await opened.stat()).size).toBe(4);
    expect((await opened.exactStat()).size).toBe(4n);
    expect((await opened.read(4)).toString()).toBe("cats");
    await opened.write(Buffer.from(" and dogs"));
    await opened.chmod(0o640);
    await opened.chown(process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    const synced = Promise.all([opened.sync(), opened.datasync()]);
    await Promise.all([synced, opened.close()]);
    expect(await codeOf(opened.stat())).toMatchObject({ code: "EBADF" });
    expect(await readFile(file, "utf8")).toBe("cats and dogs");
    if (process.platform !== "win32") expect((await threadStat(file)).mode & 0o777).toBe(0o640);
    await writeFile(file, "cats");
    expect(await codeOf(calls.openFile(file, "wx"))).toMatchObject({ code: "EEXIST" });
  });
});

it("after slow calls, threads make the next ones, for 200 times as long", async () => {
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
  const slow = async (ms: number) => {
    took = ms;
    await stat(file);
    took = 0;
  };
  try {
    expect(await isDirect()).toBe(true);
    // One is the machine's.
    await slow(30);
    expect(await isDirect()).toBe(true);
    await slow(30);
    expect(await isDirect()).toBe(false);
    now += 11_900;
    expect(await isDirect()).toBe(false);
    now += 100;
    expect(await isDirect()).toBe(true);
    // What is long ago no longer counts.
    for (let times = 0; times < 5; times++) {
      await slow(30);
      now += 6_000;
      expect(await isDirect()).toBe(true);
    }
    await slow(50);
    expect(await isDirect()).toBe(false);
  } finally {
    clock.mockRestore();
  }
});
