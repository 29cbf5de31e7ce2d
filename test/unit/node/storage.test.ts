import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cliToolFinder, findOnPath, systemInfo } from "../../../src/node/machine.ts";
import { createStorage, projectFolder } from "../../../src/node/store/folder-storage.ts";
import { temporaryFolder } from "./support.ts";

const bytes = (text: string) => Buffer.from(text);

describe("a store's folder", () => {
  it("is made by the first write, not by looking", async () => {
    const folder = path.join(await temporaryFolder(), "store");
    const storage = createStorage(folder);
    expect(await storage.read("a")).toBeUndefined();
    expect(await storage.stat("a")).toBeUndefined();
    expect(await readdir(path.dirname(folder))).toEqual([]);
    await storage.append("journal/a.log", bytes("one"));
    await storage.append("journal/a.log", bytes("two"));
    expect(await storage.read("journal/a.log")).toEqual(bytes("onetwo"));
    expect(Buffer.from((await storage.read("journal/a.log", 3)) ?? [])).toEqual(bytes("two"));
    expect(await storage.read("journal/a.log", 9)).toHaveLength(0);
    expect(await storage.list("journal")).toEqual(["a.log"]);
  });

  it("replaces only what is still as expected, when that is asked for", async () => {
    const folder = await temporaryFolder();
    const storage = createStorage(folder);
    await storage.replace("a", bytes("1"), { version: undefined });
    const first = await storage.stat("a");
    await expect(storage.replace("a", bytes("2"), { version: undefined })).rejects.toThrow("another process");
    await storage.replace("a", bytes("2"), { version: first?.version });
    await expect(storage.replace("a", bytes("3"), { version: first?.version })).rejects.toThrow("another");
    expect(await storage.read("a")).toEqual(bytes("2"));
    expect(await readdir(path.join(folder, "tmp"))).toEqual([]);
  });

  it("replaces, renames and removes; a version follows", async () => {
    const storage = createStorage(await temporaryFolder());
    await storage.replace("deep/er/a", bytes("1"));
    const first = await storage.stat("deep/er/a");
    await storage.replace("deep/er/a", bytes("2"));
    const second = await storage.stat("deep/er/a");
    expect(first?.size).toBe(1);
    expect(second?.version).not.toBe(first?.version);
    await storage.append("deep/er/a", bytes("3"));
    expect((await storage.stat("deep/er/a"))?.version).not.toBe(second?.version);
    await storage.rename("deep/er/a", "elsewhere/b");
    expect(await storage.read("elsewhere/b")).toEqual(bytes("23"));
    await storage.remove("elsewhere/b");
    await storage.remove("elsewhere/b");
    expect(await storage.list("elsewhere")).toEqual([]);
  });

  it("appends to an open file, tells when it has lost its name, and begins another one then", async () => {
    const folder = path.join(await temporaryFolder(), "store");
    const storage = createStorage(folder);
    const appender = storage.appender("journal/a");
    expect(await appender.append(bytes("1"))).toBe(true);
    expect(await appender.append(bytes("2"))).toBe(true);
    await storage.rename("journal/a", "journal/moved");
    expect(await appender.append(bytes("3")), "moved away").toBe(false);
    expect(await appender.append(bytes("3"))).toBe(true);
    await storage.remove("journal/a");
    await storage.append("journal/a", bytes("of another"));
    expect(await appender.append(bytes("4")), "another file has its name").toBe(false);
    expect(await appender.append(bytes("4"))).toBe(true);
    await appender.sync();
    await appender.close();
    expect(await appender.append(bytes("5")), "after it was closed").toBe(true);
    await appender.close();
    expect(await storage.read("journal/moved")).toEqual(bytes("123"));
    expect(await storage.read("journal/a")).toEqual(bytes("of another45"));
  });

  it("has no way out", async () => {
    const storage = createStorage(await temporaryFolder());
    for (const name of ["../a", "a/../../b", "/etc/passwd", "a//b", "."]) {
      await expect(storage.replace(name, bytes("x"))).rejects.toThrow("not a name");
    }
  });

  it("clears away what dead writers left, and only that", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "tmp"));
    const [old, fresh] = [path.join(folder, "tmp", "old"), path.join(folder, "tmp", "fresh")];
    await writeFile(old, "x");
    await writeFile(fresh, "x");
    const past = new Date(Date.now() - 3 * 60 * 60 * 1000);
    await utimes(old, past, past);
    await createStorage(folder).replace("a", bytes("1"));
    expect(await readdir(path.join(folder, "tmp"))).toEqual(["fresh"]);
  });

  it("lets one in at a time, whoever it is, and the next after a failure", async () => {
    const folder = await temporaryFolder();
    const [one, other] = [createStorage(folder), createStorage(folder)];
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(Array.from({ length: 10 }, (_, turn) => (turn % 2 ? one : other).withLock("l", work)));
    expect(most).toBe(1);
    await expect(one.withLock("l", () => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
    expect(await other.withLock("l", async () => "free")).toBe("free");
    await one.withLock("l", () =>
      expect(other.withLock("l", work, 30)).rejects.toThrow("already being held"),
    );
  });

  it("takes over the lock of a process that died", async () => {
    const folder = await temporaryFolder();
    const storage = createStorage(folder);
    await storage.withLock("l", async () => {});
    await mkdir(path.join(folder, "l.lock"));
    const past = new Date(Date.now() - 60_000);
    await utimes(path.join(folder, "l.lock"), past, past);
    expect(await storage.withLock("l", async () => "taken")).toBe("taken");
  });
});

describe("a project's folder", () => {
  it("is one for a project however it is named, and says which", async () => {
    const root = await temporaryFolder();
    const project = path.join(root, "私の project");
    await mkdir(project);
    await symlink(project, path.join(root, "link"));
    const folder = projectFolder("/data", project);
    expect(folder).toMatch(/^\/data\/projects\/私の-project-[0-9a-f]{16}$/);
    expect(projectFolder("/data", path.join(root, "link"))).toBe(folder);
    expect(projectFolder("/data", `${project}/`)).toBe(folder);
    expect(projectFolder("/data", root)).not.toBe(folder);
    expect(projectFolder("/data", "/")).toMatch(/root-[0-9a-f]{16}$/);
    expect(projectFolder("/data", "/nowhere/..hidden")).toMatch(/hidden-[0-9a-f]{16}$/);
  });
});

describe("the machine", () => {
  it("is described", () => {
    const info = systemInfo(process.env);
    expect(info.os).toMatch(/\S+ \S+/);
    expect(path.isAbsolute(info.home)).toBe(true);
    expect(info.timeZone).not.toBe("");
  });

  it("has the tools that PATH has as programs, looked for once", async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, "git"), "", { mode: 0o755 });
    await writeFile(path.join(folder, "docker"), "", { mode: 0o644 });
    await writeFile(path.join(folder, "unknown"), "", { mode: 0o755 });
    const environment = { PATH: `${folder}:${folder}/none:relative` };
    expect(await findOnPath(["docker", "git"], environment)).toEqual(["git"]);
    const find = cliToolFinder(environment);
    expect(await find()).toEqual(["git"]);
    await writeFile(path.join(folder, "gh"), "", { mode: 0o755 });
    expect(await find()).toEqual(["git"]);
  });
});
