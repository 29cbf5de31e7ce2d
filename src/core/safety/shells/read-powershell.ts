/** Reads a command for PowerShell with its own grammar: pipelines of commands with plain words and plain strings. */
import type { Node } from "@vscode/tree-sitter-wasm";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { placed } from "./folders.ts";
import type { GrammarParser } from "./grammar.ts";
import { NotUnderstood, type Reading, type SimpleCommand, type Word } from "./shell-words.ts";

const PARSE_BUDGET = { steps: 2_000 };

/** PowerShell treats typographic quotes as quotes and typographic dashes as dashes, everywhere. */
const LOOKALIKES = /[\u2018-\u201f\u2013-\u2015]/;
const NAME = /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?:\.exe)?$/;
/** `.\\build.ps1`, `scripts/check`: a file of the project, which the list may name. */
const FILE_NAME = /^(?:\.[\\/])?(?:[A-Za-z0-9_][A-Za-z0-9_.-]*[\\/])*[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const FILE_COMMAND =
  /((?:^|[;|&\n])[ \t]*)((?:\.[\\/](?:[\w.-]+[\\/])*|(?:\w[\w.-]*[\\/])+)[\w.-]+)(?=[ \t\n;|]|$)/g;
const PLAIN = /^[A-Za-z0-9_./\\:*?=+~^%-]+$/;
/** `Name, Length`: values of one parameter. */
const LIST =
  /(?<=[ \t])[A-Za-z0-9_./\\*][A-Za-z0-9_./\\*-]*(?:, ?[A-Za-z0-9_./\\*][A-Za-z0-9_./\\*-]*)+(?=[ \t\n|;]|$)/g;
const DISCARDS = /^[1-6*]?>>?\$null$/;
const PARAMETER = /^--?[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Parses `text`. Never throws for any text. */
export function readPowerShell(parser: GrammarParser, text: string): Reading {
  const tree = parser.parse(masked(text), PARSE_BUDGET);
  if (!tree) return { commands: [], certain: false, fault: reasonOf("too-long") };
  try {
    const read = strictly(tree.rootNode, text);
    if ("commands" in read) {
      const writes = read.commands.some((command) => command.writes);
      const commands = placed(read.commands, true);
      return { commands, certain: true, ...(writes && { fault: reasonOf("redirection") }) };
    }
    const commands = tree.rootNode.descendantsOfType("command").map((node) => ({ words: roughWords(node) }));
    return { commands: placed(commands, true), certain: false, ...read };
  } finally {
    tree.delete();
  }
}

/**
 * The grammar does not support `--`, lists with a blank after the comma, or all file names. In these positions they are plain
 * words, so the grammar gets plain words of the same length, and the judged words are sliced from the original text.
 */
function masked(text: string): string {
  return text
    .replace(FILE_COMMAND, (_, before: string, name: string) => before + "x".repeat(name.length))
    .replace(/(?<=[ \t])--(?=[ \t\n]|$)/g, "__")
    .replace(LIST, (list) => list.replace(/[, ]/g, "_"));
}

function strictly(root: Node, text: string): { commands: SimpleCommand[] } | { fault: Reason } {
  if (root.hasError) return { fault: reasonOf("unparsed") };
  if (LOOKALIKES.test(text)) return { fault: reasonOf("powershell-word") };
  const commands: SimpleCommand[] = [];
  try {
    structure(root, text, commands);
    covered(text, commands);
  } catch (error) {
    if (error instanceof NotUnderstood) return { fault: error.reason };
    throw error;
  }
  return commands.length > 0 ? { commands } : { fault: reasonOf("empty") };
}

function structure(node: Node, text: string, commands: SimpleCommand[]): void {
  let first: SimpleCommand | undefined;
  let piped = false;
  for (const child of node.children) {
    if (!child) continue;
    switch (child.type) {
      case "statement_list":
      case "pipeline":
      case "pipeline_chain":
        structure(child, text, commands);
        break;
      case "command": {
        const command = readCommand(child, text);
        commands.push(piped && first ? { ...command, piped: first } : command);
        first ??= command;
        break;
      }
      case "|":
        piped = true;
        break;
      case "empty_statement":
      case "pipeline_chain_tail":
      case ";":
        break;
      default:
        throw new NotUnderstood(reasonOf("unsupported-syntax", child.type.replaceAll("_", " ")));
    }
  }
}

function readCommand(node: Node, source: string): SimpleCommand {
  const words: Word[] = [];
  const writes: Word[] = [];
  for (const child of node.children) {
    if (!child) continue;
    if (child.type === "command_name") {
      const name = source.slice(child.startIndex, child.endIndex);
      if (!NAME.test(name) && !(/[\\/]/.test(name) && FILE_NAME.test(name)))
        throw new NotUnderstood(reasonOf("computed-name"));
      words.push(literal(child, name));
    } else if (child.type === "command_elements") {
      for (const element of child.children) {
        if (element?.type === "redirection") readRedirection(element, writes, source);
        else if (element) readElement(element, words, source);
      }
    } else throw new NotUnderstood(reasonOf("unsupported-syntax", child.type.replaceAll("_", " ")));
  }
  return { words, ...(writes.length > 0 ? { writes } : {}) };
}

function readElement(node: Node, words: Word[], source: string): void {
  const { type } = node;
  const text = source.slice(node.startIndex, node.endIndex);
  if (type === "command_argument_sep") {
    if (/^[ \t]*$/.test(text)) return;
    throw new NotUnderstood(reasonOf("powershell-parameter"));
  }
  if (type === "command_parameter") {
    if (!PARAMETER.test(text)) throw new NotUnderstood(reasonOf("powershell-parameter"));
    words.push(literal(node, text));
    return;
  }
  if (type === "generic_token" && DISCARDS.test(text)) return;
  if (type === "generic_token" && /^[^,]+(?:, ?[^,]+)+$/.test(text)) {
    readList(node.startIndex, text, words);
    return;
  }
  if (type === "generic_token" || /^[+-]?[0-9]+$/.test(text)) {
    if (!PLAIN.test(text) || text.startsWith("--%")) throw new NotUnderstood(reasonOf("powershell-word"));
    words.push(plain(node.startIndex, text));
    return;
  }
  const string = /^'([^']*)'$/s.exec(text) ?? /^"([^"$`]*)"$/s.exec(text);
  if (type === "array_literal_expression" && string && string[1] !== undefined) {
    // Windows PowerShell passes embedded quotes to programs unescaped, so that one argument becomes several.
    if (/["\n]/.test(string[1]) || string[1].endsWith("\\"))
      throw new NotUnderstood(reasonOf("several-words"));
    words.push(literal(node, string[1]));
    return;
  }
  throw new NotUnderstood(reasonOf("unsupported-syntax", type.replaceAll("_", " ")));
}

function readList(start: number, text: string, words: Word[]): void {
  for (const found of text.matchAll(/[^, ]+/g)) {
    if (!PLAIN.test(found[0])) throw new NotUnderstood(reasonOf("powershell-word"));
    words.push(plain(start + found.index, found[0]));
  }
}

function plain(start: number, text: string): Word {
  const word = { text, start, end: start + text.length };
  if (!/[*?]/.test(text)) return { ...word, literal: true };
  return { ...word, literal: false, glob: text.replaceAll("\\", "/") };
}

function readRedirection(node: Node, writes: Word[], source: string): void {
  if (/^(?:[1-6*]>&1|[1-6*]?>>?\s*\$null)$/.test(node.text.trim())) return;
  const name = node.namedChildren.find((child) => child?.type === "redirected_file_name");
  for (const child of name?.children ?? []) if (child) readElement(child, writes, source);
  if (writes.length === 0) throw new NotUnderstood(reasonOf("redirection"));
}

/** Only blanks, separators and redirections may be between the words that were read. */
function covered(text: string, commands: SimpleCommand[]): void {
  let at = 0;
  let between = "";
  const words = commands.flatMap((command) => [...command.words, ...(command.writes ?? [])]);
  for (const word of words.sort((a, b) => a.start - b.start)) {
    between += `${text.slice(at, word.start)}\u0000`;
    at = word.end;
  }
  between += text.slice(at);
  const rest = between.replace(/[1-6*]>&1|[1-6*]?>>?[ \t]*(?:\$null(?![\w:.[(])|(?=\u0000))/g, "");
  if (!/^[ \t\n;|&,\u0000]*$/.test(rest) || /\u0000\u0000/.test(rest) || /(?<!&)&(?!&)/.test(rest))
    throw new NotUnderstood(reasonOf("unparsed"));
}

function literal(node: Node, text: string): Word {
  return { text, start: node.startIndex, end: node.endIndex, literal: true };
}

function roughWords(node: Node | null): Word[] {
  const texts = (node?.text ?? "")
    .replace(/[`"'&]/g, "")
    .trim()
    .split(/\s+/);
  return texts.map((text) => ({ text, start: 0, end: 0, literal: false }));
}
