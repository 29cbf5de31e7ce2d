/**
 * The compiled code of the terminal host's program where others could have written it, where it is damaged, in long runs, where nobody
 * wants it, and in stack traces. `start.test.ts` proves that it is written and used, and `test/unit/node/code-cache.test.ts` which code
 * is trusted and where it is.
 */
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dist, StartPlace } from "./start-place.ts";

let place: StartPlace;

beforeEach(async () => {
  place = await StartPlace.create();
});
afterEach(() => place.close());

it("code that others could have written is not run, and is replaced once the folder is the user's again", async () => {
  await place.task();
  const file = await place.codeFile();
  await place.plant(file);
  await chmod(file, 0o666);
  expect(await place.task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await place.plant(file);
  await chmod(place.codeDir, 0o777);
  expect(await place.task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect((await readFile(file)).length).toBeLessThan(100_000);
});

it("damaged code is replaced", async () => {
  await place.task();
  const file = await place.codeFile();
  const whole = await readFile(file);
  await writeFile(file, whole.subarray(0, whole.length / 2));
  expect(await place.task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect((await stat(file)).size).toBeGreaterThan(whole.length / 2 + 1);
});

it("the code of a long run, in which V8's flags change, is used by the next one", async () => {
  const hook = path.join(place.scratch, "long.cjs");
  await writeFile(
    hook,
    `const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, ms, ...args) => setTimeout(work, ms === 10_000 ? 0 : ms, ...args);`,
  );
  expect((await place.task({ NODE_OPTIONS: `--require=${hook}` })).code).toBe(0);
  const file = await place.codeFile();
  const { mtimeMs, ino } = await stat(file);
  // Code that is rejected is replaced.
  expect((await place.task()).code).toBe(0);
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });
});

it("is left out by who wants no such files, and the project's folder stays clean", async () => {
  expect((await place.task({ NODE_DISABLE_COMPILE_CACHE: "1" })).code).toBe(0);
  await expect(readdir(place.codeDir)).rejects.toThrow(/ENOENT/);
  await rm(place.codeDir, { recursive: true, force: true });
  await place.task();
  expect(await readdir(place.project.folder)).toEqual([]);
});

it("loads what it needs of the runtime before V8's flags are set, with the runtime's compiled code, and no second HTTP library", async () => {
  const scratch = place.scratch;
  const [hook, log] = [path.join(scratch, "builtin.cjs"), path.join(scratch, "builtin")];
  const watch = `const { writeFileSync } = require("node:fs"); const v8 = require("node:v8");
    const { setFlagsFromString } = v8; let before;
    v8.setFlagsFromString = (flag) => { before ??= process.moduleLoadList.length; setFlagsFromString(flag); };
    process.once("exit", () => {
      if (before !== undefined) writeFileSync(${JSON.stringify(log)}, process.moduleLoadList.slice(before).join("\\n"));
    });`;
  await writeFile(hook, watch);
  await place.task();
  await place.task({ NODE_OPTIONS: `--require=${hook}` });
  const late = (await readFile(log, "utf8")).split("\n").map((line) => line.replace(/^NativeModule /, ""));
  expect(late.filter((name) => isBuiltin(name) || name.includes("undici"))).toEqual([]);
});

it("stack traces name the same places in the program's file, with and without the code", async () => {
  const scratch = place.scratch;
  const [hook, traces] = [path.join(scratch, "trace.cjs"), path.join(scratch, "traces")];
  const append = `require("node:fs").appendFileSync(${JSON.stringify(traces)}, new Error("asked").stack + "\\0")`;
  const patch = `const net = require("node:net"); const { connect } = net;
    net.connect = (...args) => { ${append}; return connect(...args); };`;
  await writeFile(hook, patch);
  const env = { NODE_OPTIONS: `--require=${hook}` };
  await place.task({ ...env, NODE_DISABLE_COMPILE_CACHE: "1" });
  const without = await readFile(traces, "utf8");
  expect(without).toContain(`${path.join(dist, "program.js")}:`);
  await place.task(env);
  await rm(traces);
  await place.task(env);
  expect(await readFile(traces, "utf8")).toBe(without);
});
