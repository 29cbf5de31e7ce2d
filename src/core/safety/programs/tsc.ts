/**
 * Finds what the project's configuration makes tsc write, and where. The list entry allows tsc to run, not to write
 * anywhere.
 */
import { posix } from "node:path";
import * as z from "zod";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import type { Disk } from "./profile.ts";

const options = z.object({
  noEmit: z.boolean().optional(),
  emitDeclarationOnly: z.boolean().optional(),
  incremental: z.boolean().optional(),
  composite: z.boolean().optional(),
  outDir: z.string().optional(),
  outFile: z.string().optional(),
  out: z.string().optional(),
  declarationDir: z.string().optional(),
  tsBuildInfoFile: z.string().optional(),
  generateTrace: z.string().optional(),
  generateCpuProfile: z.string().optional(),
});
const config = z.object({
  extends: z.union([z.string(), z.array(z.string())]).optional(),
  compilerOptions: options.nullish(),
});
type Options = z.infer<typeof options>;

const PATHS = [
  "outDir",
  "outFile",
  "out",
  "declarationDir",
  "tsBuildInfoFile",
  "generateTrace",
  "generateCpuProfile",
] as const;

/** Maximum number of files that one configuration may extend. */
const MAX_FILES = 12;
const UNREADABLE = reasonOf("output-unresolved");

/** Returns why tsc, with these words, may write what an edit tool would ask for. `words`: those after its name. */
export async function tscWrites(words: readonly Word[], disk: Disk): Promise<Reason | undefined> {
  if (words.some(({ text }) => /^(?:-[vh]|--version|--help|--showConfig)$/.test(text))) return undefined;
  const file = await configFile(words, disk);
  if (file === undefined) return undefined;
  try {
    const merged = await mergedOptions(file, disk, { left: MAX_FILES, entry: posix.dirname(file) });
    const emits = !(merged.noEmit || words.some(({ text }) => text === "--noEmit"));
    const incremental = merged.incremental || merged.composite;
    const written = [
      ...(emits ? [merged.outDir && `${merged.outDir}/x.js`, merged.outFile, merged.out] : []),
      ...(emits ? [merged.declarationDir && `${merged.declarationDir}/x.d.ts`] : []),
      merged.tsBuildInfoFile ?? (incremental && merged.outDir ? `${merged.outDir}/x.tsbuildinfo` : undefined),
      merged.generateTrace && `${merged.generateTrace}/trace.json`,
      merged.generateCpuProfile,
    ];
    for (const path of written) {
      if (!path) continue;
      const { verdict, reason } = await disk.judge(path, "write");
      if (verdict !== "allow") return reason;
    }
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return UNREADABLE;
    throw error;
  }
}

class Unreadable extends Error {}

/** Returns the configuration that tsc uses: `-p`, or the nearest above; undefined if there is none. */
async function configFile(words: readonly Word[], disk: Disk): Promise<string | undefined> {
  const at = words.findIndex(({ text }) => /^(?:-p|--project)$/.test(text));
  const named = words[at + 1]?.text;
  if (at >= 0 && named !== undefined) {
    const inFolder = posix.join(named, "tsconfig.json");
    return (await disk.text(inFolder)) === undefined ? named : inFolder;
  }
  // With files as operands, no configuration is read.
  if (words.some(({ text }) => !text.startsWith("-"))) return undefined;
  for (let up = "", n = 0; n < 8; n++, up += "../")
    if ((await disk.text(`${up}tsconfig.json`)) !== undefined) return `${up}tsconfig.json`;
  return undefined;
}

/** Merges the options of a file and of those it extends, with paths relative to the command's folder. */
async function mergedOptions(
  file: string,
  disk: Disk,
  budget: { left: number; entry: string },
): Promise<Options> {
  if (budget.left-- <= 0) throw new Unreadable();
  const text = await disk.text(file);
  if (text === undefined) return {};
  const parsed = config.safeParse(plainJson(text));
  if (!parsed.success) throw new Unreadable();
  const folder = posix.dirname(file);
  let merged: Options = {};
  for (const name of [parsed.data.extends ?? []].flat())
    merged = { ...merged, ...(await mergedOptions(await extended(name, folder, disk), disk, budget)) };
  const own: Options = { ...parsed.data.compilerOptions };
  for (const key of PATHS) {
    const value = own[key];
    if (value === undefined) continue;
    const inEntry = /^\$\{configDir\}/i.test(value);
    const path = value.replace(/^\$\{configDir\}\/?/i, "").replaceAll("\\", "/");
    own[key] =
      posix.isAbsolute(path) || /^[A-Za-z]:/.test(path)
        ? path
        : posix.join(inEntry ? budget.entry : folder, path);
  }
  return { ...merged, ...own };
}

/** Resolves the name in `extends`: a path, or a file of a package. */
async function extended(name: string, folder: string, disk: Disk): Promise<string> {
  const bases = /^\.{0,2}\//.test(name)
    ? [posix.isAbsolute(name) ? name : posix.join(folder, name)]
    : ["", "../", "../../", "../../../"].map((up) => posix.join(folder, up, "node_modules", name));
  for (const base of bases) {
    for (const path of [base, `${base}.json`, `${base}/tsconfig.json`])
      if ((await disk.text(path)) !== undefined) return path;
  }
  throw new Unreadable();
}

/** Parses JSON as tsc does, with comments and trailing commas. */
function plainJson(text: string): unknown {
  const plain = text
    .replace(/^\ufeff/, "")
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, string: string | undefined) => string ?? " ",
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
  try {
    return JSON.parse(plain.trim() === "" ? "{}" : plain);
  } catch {
    throw new Unreadable();
  }
}
