/**
 * What it costs a model to learn where a symbol is used, in tokens of the tools' results: by a search of the text and the reading that tells
 * uses from other things of the same name, and by the language server. The project is `src` of this repository, and the server that of
 * TypeScript.
 */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { bundles } from "../../esbuild.mjs";
import { estimateTokens } from "../../src/core/context/tokens.ts";
import { TaskBrowser } from "../../src/core/tools/browser/task-browser.ts";
import { ToolRegistry } from "../../src/core/tools/registry.ts";
import type { ToolContext } from "../../src/core/tools/tool.ts";
import { addLanguageServers } from "../../src/node/config/language-server-setup.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { createNodeHost } from "../support/node-host.ts";
import { taskPages } from "../support/task-pages.ts";
import type { SymbolCost } from "./report.ts";

/** Lines before and after a hit that tell whether it means the symbol. */
const AROUND = 10;

interface SymbolTask {
  /** What the user asks. */
  name: string;
  path: string;
  /** The symbol, and more of its line where the name alone is not unique. */
  symbol: string;
  /** What a model searches for. */
  regex: string;
  /** Nothing else has the name, so each hit is a use, and nothing has to be read. */
  isUnique?: boolean;
}

const TASKS: readonly SymbolTask[] = [
  {
    name: "change the parameters of `Preview.save`",
    path: "src/core/ports/editor.ts",
    symbol: "save(chosen",
    regex: "\\bsave\\(",
  },
  {
    name: "change what `Search.files` returns",
    path: "src/core/ports/search.ts",
    symbol: "files(",
    regex: "\\bfiles\\(",
  },
  {
    name: "add a parameter to `Kernels.run`",
    path: "src/core/ports/notebooks.ts",
    symbol: "run(path",
    regex: "\\brun\\(",
  },
  {
    name: "rename `displayPath`, a name that nothing else has",
    path: "src/core/tools/tool-paths.ts",
    symbol: "displayPath(workspace:",
    regex: "\\bdisplayPath\\b",
    isUnique: true,
  },
];

const signal = new AbortController().signal;

export async function symbolCosts(): Promise<SymbolCost[]> {
  const repository = process.cwd();
  const packages = path.join(repository, "node_modules");
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  const root = path.join(folder, "project");
  try {
    // One project for the language server, which looks for uses in the project of the file: the repository has several.
    await mkdir(root);
    await cp(path.join(repository, "src"), path.join(root, "src"), {
      recursive: true,
      filter: (file) => path.basename(file) !== "tsconfig.json",
    });
    for (const name of ["tsconfig.json", "tsconfig.base.json"])
      await cp(path.join(repository, name), path.join(root, name));
    await symlink(packages, path.join(root, "node_modules"));
    const programDir = path.join(folder, "program");
    await mkdir(programDir);
    const guard = bundles({ minify: true }).find(({ name }) => name === "guard");
    const place = { absWorkingDir: repository, entryPoints: ["src/node/servers/guard-main.ts"] };
    await build({ ...guard?.options, ...place, outfile: path.join(programDir, "guard.js") });
    const configDir = path.join(folder, "config");
    await mkdir(configDir);
    const typescript = {
      command: process.execPath,
      args: [path.join(packages, "typescript/bin/tsc"), "--lsp", "--stdio"],
      extensionToLanguage: { ".ts": "typescript" },
    };
    await writeFile(path.join(configDir, "lsp.json"), JSON.stringify({ typescript }));
    const dataDir = path.join(folder, "data");
    const log = {
      info: () => undefined,
      error: (text: string, cause: unknown) => console.error(text, cause),
    };
    const { host } = createNodeHost({ root, dataDir, assetsDir: packages, log });
    const servers = await addLanguageServers(host, {
      ...{ configDir, dataDir, environment: process.env, programDir, version: "0.0.0", startMs: 120_000 },
    });
    try {
      const costs: SymbolCost[] = [];
      for (const task of TASKS) costs.push(await costOf(toolsOf(host), task));
      return costs;
    } finally {
      await servers?.close();
      host.shell.dispose();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Call = (name: string, params: Record<string, unknown>) => Promise<string>;

/** The tools as a task has them; a result is what the model receives. */
function toolsOf(host: ToolContext["host"]): Call {
  const settings = settingsSchema.parse({});
  const context: ToolContext = {
    host,
    settings: () => settings,
    mode: () => "act",
    seen: new Map(),
    pages: taskPages(host, { settings }),
    seesImages: () => false,
    browser: new TaskBrowser({}),
    editAllowed: async () => false,
    unreadable: async () => undefined,
    sessionId: () => "bench",
    signal,
  };
  const registry = new ToolRegistry();
  return async (name, params) => {
    const invocation = await registry.find(name)?.prepare(params, context);
    const output = await invocation?.run({
      signal,
      onOutput: () => undefined,
      ask: async () => ({ action: "cancel" }),
      callId: "call",
      isRestored: false,
      propose: async () => ({ type: "rejected", comment: undefined }),
    });
    return (output?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");
  };
}

async function costOf(
  call: Call,
  { name, path: file, symbol, regex, isUnique = false }: SymbolTask,
): Promise<SymbolCost> {
  const found = await call("search_files", { path: "src", regex, file_pattern: "*.ts" });
  const hits = hitsIn(found);
  let read = 0;
  let reads = 0;
  for (const [hit, lines] of isUnique ? [] : hits) {
    for (const { start, end } of windowsAround(lines)) {
      const params = { path: `src/${hit}`, start_line: start, end_line: end };
      read += estimateTokens(await call("read_file", params));
      reads++;
    }
  }
  const references = await call("code_symbols", { operation: "references", path: file, symbol });
  return {
    name,
    hits: [...hits.values()].reduce((sum, lines) => sum + lines.length, 0),
    uses: Number(/^\d+/.exec(references)?.[0] ?? 0),
    search: estimateTokens(found),
    read,
    reads,
    symbols: estimateTokens(references),
  };
}

/** The lines that match, by file. */
function hitsIn(result: string): Map<string, number[]> {
  const hits = new Map<string, number[]>();
  let file = "";
  for (const line of result.split("\n")) {
    const number = /^> (\d+) \| /.exec(line)?.[1];
    if (number !== undefined) hits.set(file, [...(hits.get(file) ?? []), Number(number)]);
    else if (/^\S+\.ts$/.test(line)) file = line;
  }
  return hits;
}

/** Ranges of lines around the hits of a file, joined where they touch. */
function windowsAround(lines: readonly number[]): { start: number; end: number }[] {
  const windows: { start: number; end: number }[] = [];
  for (const line of lines) {
    const last = windows.at(-1);
    if (last && line - AROUND <= last.end + 1) last.end = line + AROUND;
    else windows.push({ start: Math.max(1, line - AROUND), end: line + AROUND });
  }
  return windows;
}

export function symbolCostsText(costs: readonly SymbolCost[]): string {
  const lines = costs.map(
    ({ name, hits, uses, search, read, reads, symbols }) =>
      `  ${name}: search ${search} tokens (${hits} hits), with ${reads} reads ${search + read}; references ${symbols} (${uses} lines); ${(search / symbols).toFixed(1)} and ${((search + read) / symbols).toFixed(1)} times`,
  );
  return ["tokens to learn where a symbol is used", ...lines].join("\n");
}
