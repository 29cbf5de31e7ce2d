/**
 * The tree-sitter runtime and its languages, loaded once from bytes that the host hands in.
 * Nothing here reads a file or the network: both the runtime's and the languages' wasm come through `Assets`.
 */
import type { Parser, Tree } from "@vscode/tree-sitter-wasm";
import type { Assets } from "../../ports/system.ts";

/**
 * How long one text may take: milliseconds, or steps of the parser (some hundred for the longest command), which are
 * the same on a busy machine as on an idle one.
 */
export type ParseBudget = { ms: number } | { steps: number };

/** Parses one text at a time; null when the text took more than the budget. The caller deletes the tree. */
export interface GrammarParser {
  parse(text: string, budget?: ParseBudget): Tree | null;
}

type Runtime = typeof import("@vscode/tree-sitter-wasm");

/** The runtime keeps its instance in a module variable: a second `init` would break every parser made before. */
let started: Promise<Runtime> | undefined;

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

function runtimeOnce(assets: Assets): Promise<Runtime> {
  if (!started) {
    started = startRuntime(assets);
    // A failed load (a missing asset) may be tried again.
    started.catch(() => {
      started = undefined;
    });
  }
  return started;
}

const parsers = new Map<string, Promise<GrammarParser>>();

/**
 * The parser for one language ("bash", "powershell", "typescript", ...), loaded at most once and shared: parsing is
 * synchronous. Rejects when the assets lack the language; asking again tries again.
 */
export function loadGrammar(assets: Assets, name: string): Promise<GrammarParser> {
  let parser = parsers.get(name);
  if (!parser) {
    parser = createParser(assets, name);
    parsers.set(name, parser);
    parser.catch(() => parsers.delete(name));
  }
  return parser;
}

async function createParser(assets: Assets, name: string): Promise<GrammarParser> {
  const runtime = await runtimeOnce(assets);
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

/** Whether the budget is used up; asked at every step. */
function spender(budget: ParseBudget): () => boolean {
  if ("steps" in budget) {
    let left = budget.steps;
    return () => --left < 0;
  }
  const until = Date.now() + budget.ms;
  return () => Date.now() > until;
}
