/** What the shipped scripts load at once, from esbuild's own account of the minified bundles. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Metafile } from "esbuild";
import { bundles } from "../../../esbuild.mjs";
import { buildBundle } from "../../../scripts/lib/joined-chunks.mjs";

export interface Scripts {
  /** Files of the repository and its packages that go into them. */
  inputs: string[];
  bytes: number;
  /** Files of the bundle that contain them. */
  files: number;
}

/** Files that the named one loads at once, itself among them. */
function eagerFiles(outputs: Metafile["outputs"], first: string): Set<string> {
  const eager = new Set<string>();
  const add = (file: string) => {
    if (eager.has(file)) return;
    eager.add(file);
    for (const { kind, path } of outputs[file]?.imports ?? []) if (kind === "import-statement") add(path);
  };
  add(first);
  return eager;
}

/** By the bundle's name: each is built once. */
const built = new Map<string, Promise<Metafile>>();

/** NEKODE_PANEL says that everything was just built as it ships: then the account of that is read. */
async function metafileOf(name: string): Promise<Metafile> {
  const { NEKODE_PANEL: panel } = process.env;
  if (panel) return JSON.parse(await readFile(join(panel, "../meta.json"), "utf8"));
  const before = built.get(name);
  if (before) return before;
  const bundle = bundles({ minify: true }).find((each) => each.name === name);
  if (!bundle) throw new Error(`esbuild.mjs has no bundle named ${name}`);
  // Bundled itself, esbuild.mjs takes another folder for the repository's.
  const metafile = buildBundle(bundle, { absWorkingDir: process.cwd(), write: false });
  built.set(name, metafile);
  return metafile;
}

/** What the bundle loads at once; what is imported on demand is left out. */
export async function eagerScripts(name: string, entry: string): Promise<Scripts> {
  const { outputs } = await metafileOf(name);
  const first = Object.keys(outputs).find((file) => basename(file) === entry);
  if (first === undefined) throw new Error(`The bundle ${name} has no file ${entry}`);
  const eager = [...eagerFiles(outputs, first)].flatMap((file) => outputs[file] ?? []);
  return {
    inputs: eager.flatMap((output) => Object.keys(output.inputs)),
    bytes: eager.reduce((sum, output) => sum + output.bytes, 0),
    files: eager.length,
  };
}
