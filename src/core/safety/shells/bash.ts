/** Reads a command for bash, sh, zsh and fish: the bash grammar and the strict scanner must agree on every word. */
import type { Node } from "@vscode/tree-sitter-wasm";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { GrammarParser } from "./grammar.ts";
import { scanCommand, unquoted } from "./scan.ts";
import type { Reading, SimpleCommand } from "./shell-words.ts";

const PARSE_BUDGET = { steps: 2_000 };

/** Named nodes that an understood command may contain. */
const UNDERSTOOD = new Set(
  "program list pipeline command command_name word number string string_content raw_string ansi_c_string concatenation simple_expansion expansion variable_name special_variable_name test_command unary_expression binary_expression test_operator extglob_pattern redirected_statement file_redirect file_descriptor comment subshell compound_statement negated_command".split(
    " ",
  ),
);

/** The scanner judges these too; neither relies on the other. */
const HARMLESS_REDIRECT = /^\d?(?:(?:&?>>?|<)\s*\/dev\/null|[<>]&(?:\d|-))$/;

export interface BashReading {
  reading: Reading;
  /** Words of every command found anywhere in the text, including substitutions and groups, for the deny list. */
  seen: string[][];
}

/** Parses and scans `text`. Never throws for any text. */
export function readBash(
  parser: GrammarParser,
  text: string,
  options: { shell: ShellKind; interactive: boolean },
): BashReading {
  const scanned = scanCommand(text, options);
  const whole = parsed(parser, text, 0);
  if (!scanned.ok) return { reading: scanned, seen: whole.seen };
  if (!scanned.commands.some((command) => command.words.length > 0))
    return { reading: { ok: false, reason: reasonOf("empty") }, seen: whole.seen };
  let reason = disagreement([whole], scanned.commands);
  if (reason !== undefined && scanned.cuts.length > 0) {
    // The grammar may read a line end after a pipeline as a blank; parsed line by line, it does not.
    const starts = [0, ...scanned.cuts];
    reason = disagreement(
      starts.map((start, i) => parsed(parser, text.slice(start, starts[i + 1]), start)),
      scanned.commands,
    );
  }
  return { reading: reason === undefined ? scanned : { ok: false, reason }, seen: whole.seen };
}

/** The grammar's result for one piece of the text: its error, if any, and the words of its commands by position. */
interface GrammarReading {
  fault: Reason | undefined;
  commands: string[];
  seen: string[][];
}

function parsed(parser: GrammarParser, text: string, offset: number): GrammarReading {
  const tree = parser.parse(text, PARSE_BUDGET);
  if (!tree) return { fault: reasonOf("too-long"), commands: [], seen: [] };
  try {
    const nodes = tree.rootNode
      .descendantsOfType(["command", "test_command"])
      .filter((node) => node !== null);
    const strange = findStrange(tree.rootNode);
    return {
      fault: tree.rootNode.hasError ? reasonOf("unparsed") : strange,
      commands: nodes.map((node) =>
        (node.type === "test_command" ? [node] : wordNodes(node))
          .map((word) => `${word.startIndex + offset}-${word.endIndex + offset}`)
          .join(),
      ),
      seen: nodes
        .filter((node) => node.type === "command")
        .map((node) => wordNodes(node).map((word) => unquoted(word.text))),
    };
  } finally {
    tree.delete();
  }
}

function disagreement(pieces: GrammarReading[], scanned: SimpleCommand[]): Reason | undefined {
  const fault = pieces.find((piece) => piece.fault !== undefined)?.fault;
  if (fault !== undefined) return fault;
  const byGrammar = pieces.flatMap((piece) => piece.commands);
  // The grammar gives structure to the text between `[` and `]`: only its end position is compared.
  const byScanner = scanned.map(({ words }) =>
    words[0]?.text === "["
      ? `${words[0].start}-${words[words.length - 1]?.end}`
      : [...new Set(words.map((word) => `${word.start}-${word.end}`))].join(),
  );
  const same =
    byGrammar.length === byScanner.length && byGrammar.every((ranges, i) => ranges === byScanner[i]);
  return same ? undefined : reasonOf("ambiguous");
}

function findStrange(root: Node): Reason | undefined {
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.isMissing) return reasonOf("unparsed");
    if (node.isNamed && !UNDERSTOOD.has(node.type))
      return reasonOf("unsupported-syntax", node.type.replaceAll("_", " "));
    if (node.type === "file_redirect" && !HARMLESS_REDIRECT.test(node.text)) return reasonOf("redirection");
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
