/** Finds the definitions of one source text with tree-sitter. */
import type { Query, Tree } from "@vscode/tree-sitter-wasm";
import type { Assets } from "../../ports/system.ts";
import { loadGrammar } from "../../safety/shells/grammar.ts";
import { bareLines } from "../../text.ts";
import type { Language } from "./languages.ts";

/** One definition. Lines are 1-based, the end inclusive. */
export interface Definition {
  startLine: number;
  endLine: number;
  /** 0: top level; 1: a member of the preceding definition of depth 0, and so on. */
  depth: number;
  /** The line with the name, without the brace that opens the body. */
  text: string;
}

/** Milliseconds that parsing one file may take. */
const PARSE_BUDGET = 2_000;
/** Characters of a definition's line that are shown. */
const TEXT_LIMIT = 140;

/** Definitions in source order, without those inside functions. undefined: parsing took too long. */
export async function outlineOf(
  source: string,
  language: Language,
  assets: Assets,
): Promise<Definition[] | undefined> {
  const grammar = await loadGrammar(assets, language.grammar);
  const tree = grammar.parse(source, { ms: PARSE_BUDGET });
  if (!tree) return undefined;
  try {
    return definitionsIn(tree, await queryOf(tree, language), source);
  } finally {
    tree.delete();
  }
}

interface Found {
  start: number;
  end: number;
  startRow: number;
  endRow: number;
  nameRow: number;
  nameColumn: number;
  isScope: boolean;
}

function definitionsIn(tree: Tree, query: Query, source: string): Definition[] {
  const found = new Map<string, Found>();
  for (const { captures } of query.matches(tree.rootNode)) {
    const whole = captures.find(({ name }) => name === "scope" || name === "item");
    if (!whole) continue;
    const { node } = whole;
    const key = `${node.startIndex}:${node.endIndex}`;
    if (found.has(key)) continue;
    const name = (captures.find((capture) => capture.name === "name")?.node ?? node).startPosition;
    // A node that includes its final line break ends on the previous line.
    const endRow = node.endPosition.column === 0 ? node.endPosition.row - 1 : node.endPosition.row;
    found.set(key, {
      start: node.startIndex,
      end: node.endIndex,
      startRow: node.startPosition.row,
      endRow: Math.max(endRow, node.startPosition.row),
      nameRow: name.row,
      nameColumn: name.column,
      isScope: whole.name === "scope",
    });
  }
  const lines = bareLines(source);
  const open: Found[] = [];
  const definitions: Definition[] = [];
  for (const each of [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end)) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= each.start) open.pop();
    const parent = open.at(-1);
    // A definition on its parent's line is already visible there.
    if (parent && (!parent.isScope || parent.nameRow === each.nameRow)) continue;
    definitions.push({
      startLine: each.startRow + 1,
      endLine: each.endRow + 1,
      depth: open.length,
      text: titleOf(lines[each.nameRow] ?? "", each.nameColumn),
    });
    open.push(each);
  }
  return definitions;
}

function titleOf(line: string, nameColumn: number): string {
  // For a very long line, such as minified code, only the part around the name.
  const from = line.length > 2 * TEXT_LIMIT ? Math.max(0, nameColumn - 40) : 0;
  if (from > 0) return `...${line.slice(from, from + TEXT_LIMIT)}...`;
  const text = line.trim().replace(/\s*\{\s*$/, "");
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}...` : text;
}

const queries = new Map<string, Query>();

async function queryOf(tree: Tree, { grammar, query }: Language): Promise<Query> {
  let compiled = queries.get(grammar);
  if (!compiled) {
    const loaded: typeof import("@vscode/tree-sitter-wasm") & {
      default?: typeof import("@vscode/tree-sitter-wasm");
    } = await import("@vscode/tree-sitter-wasm");
    const runtime = loaded.default ?? loaded;
    compiled = new runtime.Query(tree.language, query);
    queries.set(grammar, compiled);
  }
  return compiled;
}
