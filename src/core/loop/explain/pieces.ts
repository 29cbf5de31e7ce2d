/**
 * Splits a command line that the judge does not understand as a whole into simple commands, to identify the one at
 * fault. The result is used only for explanations, never for a verdict.
 */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { grammarOf, loadGrammar } from "../../safety/shells/grammar.ts";
import { LONGEST_COMMAND } from "../../safety/shells/hidden-characters.ts";

const PARSE_BUDGET = { steps: 2_000 };
/** Nodes that contain adjacent commands, in the grammars of bash and PowerShell. */
const HOLDS = new Set([
  "program",
  "list",
  "pipeline",
  "negated_command",
  "subshell",
  "compound_statement",
  "statement_list",
  "pipeline_chain",
]);
/** A redirection after these belongs to their last command, although the grammar attaches it to all of them. */
const REDIRECTS_LAST = new Set(["list", "pipeline", "negated_command"]);
const MOST_PIECES = 50;

/**
 * Returns the pieces in order, verbatim; a single piece, the trimmed text, if it does not parse or the shell has no
 * grammar.
 */
export async function commandPieces(assets: Assets, text: string, shell: ShellKind): Promise<string[]> {
  const whole = [text.trim()];
  const grammar = grammarOf(shell);
  if (grammar === undefined || text.length > LONGEST_COMMAND) return whole;
  const parser = await loadGrammar(assets, grammar);
  const tree = parser.parse(text, PARSE_BUDGET);
  if (!tree) return whole;
  try {
    if (tree.rootNode.hasError) return whole;
    const pieces = apart(tree.rootNode).map(({ start, end }) => text.slice(start, end).trim());
    return pieces.length === 0 || pieces.length > MOST_PIECES ? whole : pieces;
  } finally {
    tree.delete();
  }
}

interface Range {
  start: number;
  end: number;
}

function apart(node: Node): Range[] {
  if (node.type === "comment") return [];
  if (HOLDS.has(node.type)) return node.namedChildren.flatMap((child) => (child ? apart(child) : []));
  const [body] = node.namedChildren;
  const own = { start: node.startIndex, end: node.endIndex };
  if (node.type !== "redirected_statement" || !body || !REDIRECTS_LAST.has(body.type)) return [own];
  const pieces = apart(body);
  const last = pieces.pop() ?? own;
  return [...pieces, { start: last.start, end: node.endIndex }];
}
