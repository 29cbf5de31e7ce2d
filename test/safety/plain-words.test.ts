/** Commands of plain words are read without the grammar. What is read must be what the grammar and the scanner agree on. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { readBash } from "../../src/core/safety/shells/bash.ts";
import { type GrammarParser, loadGrammar } from "../../src/core/safety/shells/grammar.ts";
import { mayBePlain, plainReader } from "../../src/core/safety/shells/plain-words.ts";
import { loadReader } from "../../src/core/safety/shells/read.ts";
import { Random } from "../support/random.ts";
import { assets } from "./judge.ts";

const SHELLS: readonly ShellKind[] = ["bash", "sh", "zsh", "fish"];

let bash: GrammarParser;
beforeAll(async () => {
  bash = await loadGrammar(assets, "bash");
});

/** Every word that begins syntax, or changes the shell, in one of the shells; and programs. */
const FIRST =
  "if then elif else fi for select while until do done case esac function coproc time repeat foreach end always nocorrect noglob begin and or not in builtin command alias unalias bg fg jobs bind break caller cd pushd popd compgen complete continue declare typeset dirs disown echo enable eval exec exit export false getopts hash help history kill let local logout mapfile printf pwd read readarray readonly return set shift shopt source suspend test times trap true type ulimit umask unset unsetenv wait abbr argparse autoload zmodload emulate integer float private rehash sched setopt unsetopt vared whence where which zle zstyle switch string math contains count status . .. / ./run /usr/bin/env git npm npx node python3 rm mv cp sudo env xargs ls cat a _ x1 g++ x.y-z".split(
    " ",
  );
const OTHERS =
  "-a --all -rf --flag=value -Dname=a/b -x=1 -- - 0 1 42 3.14 1e9 src src/a.ts ./b ../c /tmp/x a:b @scope/name user@host +x a+b a,b _ __ . .. / if then do done in time export function x.y.z v1.2.3 HEAD origin/main".split(
    " ",
  );

describe("a command of plain words", () => {
  it("is read as the grammar and the scanner read it, in each shell", () => {
    const random = new Random(38);
    const pairs = FIRST.flatMap((first) => [first, ...OTHERS.map((word) => `${first} ${word}`)]);
    const longer = Array.from({ length: 500 }, () =>
      [random.pick(FIRST), ...Array.from({ length: random.int(2, 6) }, () => random.pick(OTHERS))].join(" "),
    );
    let read = 0;
    const compare = (text: string, shell: ShellKind, interactive: boolean) => {
      const plain = plainReader(text, { shell, interactive });
      if (!plain) return;
      read += 1;
      expect(plain(text), `${shell}: ${text}`).toEqual(readBash(bash, text, { shell, interactive }));
    };
    for (const shell of SHELLS) {
      for (const text of pairs) compare(text, shell, shell === "bash");
      for (const text of longer) for (const interactive of [false, true]) compare(text, shell, interactive);
    }
    expect(read).toBeGreaterThan(10_000);
  });

  it.each([
    ...[
      "",
      " ls",
      "ls ",
      "ls\t-l",
      "ls\nrm x",
      "ls;rm",
      "ls&",
      "ls|sh",
      "ls>x",
      "a=b ls",
      "a=b",
      "ls a=b",
      "$x",
      "`x`",
    ],
    ...[
      "ls *",
      "ls ~",
      "ls ?",
      "ls [a]",
      "ls {a,b}",
      "ls 'a'",
      'ls "a"',
      "ls \\a",
      "!x",
      "ls !x",
      "#x",
      "ls #x",
      "ls ^x",
    ],
    ...[
      "=ls",
      "ls =x",
      "%x",
      "ls %x",
      "(ls)",
      "ls \u200bx",
      "ls\u00a0x",
      "1ls",
      "-x",
      "ｌｓ",
      "time ls",
      "if x",
      "export A",
    ],
    ...["unset x", "eval x", "exec x", "source x", ". x", "let x", "declare x", "in x", "[ x", "{ x", "ls\r"],
  ])("is no text such as %j", (text) => {
    for (const shell of SHELLS) expect(plainReader(text, { shell, interactive: false })).toBeUndefined();
  });

  it("needs no grammar; any other does, also a text in its words", async () => {
    const none = { read: () => Promise.reject(new Error("no asset")) };
    const read = await loadReader(none, "bash", "sudo -u me rm -rf build");
    expect(read("rm -rf build").commands[0]?.words.map(({ text }) => text)).toEqual(["rm", "-rf", "build"]);
    expect(read("rm 'a b' | x $(y)")).toMatchObject({ commands: [], certain: false });
    expect(read("time rm x")).toMatchObject({ commands: [], certain: false });
    expect(mayBePlain("npm run build -- --only=cli")).toBe(true);
    for (const piece of ["a && b", "a|b", "'", "$", "\n", "~", "*"]) expect(mayBePlain(piece)).toBe(false);
  });
});
