/**
 * The tree-sitter runtime and its languages, loaded once. Nothing here reads a file or the network: the wasm of the
 * runtime and of the languages comes from `Assets`.
 */

import type { Parser, Tree } from "@vscode/tree-sitter-wasm";
import { cachedValue } from "../../cached-value.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";

/**
 * Limits the parsing of one text: milliseconds, or parser steps (a few hundred for the longest command), which do not
 * depend on the load of the machine.
 */
type ParseBudget = { ms: number } | { steps: number };

/** Parses one text at a time; null if the text exceeded the budget. The caller deletes the tree. */
export interface GrammarParser {
  parse(text: string, budget?: ParseBudget): Tree | null;
}

type Runtime = typeof import("@vscode/tree-sitter-wasm");

async function startRuntime(assets: Assets): Promise<Runtime> {
  const loaded: Runtime & { default?: Runtime } = await import("@vscode/tree-sitter-wasm");
  const runtime = loaded.default ?? loaded;
  const options: { locateFile(file: string): string; wasmBinary: Uint8Array } = {
    locateFile: (file) => file,
    wasmBinary: await assets.read("tree-sitter.wasm"),
  };
  await runtime.Parser.init(options);
  return runtime;
}

/** The runtime stores its instance in a module variable: a second `init` would break all existing parsers. */
const runtimes = new Map<"runtime", Promise<Runtime>>();
const parsers = new Map<string, Promise<GrammarParser>>();

/** A failed load (a missing asset) may be tried again. */
function loadedOnce<Key, T>(cache: Map<Key, Promise<T>>, key: Key, load: () => Promise<T>): Promise<T> {
  const loaded = cachedValue(cache, key, load);
  loaded.catch(() => cache.delete(key));
  return loaded;
}

/**
 * Returns the parser for one language ("bash", "powershell", "typescript", ...), loaded at most once and shared,
 * because parsing is synchronous. Rejects if the assets lack the language; the next call tries again.
 */
export function loadGrammar(assets: Assets, name: string): Promise<GrammarParser> {
  return loadedOnce(parsers, name, () => createParser(assets, name));
}

/** Names of the grammars that commands are read with; undefined: there is none. */
const GRAMMARS: Readonly<Record<ShellKind, "bash" | "powershell" | undefined>> = {
  ...{ bash: "bash", zsh: "bash", sh: "bash", fish: "bash" },
  powershell: "powershell",
  cmd: undefined,
};

export function grammarOf(shell: ShellKind): "bash" | "powershell" | undefined {
  return GRAMMARS[shell];
}

async function createParser(assets: Assets, name: string): Promise<GrammarParser> {
  const runtime = await loadedOnce(runtimes, "runtime", () => startRuntime(assets));
  const language = await runtime.Language.load(await assets.read(`tree-sitter-${name}.wasm`));
  const parser: Parser = new runtime.Parser().setLanguage(language);
  return {
    parse(text, budget) {
      if (budget === undefined) return parser.parse(text);
      const tree = parser.parse(text, null, { progressCallback: spender(budget) });
      if (!tree) parser.reset();
      return tree;
    },
  };
}

/** Returns a function that is called at every step and reports whether the budget is exhausted. */
function spender(budget: ParseBudget): () => boolean {
  if ("steps" in budget) {
    let left = budget.steps;
    return () => --left < 0;
  }
  const until = Date.now() + budget.ms;
  return () => Date.now() > until;
}
