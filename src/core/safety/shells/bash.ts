/** Reads a command for bash, sh, zsh and fish: the bash grammar and the strict scanner must agree on every word. */
import type { Node } from "@vscode/tree-sitter-wasm";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { placed } from "./folders.ts";
import type { GrammarParser } from "./grammar.ts";
import { scanCommand } from "./scan.ts";
import { readWord } from "./scan-word.ts";
import { NotUnderstood, type Reading, type SimpleCommand, type Word } from "./shell-words.ts";

const PARSE_BUDGET = { steps: 2_000 };

/** Named nodes that an understood command may contain. */
const UNDERSTOOD = new Set(
  "program list pipeline command command_name word number string string_content raw_string ansi_c_string concatenation simple_expansion expansion variable_name special_variable_name test_command unary_expression binary_expression test_operator extglob_pattern redirected_statement file_redirect file_descriptor comment".split(
    " ",
  ),
);

/** The scanner judges these too; neither relies on the other. */
const HARMLESS_REDIRECT = /^\d?(?:(?:&?>>?|<)\s*\/dev\/null|[<>]&(?:\d|-))$/;

/** After these, the grammar reads a group as the words of a command. */
const MISREAD = /(?:!|\bcoproc|\btime)\s+(?:case|if|while|until|for|select|[{(])/;
/** `~` and relative paths mean something else after these. */
const ASSIGNS_FOLDER = /\b(?:HOME|PWD|CDPATH)=/;
/** Commands in these run more than once, or elsewhere in the text. */
const UNORDERED = ["for_statement", "c_style_for_statement", "while_statement", "function_definition"];

interface BashOptions {
  shell: ShellKind;
  interactive: boolean;
}

/** Parses and scans `text`. Never throws for any text. */
export function readBash(parser: GrammarParser, text: string, options: BashOptions): Reading {
  const scanned = scanCommand(text, options);
  const whole = parsed(parser, text, 0, options);
  const commands = placed(whole.commands, whole.ordered);
  if (!scanned.ok) return { commands, certain: whole.certain, fault: scanned.reason };
  const fault = disagreement(parser, text, options, whole, scanned);
  return fault
    ? { commands, certain: commands.length === 0 && whole.certain, fault }
    : { commands: placed(scanned.commands, true), certain: true };
}

/** The grammar's result for one piece of the text. */
interface GrammarReading extends Pick<Reading, "certain"> {
  fault: Reason | undefined;
  /** Where the words of each command and test are. */
  ranges: string[];
  commands: SimpleCommand[];
  ordered: boolean;
}

function parsed(parser: GrammarParser, text: string, offset: number, options: BashOptions): GrammarReading {
  const tree = parser.parse(text, PARSE_BUDGET);
  if (!tree) return { fault: reasonOf("too-long"), ranges: [], commands: [], certain: false, ordered: false };
  try {
    const root = tree.rootNode;
    const strange = findStrange(root);
    const found: GrammarReading = {
      fault: root.hasError ? reasonOf("unparsed") : strange,
      ranges: [],
      commands: [],
      certain: !root.hasError && !MISREAD.test(text) && !ASSIGNS_FOLDER.test(text),
      ordered: root.descendantsOfType(UNORDERED).length === 0,
    };
    const kinds = ["command", "test_command", "file_redirect", "heredoc_redirect"];
    for (const node of root.descendantsOfType(kinds)) if (node) take(node, offset, found, options);
    return found;
  } finally {
    tree.delete();
  }
}

function take(node: Node, offset: number, found: GrammarReading, options: BashOptions): void {
  const { commands, ranges } = found;
  const read = (nodes: Node[]) => nodes.flatMap((each) => readWords(each, options));
  if (node.type === "command" || node.type === "test_command") {
    const words = node.type === "command" ? wordNodes(node) : [node];
    ranges.push(words.map((word) => `${word.startIndex + offset}-${word.endIndex + offset}`).join());
    if (node.type === "command") commands.push({ words: read(words) });
    // After a pipeline, the grammar may read a line end as a blank, so that the next line becomes words.
    if (words.some((word, i) => isNewLine(node, words[i - 1], word))) found.certain = false;
    return;
  }
  const isFile = node.type === "file_redirect";
  const targets = node
    .childrenForFieldName(isFile ? "destination" : "argument")
    .filter((each) => each !== null);
  const command = commands.at(-1) ?? { words: [] };
  if (commands.length === 0) commands.push(command);
  const [file] = isFile ? targets : [];
  const words = isFile ? targets.slice(1) : targets;
  // The grammar gives the words after a redirection to it.
  command.words.push(...read(words));
  if (!file) return;
  const sign = node.text.slice(0, file.startIndex - node.startIndex);
  const isCopy = /&\s*$/.test(sign) && /^(?:\d+|-)$/.test(file.text);
  if (sign.includes(">") && !isCopy) command.writes = [...(command.writes ?? []), ...read([file])];
}

function isNewLine(command: Node, before: Node | undefined, after: Node): boolean {
  if (!before) return false;
  const [from, to] = [before.endIndex - command.startIndex, after.startIndex - command.startIndex];
  return /(?<!\\)\n/.test(command.text.slice(from, to));
}

/** Reads a word as the shell does, or at least as bash does; otherwise as written, with an unknown value. */
function readWords(node: Node, options: BashOptions): Word[] {
  const { text, startIndex: start, endIndex: end } = node;
  for (const shell of new Set<ShellKind>([options.shell, "bash"])) {
    try {
      const read = readWord(text, 0, { ...options, shell });
      const isKnown = shell === options.shell;
      if (read.end === text.length)
        return read.words.map((word) => ({ ...word, start, end, ...(isKnown ? {} : { unknown: "any" }) }));
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
    }
  }
  return [{ text, start, end, literal: false, unknown: "any" }];
}

/** Returns why the scanner's commands do not count: the grammar reads others, or more than is understood. */
function disagreement(
  parser: GrammarParser,
  text: string,
  options: BashOptions,
  whole: GrammarReading,
  { commands, cuts }: { commands: SimpleCommand[]; cuts: number[] },
): Reason | undefined {
  if (!commands.some(({ words }) => words.length > 0)) return reasonOf("empty");
  const reason = difference([whole], commands);
  if (reason === undefined || cuts.length === 0) return reason;
  // Parsed line by line, a line end is never read as a blank.
  const starts = [0, ...cuts];
  const lines = starts.map((start, i) => parsed(parser, text.slice(start, starts[i + 1]), start, options));
  return difference(lines, commands);
}

function difference(pieces: GrammarReading[], scanned: SimpleCommand[]): Reason | undefined {
  const fault = pieces.find((piece) => piece.fault !== undefined)?.fault;
  if (fault !== undefined) return fault;
  const byGrammar = pieces.flatMap((piece) => piece.ranges);
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

const NO_WORD = /^(?:\w+_redirect|variable_assignment)$/;

function wordNodes(command: Node): Node[] {
  const words: Node[] = [];
  for (const child of command.namedChildren) {
    if (child && !NO_WORD.test(child.type)) words.push(child);
  }
  return words;
}
