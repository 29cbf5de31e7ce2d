/** Determines what a command line of a POSIX-like shell destroys, including loops, groups, functions and `cd`. */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { GrammarParser } from "../shells/grammar.ts";
import { looksDestroying, programDestroys, programName } from "./program-destruction.ts";
import { only } from "./split-arguments.ts";
import { hitsIn, movedTo, type PossibleFolder, type TargetList } from "./target-list.ts";
import { readValues, type Values } from "./value.ts";

const PARSE_BUDGET = { steps: 2_000 };
const DEEPEST = 8;
/** The grammar reads what follows such a word as arguments. */
const MISREAD = /(?:!|\bcoproc|\btime)\s+(?:case|if|while|until|for|select|[{(])/;

interface Scope {
  /** undefined: the folder is unknown. */
  places: readonly PossibleFolder[] | undefined;
  variables: Map<string, Values>;
  /** The text of each body, because a node is freed with the text that it was parsed from. */
  functions: Map<string, string>;
  /** The standard input of the current command (see programDestroys). */
  input?: string | null;
}

export function posixDestroys(parser: GrammarParser, text: string, list: TargetList): void {
  const { cwd, home } = list.around;
  const variables = new Map<string, Values>([
    ["HOME", [{ text: home }]],
    ["PWD", [{ text: cwd }]],
  ]);
  new PosixReader(parser, list).read(text, { places: [{ path: cwd }], variables, functions: new Map() }, 0);
}

class PosixReader {
  readonly #parser: GrammarParser;
  readonly #list: TargetList;
  #depth = 0;

  constructor(parser: GrammarParser, list: TargetList) {
    this.#parser = parser;
    this.#list = list;
  }

  read(text: string, scope: Scope, depth: number): void {
    if (depth > DEEPEST) {
      this.#list.everything();
      return;
    }
    const before = this.#depth;
    this.#depth = depth;
    const tree = this.#parser.parse(text, PARSE_BUDGET);
    try {
      // Text that the grammar does not understand may do anything that its words mention.
      const isUnclear = !tree || tree.rootNode.hasError || MISREAD.test(text);
      if (isUnclear && looksDestroying(text)) this.#list.everything();
      if (tree) this.#visit(tree.rootNode, scope);
    } finally {
      tree?.delete();
      this.#depth = before;
    }
  }

  #visit(node: Node, scope: Scope): void {
    switch (node.type) {
      case "command":
        this.#command(node, scope);
        return;
      case "redirected_statement":
        this.#redirected(node, scope);
        return;
      case "file_redirect":
        this.#redirect(node, scope);
        return;
      case "pipeline": {
        let input = scope.input;
        for (const child of node.namedChildren) {
          if (!child) continue;
          this.#visit(child, { ...copied(scope), ...(input === undefined ? {} : { input }) });
          input = null;
        }
        return;
      }
      case "subshell":
      case "command_substitution":
      case "process_substitution":
        this.#children(node, copied(scope));
        return;
      case "function_definition": {
        const body = node.childForFieldName("body");
        const name = node.childForFieldName("name");
        if (body && name) scope.functions.set(name.text, body.text);
        return;
      }
      case "for_statement":
        this.#loop(node, scope);
        return;
      case "variable_assignment":
        this.#assign(node, scope);
        return;
      case "if_statement":
      case "case_statement":
        this.#branches(node, scope);
        return;
      case "word":
      case "raw_string":
      case "ansi_c_string":
      case "heredoc_body":
        return;
      default:
        this.#children(node, scope);
    }
  }

  #children(node: Node, scope: Scope): void {
    for (const child of node.namedChildren) if (child) this.#visit(child, scope);
  }

  /** A `cd` in one branch does not affect the others; afterwards the folder may be that of any branch. */
  #branches(node: Node, scope: Scope): void {
    const before = scope.places;
    const all: (readonly PossibleFolder[] | undefined)[] = [before];
    for (const child of node.namedChildren) {
      if (!child) continue;
      if (/^(?:elif_clause|else_clause|case_item)$/.test(child.type)) {
        all.push(scope.places);
        scope.places = before;
      }
      this.#visit(child, scope);
    }
    all.push(scope.places);
    const known = all.every((places) => places !== undefined);
    scope.places = known ? distinct(all.flatMap((places) => places ?? [])) : undefined;
  }

  #loop(node: Node, scope: Scope): void {
    const name = node.childForFieldName("variable")?.text ?? "";
    const values: Values[] = [];
    for (const child of node.childrenForFieldName("value")) {
      if (child) values.push(readValues(child.text, scope.variables));
    }
    // Without a list, it iterates over the arguments, which are unknown.
    const known = values.length > 0 && values.every((each) => each !== undefined);
    scope.variables.set(name, known ? values.flatMap((each) => each ?? []) : undefined);
    this.#children(node, scope);
  }

  #assign(node: Node, scope: Scope): void {
    const name = node.childForFieldName("name")?.text ?? "";
    const value = node.childForFieldName("value");
    const isPlain =
      /^[A-Za-z_]\w*$/.test(name) && node.text.startsWith(`${name}=`) && value?.type !== "array";
    const read = isPlain ? (value ? readValues(value.text, scope.variables) : [{ text: "" }]) : undefined;
    const before = scope.variables.get(name);
    // The assignment may not be reached, or not yet: the previous value also counts.
    const both = scope.variables.has(name) ? (before && read ? [...before, ...read] : undefined) : read;
    scope.variables.set(name, both);
    if (value) this.#substitutions(value, scope);
  }

  #redirected(node: Node, scope: Scope): void {
    const inner = { ...scope };
    for (const child of node.namedChildren) {
      if (!child || child === node.childForFieldName("body")) continue;
      if (child.type === "heredoc_redirect") {
        inner.input = child.namedChildren.find((each) => each?.type === "heredoc_body")?.text ?? null;
      } else if (/^</.test(child.text.replace(/^\d+/, ""))) inner.input = null;
      this.#visit(child, scope);
    }
    const body = node.childForFieldName("body");
    if (!body) return;
    this.#visit(body, inner);
    scope.places = inner.places;
  }

  #redirect(node: Node, scope: Scope): void {
    const destination = node.childForFieldName("destination") ?? node.namedChildren.at(-1);
    const operator = /^\d*(&>>|&>|>>|>\||>&|<>|>)/.exec(node.text)?.[1];
    if (!destination) return;
    this.#substitutions(destination, scope);
    if (operator === undefined || (operator === ">&" && /^(?:\d+|-)$/.test(destination.text))) return;
    const values = readValues(destination.text, scope.variables);
    if (values?.every(({ text }) => text.startsWith("/dev/"))) return;
    this.#hits(scope).paths([values]);
  }

  #command(node: Node, scope: Scope): void {
    const words: Values[] = [];
    let { input } = scope;
    const lineEnd = lineEndIn(node);
    for (const child of node.namedChildren) {
      if (!child || child.startIndex >= lineEnd) continue;
      if (child.type === "herestring_redirect") {
        const text = child.namedChildren.at(-1)?.text ?? "";
        input = only(readValues(text, scope.variables)) ?? null;
      } else if (child.type === "variable_assignment" || child.type === "file_redirect")
        this.#visit(child, scope);
      else {
        words.push(readValues(child.text, scope.variables));
        this.#substitutions(child, scope);
      }
    }
    this.#run(words, scope, input);
    const rest = node.text.slice(lineEnd - node.startIndex);
    if (rest !== "") this.read(rest, scope, this.#depth + 1);
  }

  #run(words: readonly Values[], scope: Scope, input: string | null | undefined): void {
    const name = programName(words[0]);
    const body = scope.functions.get(name);
    if (body !== undefined) {
      this.#call(name, body, scope);
      return;
    }
    if (/^(?:cd|pushd|chdir)$/.test(name)) {
      const to = words.slice(1).filter((word) => !/^-[PLe@]*$/.test(only(word) ?? ""))[0];
      const isBack = words.slice(1).some((word) => only(word) === "-");
      const home: Values = [{ text: this.#list.around.home }];
      const goesHome = words.length === 1 && name !== "pushd";
      scope.places = isBack ? undefined : movedTo(scope.places, goesHome ? home : to, this.#list.around.home);
      scope.variables.delete("PWD");
      return;
    }
    if (name === "popd") scope.places = undefined;
    if (/^(?:read|mapfile|readarray|getopts|printf|unset|select)$/.test(name)) {
      for (const word of words.slice(1)) scope.variables.set(only(word) ?? "", undefined);
      return;
    }
    programDestroys(words, this.#hits(scope), input);
  }

  /** The body runs where it is called; its arguments are unknown. */
  #call(name: string, body: string, scope: Scope): void {
    const functions = new Map(scope.functions);
    // A recursive call adds nothing.
    functions.delete(name);
    const inner = { ...scope, functions };
    this.read(body, inner, this.#depth + 1);
    scope.places = inner.places;
  }

  #substitutions(node: Node, scope: Scope): void {
    for (const found of node.descendantsOfType(["command_substitution", "process_substitution"])) {
      if (found) this.#visit(found, scope);
    }
  }

  #hits(scope: Scope) {
    return hitsIn(this.#list, scope.places, (word, places) => {
      if (word === undefined) return this.#list.everything();
      for (const { text } of word) this.read(text, { ...copied(scope), places }, this.#depth + 1);
    });
  }
}

/** Functions are shared: an additional candidate does no harm. */
function copied(scope: Scope): Scope {
  return { ...scope, variables: new Map(scope.variables) };
}

function distinct(places: readonly PossibleFolder[]): PossibleFolder[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/**
 * Where the command's line ends; past its end if it is one line. After a pipeline, the grammar reads a line end as a blank, so
 * that the next line becomes arguments.
 */
function lineEndIn(node: Node): number {
  let end: number | undefined;
  for (const child of node.children) {
    if (!child) continue;
    const gap =
      end === undefined ? "" : node.text.slice(end - node.startIndex, child.startIndex - node.startIndex);
    if (/(?<!\\)\n/.test(gap)) return child.startIndex;
    end = child.endIndex;
  }
  return node.endIndex;
}
