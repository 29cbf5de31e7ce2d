/** Each reader has two opinions. Here the grammar is made to see another text than the scanner, so that only one of them is right. */
import { beforeAll, describe, expect, it } from "vitest";
import { readBash } from "../../../../src/core/safety/shells/bash.ts";
import { type GrammarParser, loadGrammar } from "../../../../src/core/safety/shells/grammar.ts";
import { readPowerShell } from "../../../../src/core/safety/shells/read-powershell.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { assets } from "../../../safety/judge.ts";

let bash: GrammarParser;
let powershell: GrammarParser;
beforeAll(async () => {
  [bash, powershell] = await Promise.all([loadGrammar(assets, "bash"), loadGrammar(assets, "powershell")]);
});

const seeing = (parser: GrammarParser, other: string): GrammarParser => ({
  parse: () => parser.parse(other),
});
const read = (parser: GrammarParser, text: string) =>
  readBash(parser, text, { shell: "bash", interactive: false }).fault;

describe("readBash", () => {
  it("takes what both read alike", () => {
    expect(read(bash, "ls -la | wc -l")).toBeUndefined();
  });

  it.each(["ls -l", "ls -la; wc -l", "ls  -la", "pwd"])(
    "asks where the grammar sees %j instead of the same words",
    (other) => {
      expect(read(seeing(bash, other), "ls -la")).toEqual(reasonOf("ambiguous"));
    },
  );

  it("asks where the grammar finds an error", () => {
    // The same words at the same places, with an error behind them.
    expect(read(seeing(bash, "ls -la )"), "ls -la")).toEqual(reasonOf("unparsed"));
  });

  it("asks for a kind of node that is not on the list, though the words agree", () => {
    // Standing where the scanner sees blanks: the command and its words are the same.
    expect(read(seeing(bash, "ls -la >x"), "ls -la   ")).toBeDefined();
    expect(read(seeing(bash, "ls -la 2>&1"), "ls -la     ")).toBeUndefined();
    expect(read(seeing(bash, "ls -la <<<x"), "ls -la     ")).toBeDefined();
    expect(read(seeing(bash, "if ls;then pwd;fi"), "   ls     pwd   ")).toBeDefined();
    expect(read(seeing(bash, "ls $((1))"), "ls      ")).toBeDefined();
    expect(read(seeing(bash, "f() { ls -la; }"), "      ls -la")).toEqual(
      reasonOf("unsupported-syntax", "function definition"),
    );
  });

  it("asks when the parser gives up, and still knows nothing of it as allowed", () => {
    expect(read({ parse: () => null }, "ls")).toEqual(reasonOf("too-long"));
  });
});

describe("readPowerShell", () => {
  it("asks where signs stand between the words that the grammar did not report", () => {
    expect(readPowerShell(powershell, "ls src").fault).toBeUndefined();
    for (const text of ["ls src & rm x", "ls src (rm x)", "ls src > x", "ls src; rm x", "ls srcx"]) {
      expect(readPowerShell(seeing(powershell, "ls src"), text).fault, text).toBeDefined();
    }
  });
});
