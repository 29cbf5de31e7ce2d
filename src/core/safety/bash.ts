/** Reads a command for bash, sh, zsh and fish: the bash grammar and the strict scanner must agree on every word. */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { GrammarParser } from "./grammar.ts";
import { scanCommand, unquoted } from "./scan.ts";
import type { Reading, Shell, SimpleCommand } from "./words.ts";

const PARSE_BUDGET_MS = 250;

/** Named nodes of which an understood command may consist. */
const UNDERSTOOD = new Set(
  "program list pipeline command command_name word number string string_content raw_string ansi_c_string concatenation simple_expansion expansion variable_name special_variable_name redirected_statement file_redirect file_descriptor comment subshell compound_statement negated_command".split(
    " ",
  ),
);

export interface BashReading {
  reading: Reading;
  /** Words of each command seen anywhere in the text, substitutions and groups included: for the deny list. */
  seen: string[][];
}

/** Parses and scans `text`. Never throws for any text. */
export function readBash(
  parser: GrammarParser,
  text: string,
  options: { shell: Shell; interactive: boolean },
): BashReading {
  const scanned = scanCommand(text, options);
  const tree = parser.parse(text, PARSE_BUDGET_MS);
  if (!tree)
    return {
      reading: { ok: false, reason: "it takes too long to read" },
      seen: scanned.ok ? textOf(scanned.commands) : [],
    };
  try {
    const commands = tree.rootNode.descendantsOfType("command").filter((node) => node !== null);
    const seen = commands.map((node) => wordNodes(node).map((word) => unquoted(word.text)));
    return { reading: scanned.ok ? agreed(tree.rootNode, commands, scanned.commands) : scanned, seen };
  } finally {
    tree.delete();
  }
}

function agreed(root: Node, commands: Node[], scanned: SimpleCommand[]): Reading {
  if (root.hasError) return { ok: false, reason: "it does not parse" };
  const strange = findStrange(root);
  if (strange) return { ok: false, reason: `${strange.replaceAll("_", " ")} is not judged` };
  const byGrammar = commands.map((node) =>
    wordNodes(node)
      .map((word) => `${word.startIndex}-${word.endIndex}`)
      .join(),
  );
  const byScanner = scanned.map((command) =>
    [...new Set(command.words.map((word) => `${word.start}-${word.end}`))].join(),
  );
  if (byGrammar.length !== byScanner.length || byGrammar.some((ranges, i) => ranges !== byScanner[i])) {
    return { ok: false, reason: "it can be read in two ways" };
  }
  return { ok: true, commands: scanned };
}

function findStrange(root: Node): string | undefined {
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.isMissing) return "a missing part";
    if (node.isNamed && !UNDERSTOOD.has(node.type)) return node.type;
    for (const child of node.children) if (child) pending.push(child);
  }
  return undefined;
}

function wordNodes(command: Node): Node[] {
  const words: Node[] = [];
  for (const child of command.namedChildren) {
    if (child && child.type !== "file_redirect" && child.type !== "variable_assignment") words.push(child);
  }
  return words;
}

function textOf(commands: SimpleCommand[]): string[][] {
  return commands.map((command) => command.words.map((word) => word.text));
}
