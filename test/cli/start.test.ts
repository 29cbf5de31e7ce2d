/** The terminal host keeps the compiled code of its program. `start.long.test.ts` proves that it runs no code of anybody else. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dist, StartPlace } from "./start-place.ts";

const DONE = { code: 0, stdout: expect.stringContaining("Done.") };

let place: StartPlace;

beforeEach(async () => {
  place = await StartPlace.create();
});
afterEach(() => place.close());

it("the first task leaves the code, and the next one uses it", async () => {
  expect((await place.run(["--list"])).code).toBe(0);
  await expect(readdir(place.codeDir)).rejects.toThrow(/ENOENT/);
  const watched = new Watched(place.scratch);
  // Up to its first request, a task loads one script, and neither SQLite nor a grammar.
  expect(await place.task(await watched.env())).toMatchObject(DONE);
  const all = await watched.loaded();
  expect(all).toContain("request");
  expect([...new Set(all.slice(0, all.indexOf("request")))]).toEqual(["cli.js", "program.js"]);
  const file = await place.codeFile();
  const { mtimeMs, ino, mode } = await stat(file);
  expect([mode & 0o777, (await stat(place.codeDir)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await place.task()).toMatchObject(DONE);
  expect(await stat(file)).toMatchObject({ mtimeMs, ino });
  // That it is used at all.
  await place.plant(file);
  expect(await place.task()).toMatchObject({ code: 3, stdout: "planted\n" });
});

it("--version loads one script", async () => {
  const watched = new Watched(place.scratch);
  expect((await place.run(["--version"], await watched.env())).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect([...new Set(await watched.loaded())]).toEqual(["cli.js", ""]);
});

it("the program is in ASCII, which the launcher reads it as", async () => {
  const bytes = await readFile(path.join(dist, "program.js"));
  expect(bytes.filter((byte) => byte > 0x7f)).toHaveLength(0);
  expect(await readFile(path.join(dist, "cli.js"), "utf8")).toContain('"latin1"');
});

/** What a process loads, in its order. */
class Watched {
  readonly #hook: string;
  readonly #log: string;

  constructor(scratch: string) {
    this.#hook = path.join(scratch, "loaded.cjs");
    this.#log = path.join(scratch, "loaded");
  }

  /** Variables of the process. */
  async env(): Promise<Record<string, string>> {
    const watch = `const fs = require("node:fs"); const net = require("node:net"); const Module = require("node:module");
    const note = (name) => fs.appendFileSync(${JSON.stringify(this.#log)}, name + "\\n");
    const { connect } = net; const load = Module._extensions[".js"];
    for (const name of ["readFileSync", "openSync"]) {
      const read = fs[name];
      fs[name] = (file, ...args) => { if (/\\.js$/.test(file)) note(file); return read(file, ...args); };
    }
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
    await writeFile(this.#hook, watch);
    return { NODE_OPTIONS: `--require=${this.#hook}` };
  }

  async loaded(): Promise<string[]> {
    const lines = (await readFile(this.#log, "utf8")).split("\n");
    return lines.map((line) => line.replace(`${dist}${path.sep}`, ""));
  }
}
