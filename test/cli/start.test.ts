/** The terminal host keeps the compiled code of its program. `start.long.test.ts` proves that it runs no code of anybody else. */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dist, StartPlace } from "./start-place.ts";

let place: StartPlace;

beforeEach(async () => {
  place = await StartPlace.create();
});
afterEach(() => place.close());

it("the first task leaves the code, and the next one uses it", async () => {
  expect((await place.run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await place.run(["--help"])).stdout).toMatch(/^Usage: nekode/);
  expect((await place.run(["--list"])).code).toBe(0);
  await expect(readdir(place.codeDir)).rejects.toThrow(/ENOENT/);
  expect(await place.task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  const file = await place.codeFile();
  const { mtimeMs, ino, mode } = await stat(file);
  expect([mode & 0o777, (await stat(place.codeDir)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await place.task()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });
  // That it is used at all.
  await place.plant(file);
  expect(await place.task()).toMatchObject({ code: 3, stdout: "planted\n" });
});

it("up to its first request, a task loads one script and SQLite, and --version one script", async () => {
  const scratch = place.scratch;
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
  await place.task(env);
  const all = await loaded();
  expect(all).toContain("request");
  expect([...new Set(all.slice(0, all.indexOf("request")))]).toEqual([
    "cli.js",
    "program.js",
    "wasm of 700 KB",
  ]);
  await place.run(["--version"], env);
  expect([...new Set(await loaded())]).toEqual(["cli.js", ""]);
});

it("the program is in ASCII, which the launcher reads it as", async () => {
  const bytes = await readFile(path.join(dist, "program.js"));
  expect(bytes.filter((byte) => byte > 0x7f)).toHaveLength(0);
  expect(await readFile(path.join(dist, "cli.js"), "utf8")).toContain('"latin1"');
});
