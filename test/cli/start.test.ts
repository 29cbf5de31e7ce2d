/** The terminal host keeps the compiled code of its program, and runs no code that anybody else could have left there. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const dist = path.join(import.meta.dirname, "../../dist");

let server: ModelServer;
let project: Project;
let codeDir: string;

beforeEach(async () => {
  server = await startModelServer({
    script: {
      scope: "server",
      turns: [{ times: true, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] }],
    },
  });
  project = await Project.create({});
  codeDir = path.join(project.environment.HOME ?? "", ".cache/nekode/code");
});
afterEach(async () => {
  await server.close();
  await project.remove();
});

/** With a cache of its own, which is in the home folder. */
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  project.spawn(args, { XDG_CACHE_HOME: "", ...env });

const task = (env: Record<string, string> = {}) =>
  run(["--base-url", server.url, "--model", "scripted", "Do it"], { NEKODE_API_KEY: "key", ...env });

async function codeFile(): Promise<string> {
  const [name, ...more] = await readdir(codeDir);
  expect([name === undefined, more]).toEqual([false, []]);
  return path.join(codeDir, name ?? "");
}

/** What the launcher would run in place of the program if it trusted the file: V8 only compares lengths. */
async function plant(file: string): Promise<void> {
  const { length } = await readFile(path.join(dist, "program.js"), "utf8");
  const source = path.join(path.dirname(project.folder), "planted.js");
  await writeFile(source, 'console.log("planted"); process.exit(3);');
  const compile = `
    const { setFlagsFromString } = require("node:v8");
    setFlagsFromString("--wasm-tiering-budget=2147483647");
    setFlagsFromString("--interrupt-budget=600000");
    setFlagsFromString("--no-incremental-marking");
    const source = require("node:fs").readFileSync(${JSON.stringify(source)}, "utf8");
    const script = new (require("node:vm").Script)(require("node:module").wrap(source.padEnd(${length})));
    script.runInThisContext();
    process.stdout.write(script.createCachedData());`;
  const code = execFileSync(process.execPath, ["-e", compile]);
  await writeFile(file, Buffer.concat([createHash("sha256").update(code).digest(), code]));
}

it("the first task leaves the code, and the next one uses it", async () => {
  expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run(["--help"])).stdout).toMatch(/^Usage: nekode/);
  expect((await run(["--list"])).code).toBe(0);
  await expect(readdir(codeDir)).rejects.toThrow(/ENOENT/);
  expect(await task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  const file = await codeFile();
  const { mtimeMs, ino, mode } = await stat(file);
  expect([mode & 0o777, (await stat(codeDir)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });
  // That it is used at all.
  await plant(file);
  expect(await task()).toMatchObject({ code: 3, stdout: "planted\n" });
});

it("the code of a long run, in which V8's flags change, is used by the next one", async () => {
  const hook = path.join(path.dirname(project.folder), "long.cjs");
  await writeFile(
    hook,
    `const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, ms, ...args) => setTimeout(work, ms === 10_000 ? 0 : ms, ...args);`,
  );
  expect((await task({ NODE_OPTIONS: `--require=${hook}` })).code).toBe(0);
  const file = await codeFile();
  const { mtimeMs, ino } = await stat(file);
  // Code that is rejected is replaced.
  expect((await task()).code).toBe(0);
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });
});

