import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";

/** A real source file: its rows without line endings. */
export interface SourceFile {
  path: string;
  rows: readonly string[];
  /** How often each row stands in the file, white space left aside. */
  seen: ReadonlyMap<string, number>;
}

/** The repository: tests, fuzzing and measurements are all started there, bundled or not. */
const root = process.cwd();
const WANTED = /\.(?:[cm]?[jt]sx?|css|md|json)$/;
const PER_PACKAGE = 5;

/** A row without its white space: what the slower but obvious checks of the tests compare. */
export function bones(row: string): string {
  return row.replace(/[\s\u200b\ufeff]+/g, "");
}

/** Source files of the packages that this project names, always the same ones for the same installed versions. */
export function corpus(): SourceFile[] {
  const manifest = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const files: SourceFile[] = [];
  for (const name of Object.keys(manifest.devDependencies).sort()) {
    const found: string[] = [];
    collect(join(root, "node_modules", name), found, 0);
    const step = Math.max(1, Math.floor(found.length / PER_PACKAGE));
    let taken = 0;
    for (let at = 0; at < found.length && taken < PER_PACKAGE; at += step) {
      const file = load(found[at] ?? "");
      if (file === undefined) continue;
      files.push(file);
      taken += 1;
    }
  }
  return files;
}

function collect(folder: string, found: string[], depth: number): void {
  if (depth > 4 || found.length > 400) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collect(path, found, depth + 1);
    else if (entry.isFile() && WANTED.test(entry.name)) found.push(path);
  }
}

function load(path: string): SourceFile | undefined {
  const { size } = statSync(path);
  if (size < 1_500 || size > 120_000) return undefined;
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  if (text.includes("\ufffd") || text.includes("\0")) return undefined;
  const rows = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  if (rows.length < 40 || rows.some((row) => row.length > 2_000)) return undefined;
  const seen = new Map<string, number>();
  for (const row of rows) seen.set(bones(row), (seen.get(bones(row)) ?? 0) + 1);
  return { path: relative(root, path), rows, seen };
}
