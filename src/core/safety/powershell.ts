/** Reads a command for PowerShell by its own grammar: pipelines of commands with plain words and plain strings. */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { GrammarParser } from "./grammar.ts";
import type { Reading, SimpleCommand, Word } from "./words.ts";
import { NotUnderstood } from "./words.ts";

const PARSE_BUDGET_MS = 250;

/** PowerShell takes typographic quotes for quotes and typographic dashes for dashes, wherever they stand. */
const LOOKALIKES = /[\u2018-\u201f\u2013-\u2015]/;
const NAME = /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?:\.exe)?$/;
const PLAIN = /^[A-Za-z0-9_./\\:*?=+~^%-]+$/;
const PARAMETER = /^--?[A-Za-z0-9][A-Za-z0-9_-]*$/;

export interface PowerShellReading {
  reading: Reading;
  seen: string[][];
}

/** Parses `text`. Never throws for any text. */
export function readPowerShell(parser: GrammarParser, text: string): PowerShellReading {
  const tree = parser.parse(text, PARSE_BUDGET_MS);
  if (!tree) return { reading: { ok: false, reason: "it takes too long to read" }, seen: [] };
  try {
    const seen = tree.rootNode.descendantsOfType("command").map((node) => (node ? roughWords(node) : []));
    return { reading: read(tree.rootNode, text), seen };
  } finally {
    tree.delete();
  }
}

function read(root: Node, text: string): Reading {
  if (root.hasError) return { ok: false, reason: "it does not parse" };
  if (LOOKALIKES.test(text))
    return { ok: false, reason: "a character that PowerShell takes for a quote or a dash" };
  const commands: SimpleCommand[] = [];
  try {
    structure(root, text, commands);
    covered(text, commands);
  } catch (error) {
    if (error instanceof NotUnderstood) return { ok: false, reason: error.message };
    throw error;
  }
  return commands.length > 0 ? { ok: true, commands } : { ok: false, reason: "an empty command" };
}

function structure(node: Node, text: string, commands: SimpleCommand[]): void {
  for (const child of node.children) {
    if (!child) continue;
    switch (child.type) {
      case "statement_list":
      case "pipeline":
      case "pipeline_chain":
        structure(child, text, commands);
        break;
      case "command":
        commands.push(readCommand(child));
        break;
      case "empty_statement":
      case "pipeline_chain_tail":
      case "|":
      case ";":
        break;
      default:
        throw new NotUnderstood(`${child.type.replaceAll("_", " ")} is not judged`);
    }
  }
}

function readCommand(node: Node): SimpleCommand {
  const words: Word[] = [];
  for (const child of node.children) {
    if (!child) continue;
    if (child.type === "command_name") {
      if (!NAME.test(child.text)) throw new NotUnderstood("a command that is not a plain name");
      words.push(literal(child, child.text));
    } else if (child.type === "command_elements") {
      for (const element of child.children) if (element) readElement(element, words);
    } else throw new NotUnderstood(`${child.type.replaceAll("_", " ")} is not judged`);
  }
  return { words };
}

function readElement(node: Node, words: Word[]): void {
  const { type, text } = node;
  if (type === "command_argument_sep") {
    if (/^[ \t]*$/.test(text)) return;
    throw new NotUnderstood("a parameter joined with its value");
  }
  if (type === "redirection") {
    redirection(node);
    return;
  }
  if (type === "command_parameter") {
    if (!PARAMETER.test(text)) throw new NotUnderstood("a parameter that is not a plain word");
    words.push(literal(node, text));
    return;
  }
  if (type === "generic_token" || /^[+-]?[0-9]+$/.test(text)) {
    if (!PLAIN.test(text) || text.startsWith("--%"))
      throw new NotUnderstood("a word with characters that PowerShell treats in its own way");
    if (/^-?[0-9]+$/.test(text) || !/[*?]/.test(text)) words.push(literal(node, text));
    else words.push({ ...literal(node, text), literal: false, glob: text });
    return;
  }
  const string = /^'([^']*)'$/s.exec(text) ?? /^"([^"$`]*)"$/s.exec(text);
  if (type === "array_literal_expression" && string && string[1] !== undefined) {
    // Windows PowerShell hands embedded quotes to programs unescaped, so that one argument becomes several.
    if (/["\n]/.test(string[1]) || string[1].endsWith("\\"))
      throw new NotUnderstood("a string that programs may read as several words");
    words.push(literal(node, string[1]));
    return;
  }
  throw new NotUnderstood(`${type.replaceAll("_", " ")} is not judged`);
}

function redirection(node: Node): void {
  if (!/^(?:[1-6*]>&1|[1-6*]?>>?\s*\$null)$/.test(node.text.trim()))
    throw new NotUnderstood("a redirection to a file");
}

/** Between the words that were read, only blanks, separators and redirections may stand. */
function covered(text: string, commands: SimpleCommand[]): void {
  let at = 0;
  let between = "";
  for (const word of commands.flatMap((command) => command.words)) {
    between += `${text.slice(at, word.start)}\u0000`;
    at = word.end;
  }
  between += text.slice(at);
  const rest = between.replace(/[1-6*]>&1|[1-6*]?>>?[ \t]*\$null(?![\w:.[(])/g, "");
  if (!/^[ \t\n;|&\u0000]*$/.test(rest) || /\u0000\u0000/.test(rest) || /(?<!&)&(?!&)/.test(rest))
    throw new NotUnderstood("signs between the words");
}

function literal(node: Node, text: string): Word {
  return { text, start: node.startIndex, end: node.endIndex, literal: true };
}

function roughWords(node: Node): string[] {
  return node.text
    .replace(/[`"'&]/g, "")
    .trim()
    .split(/\s+/);
}