it("code that others could have written is not run, and is replaced once the folder is the user's again", async () => {
  await task();
  const file = await codeFile();
  await plant(file);
  await chmod(file, 0o666);
  expect(await task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await plant(file);
  await chmod(codeDir, 0o777);
  expect(await task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect((await readFile(file)).length).toBeLessThan(100_000);
});

it("damaged code is replaced", async () => {
  await task();
  const file = await codeFile();
  const whole = await readFile(file);
  await writeFile(file, whole.subarray(0, whole.length / 2));
  expect(await task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect((await stat(file)).size).toBeGreaterThan(whole.length / 2 + 1);
});

it("is left out by who wants no such files, and the project's folder stays clean", async () => {
  expect((await task({ NODE_DISABLE_COMPILE_CACHE: "1" })).code).toBe(0);
  await expect(readdir(codeDir)).rejects.toThrow(/ENOENT/);
  await rm(codeDir, { recursive: true, force: true });
  await task();
  expect(await readdir(project.folder)).toEqual([]);
});

it("up to its first request, a task loads one script and SQLite, and --version one script", async () => {
  const scratch = path.dirname(project.folder);
  const [hook, log] = [path.join(scratch, "loaded.cjs"), path.join(scratch, "loaded")];
  const watch = `const fs = require("node:fs"); const net = require("node:net"); const Module = require("node:module");
    const note = (name) => fs.appendFileSync(${JSON.stringify(log)}, name + "\\n");
    const { readFileSync } = fs; const { connect } = net; const load = Module._extensions[".js"];
    fs.readFileSync = (file, ...args) => { if (/\\.js$/.test(file)) note(file); return readFileSync(file, ...args); };
    Module._extensions[".js"] = (module, file) => { note(file); return load(module, file); };
    for (const name of ["compile", "instantiate"]) {
      const run = WebAssembly[name];
      WebAssembly[name] = (code, ...args) => {
        // The runtime's own parser of HTTP comes with its Headers.
        if (code.byteLength > 100_000) note("wasm of " + Math.round(code.byteLength / 100_000) + "00 KB");
        return run(code, ...args);
      };
    }
    net.connect = (...args) => { note("request"); return connect(...args); };`;
  await writeFile(hook, watch);
  const loaded = async () => {
    const lines = (await readFile(log, "utf8"))
      .split("\n")
      .map((line) => line.replace(`${dist}${path.sep}`, ""));
    await rm(log);
    return lines;
  };
  const env = { NODE_OPTIONS: `--require=${hook}` };
  await task(env);
  const all = await loaded();
  expect(all).toContain("request");
  expect([...new Set(all.slice(0, all.indexOf("request")))]).toEqual([
    "cli.js",
    "program.js",
    "wasm of 700 KB",
  ]);
  await run(["--version"], env);
  expect([...new Set(await loaded())]).toEqual(["cli.js", ""]);
});

it("loads what it needs of the runtime before V8's flags are set, with the runtime's compiled code, and no second HTTP library", async () => {
  const scratch = path.dirname(project.folder);
  const [hook, log] = [path.join(scratch, "builtin.cjs"), path.join(scratch, "builtin")];
  const watch = `const { writeFileSync } = require("node:fs"); const v8 = require("node:v8");
    const { setFlagsFromString } = v8; let before;
    v8.setFlagsFromString = (flag) => { before ??= process.moduleLoadList.length; setFlagsFromString(flag); };
    process.once("exit", () => {
      if (before !== undefined) writeFileSync(${JSON.stringify(log)}, process.moduleLoadList.slice(before).join("\\n"));
    });`;
  await writeFile(hook, watch);
  await task();
  await task({ NODE_OPTIONS: `--require=${hook}` });
  const late = (await readFile(log, "utf8")).split("\n").map((line) => line.replace(/^NativeModule /, ""));
  expect(late.filter((name) => isBuiltin(name) || name.includes("undici"))).toEqual([]);
});

it("the program is in ASCII, which the launcher reads it as", async () => {
  const bytes = await readFile(path.join(dist, "program.js"));
  expect(bytes.filter((byte) => byte > 0x7f)).toHaveLength(0);
  expect(await readFile(path.join(dist, "cli.js"), "utf8")).toContain('"latin1"');
});

it("stack traces name the same places in the program's file, with and without the code", async () => {
  const scratch = path.dirname(project.folder);
  const [hook, traces] = [path.join(scratch, "trace.cjs"), path.join(scratch, "traces")];
  const append = `require("node:fs").appendFileSync(${JSON.stringify(traces)}, new Error("asked").stack + "\\0")`;
  const patch = `const net = require("node:net"); const { connect } = net;
    net.connect = (...args) => { ${append}; return connect(...args); };`;
  await writeFile(hook, patch);
  const env = { NODE_OPTIONS: `--require=${hook}` };
  await task({ ...env, NODE_DISABLE_COMPILE_CACHE: "1" });
  const without = await readFile(traces, "utf8");
  expect(without).toContain(`${path.join(dist, "program.js")}:`);
  await task(env);
  await rm(traces);
  await task(env);
  expect(await readFile(traces, "utf8")).toBe(without);
});
