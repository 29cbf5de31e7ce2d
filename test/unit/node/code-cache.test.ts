/** Compiled code is kept for the next run, and read only if nobody else could have written it. */
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CodeCache, codeCacheOf } from "../../../src/node/code-cache/code-cache.ts";
import { ReadBuffer } from "../../../src/node/code-cache/read-buffer.ts";

const CODE = Buffer.from("code ".repeat(1_000));
let scratch: string;
let program: string;
let caches: string;
let folder: string;

beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "nekode-code-"));
  program = path.join(scratch, "program.js");
  caches = path.join(scratch, "caches");
  folder = path.join(caches, "nekode/code");
  writeFileSync(program, "1;");
});

afterEach(() => rm(scratch, { recursive: true, force: true }));

function cache(version = "1.0.0", environment: NodeJS.ProcessEnv = {}): CodeCache {
  const found = codeCacheOf(program, version, { XDG_CACHE_HOME: caches, ...environment });
  if (!found) throw new Error("there is no cache");
  return found;
}

/** Into memory that is too small, as for the code of a larger program. */
const read = (version?: string) => cache(version).read(new ReadBuffer(100));

function written(): string {
  cache().write(CODE);
  const [name = ""] = readdirSync(folder);
  expect(read()).toEqual(CODE);
  return path.join(folder, name);
}

describe("is read again", () => {
  it("until the program or its version changes", () => {
    expect(read()).toBeUndefined();
    written();
    expect(read("1.0.1")).toBeUndefined();
    writeFileSync(program, "2;");
    expect(read()).toBeUndefined();
  });

  it("from a folder that only the user can read and write", () => {
    const file = written();
    chmodSync(caches, 0o755);
    expect(read()).toEqual(CODE);
    expect(readdirSync(folder)).toEqual([path.basename(file)]);
  });

  it("without the code of programs that were replaced long ago", async () => {
    for (const version of ["1", "2", "3", "4", "5", "6", "7", "8"]) {
      cache(version).write(CODE);
      for (const name of readdirSync(folder)) {
        if (version === "8") continue;
        // Older with each version that follows.
        const file = path.join(folder, name);
        await utimes(file, 1_000 + Number(version), 1_000 + Number(version));
      }
    }
    expect(readdirSync(folder)).toHaveLength(6);
    expect(read("8")).toEqual(CODE);
  });
});

describe("is not read", () => {
  it.each<[string, (file: string) => unknown]>([
    ["a damaged file", (file) => writeFileSync(file, readFileSync(file).fill(0, 900, 901))],
    ["a part of a file", (file) => writeFileSync(file, readFileSync(file).subarray(0, 2_000))],
    ["an empty file", (file) => writeFileSync(file, "")],
    ["a file that the group can write", (file) => chmodSync(file, 0o660)],
    ["a file that everybody can write", (file) => chmodSync(file, 0o606)],
    ["a file with a second name", (file) => linkSync(file, path.join(scratch, "second"))],
    [
      "a link to a file",
      (file) => {
        renameSync(file, path.join(scratch, "moved"));
        symlinkSync(path.join(scratch, "moved"), file);
      },
    ],
    ["a folder that others can write", () => chmodSync(folder, 0o777)],
    ["a folder in one that others can write", () => chmodSync(path.dirname(folder), 0o770)],
    ["a folder that others can replace", () => chmodSync(caches, 0o777)],
    [
      "a link to a folder",
      () => {
        renameSync(folder, path.join(scratch, "moved"));
        symlinkSync(path.join(scratch, "moved"), folder);
      },
    ],
  ])("%s", (_what, change) => {
    change(written());
    expect(read()).toBeUndefined();
  });

  it("what belongs to another user", () => {
    written();
    const other = (process.getuid?.() ?? 0) + 1;
    const foreign = codeCacheOf(program, "1.0.0", { XDG_CACHE_HOME: caches }, other);
    expect(foreign?.read(new ReadBuffer(100))).toBeUndefined();
  });
});

describe("is not written", () => {
  it("into a folder that others can write", async () => {
    await mkdir(folder, { recursive: true });
    chmodSync(folder, 0o777);
    cache().write(CODE);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("where there is a file in place of the folder", () => {
    writeFileSync(caches, "a file");
    cache().write(CODE);
    expect(readFileSync(caches, "utf8")).toBe("a file");
    expect(read()).toBeUndefined();
  });

  it("if the user does not want it, or Node measures which code runs", () => {
    for (const name of ["NODE_DISABLE_COMPILE_CACHE", "NODE_V8_COVERAGE"])
      expect(codeCacheOf(program, "1.0.0", { XDG_CACHE_HOME: caches, [name]: "1" })).toBeUndefined();
  });

  it("where the system does not say whose a file is", () => {
    expect(codeCacheOf(program, "1.0.0", { XDG_CACHE_HOME: caches }, "unknown")).toBeUndefined();
  });
});
