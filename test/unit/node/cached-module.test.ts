/** A bundle that starts with the code that V8 compiled before. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadCachedModule } from "../../../src/node/code-cache/cached-module.ts";

const HEAD = "(function (exports, require, module, __filename, __dirname) {";
const SOURCE = `${HEAD} exports.where = () => [__filename, __dirname];
exports.read = (name) => require(name).marker;
exports.fail = () => { throw new Error("no"); };
})`;
type Exports = { where(): string[]; read(name: string): unknown; fail(): never };

let folder: string;
let file: string;
let kept: Buffer[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-cached-"));
  file = path.join(folder, "bundle.js");
  await writeFile(file, SOURCE);
  kept = [];
});
afterEach(() => rm(folder, { recursive: true }));

const load = (code?: Buffer) =>
  loadCachedModule<Exports>(file, {
    read: () => code,
    write: (written) => void kept.push(written),
  });

it("is a module like another, with its own paths, its own requires and its own lines", async () => {
  await writeFile(path.join(folder, "other.js"), 'exports.marker = "beside";');
  const { exports } = load();
  expect(exports.where()).toEqual([file, folder]);
  expect(exports.read("./other.js")).toBe("beside");
  expect(() => exports.fail()).toThrow(
    expect.objectContaining({ stack: expect.stringContaining(`${file}:3:30`) }),
  );
});

it("keeps the code once, and keeps nothing where kept code was used", () => {
  load().keep();
  expect(kept).toHaveLength(1);
  const again = load(kept[0]);
  expect(again.exports.where()).toEqual([file, folder]);
  again.keep();
  expect(kept).toHaveLength(1);
});

it("compiles again what V8 does not accept, and keeps that", async () => {
  load().keep();
  await writeFile(file, `${SOURCE}// Another version.\n`);
  const changed = load(kept[0]);
  expect(changed.exports.where()).toEqual([file, folder]);
  changed.keep();
  expect(kept).toHaveLength(2);
});

it("needs no place for the code", () => {
  const without = loadCachedModule<Exports>(file, undefined);
  without.keep();
  expect(without.exports.where()).toEqual([file, folder]);
});
