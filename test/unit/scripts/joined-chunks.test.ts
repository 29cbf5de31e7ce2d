/** The files that code splitting leaves, joined: fewer of them, and the same program. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildBundle } from "../../../scripts/lib/joined-chunks.mjs";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-joined-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Every set of two of the entries shares a module, of which each becomes a file of its own. */
const FILES: Record<string, string> = {
  "start.ts": `
    import { count } from "./of-all.ts";
    import { said } from "./of-start-and-one.ts";
    import "./effect.ts";
    count("start");
    export const result = async () => {
      await (await import("./one.ts")).default();
      await (await import("./two.ts")).default();
      await (await import("./three.ts")).default();
      return said();
    };
    globalThis.joinedResult = result;`,
  "one.ts": `
    import { count, counted } from "./of-all.ts";
    import { say } from "./of-start-and-one.ts";
    import { both } from "./of-one-and-two.ts";
    export default () => { count("one"); say(both("one") + counted()); };`,
  "two.ts": `
    import { count, counted } from "./of-all.ts";
    import { both } from "./of-one-and-two.ts";
    import { late } from "./of-two-and-three.ts";
    import { say } from "./of-start-and-one.ts";
    import "./effect.ts";
    export default () => { count("two"); say(late(both("two")) + counted()); };`,
  "three.ts": `
    import { count, total } from "./of-all.ts";
    import { late } from "./of-two-and-three.ts";
    import { say } from "./of-start-and-one.ts";
    export default () => { count("three"); say(late("three") + total); };`,
  "of-all.ts": `
    const names = [];
    export let total = 0;
    export const count = (name) => { names.push(name); total++; };
    export const counted = () => names.join("+");`,
  "of-start-and-one.ts": `
    const lines = [];
    export const say = (line) => { lines.push(line); };
    export const said = () => lines;`,
  "of-one-and-two.ts": `let n = 0; export const both = (name) => name + ++n + ":";`,
  "of-two-and-three.ts": `let n = 0; export const late = (name) => "late" + ++n + name;`,
  "effect.ts": `globalThis.joinedEffects = (globalThis.joinedEffects ?? 0) + 1;`,
};

/** The bundle's files, and what the program in them says. */
async function built(name: string, groups?: { file: string; own?: string; entries: string[] }[]) {
  const outdir = path.join(folder, name);
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(folder, name), text);
  const metafile = await buildBundle(
    {
      ...{ name: "test", entry: path.join(folder, "start.ts"), shipped: false },
      options: {
        ...{ absWorkingDir: folder, outdir, bundle: true, splitting: true, minify: true },
        ...{ format: "esm", metafile: true, chunkNames: "chunks/[name]-[hash]" },
      },
      ...(groups ? { joined: groups } : {}),
    },
    { logLevel: "error" },
  );
  await writeFile(path.join(outdir, "package.json"), '{ "type": "module" }');
  Reflect.set(globalThis, "joinedEffects", 0);
  await import(pathToFileURL(path.join(outdir, "start.js")).href);
  const said: string[] = await Reflect.get(globalThis, "joinedResult")();
  const names = await readdir(outdir, { recursive: true });
  const first = Object.entries(metafile.outputs).find(([name]) => name.endsWith("start.js"))?.[1];
  return {
    said,
    effects: Reflect.get(globalThis, "joinedEffects"),
    files: names.filter((name) => name.endsWith(".js")).length,
    eager: first?.imports.filter(({ kind }) => kind === "import-statement").length,
    inputs: Object.keys(first?.inputs ?? {}).sort(),
  };
}

it("joins what loads together into one file, in which each module still runs once and keeps its state", async () => {
  const start = { file: "start.js", own: "start.ts", entries: ["start.ts"] };
  const split = await built("split");
  const joined = await built("joined", [start, { file: "later.js", entries: ["two.ts", "three.ts"] }]);
  const inPlace = await built("in-place", [
    start,
    { file: "later.js", own: "two.ts", entries: ["two.ts", "three.ts"] },
  ]);
  expect(split.said).toEqual(["one1:start+one", "late1two2:start+one+two", "late2three4"]);
  expect(joined.said).toEqual(split.said);
  expect(inPlace.said).toEqual(split.said);
  expect([split.effects, joined.effects, inPlace.effects]).toEqual([1, 1, 1]);
  // The start, what it shares with others in it; each entry; and what only later ones share.
  expect(split.eager).toBeGreaterThan(0);
  expect(joined.eager).toBe(0);
  expect(joined.files).toBe(5);
  expect(inPlace.files).toBe(4);
  expect(joined.inputs).toEqual(["effect.ts", "of-all.ts", "of-start-and-one.ts", "start.ts"]);
});

it("refuses a group whose entry the bundle does not have", async () => {
  const unknown = built("unknown", [{ file: "start.js", entries: ["renamed.ts"] }]);
  await expect(unknown).rejects.toThrow("no entry renamed.ts");
});
