import { describe, expect, it } from "vitest";
import { isPlainAwk } from "../../../../src/core/safety/programs/awk.ts";
import { isPlainSed } from "../../../../src/core/safety/programs/sed.ts";

describe("sed scripts", () => {
  it.each([
    "p",
    "1,5p",
    "$d",
    "/a/,/b/p",
    "s/a/b/",
    "s/a/b/gI2p",
    "s|/usr|/opt|g",
    "/x/{s/a/b/;p}",
    "1~2!d",
    "y/abc/xyz/",
    "$!N;P;D",
    "s/a\\/b/c/",
    "s/[a-z]*/&&/",
    "/^$/d",
    "5q",
    "s/a/b\\\nc/",
  ])("%j only prints", (script) => expect(isPlainSed(script)).toBe(true));

  it.each([
    "w x",
    "1w x",
    "p;w x",
    "s/a/b/w x",
    "s/a/b/e",
    "s/a/b/gew x",
    "e",
    "1e id",
    "r .env",
    "R x",
    "W x",
    "a text",
    "i\\",
    "c x",
    "/a/{w x\n}",
    "s/[/w x]/e",
    "s/[/]/w x/e;s/]/x/",
    "s\na\nb\n",
    "s/a/b/;s",
    "{p",
    "p}",
    ": a",
    "b a",
    "F",
    "z",
    "v",
    "s/a/b",
    "\\,a,w x",
    "y/a/b/w x",
    "1,5w x",
    "s/a/b/ w x",
    "s/[^]/w x/]/b/e",
  ])("%j asks", (script) => expect(isPlainSed(script)).toBe(false));
});

describe("awk programs", () => {
  it.each([
    "{print $1}",
    "NR>5",
    "NR==1,NR==5",
    "/a|b/ {print}",
    "{s += $1} END {print s / NR}",
    '$3 > 100 {print $1 "," $2}',
    "{ if ($1 > 5) print }",
    "$1 ~ /x/ && !/y/",
    "length($0) > 80",
    '{printf "%s|%s\\n", $1, $2}',
    'BEGIN { FS = "," } { n[$1]++ } END { for (k in n) print k, n[k] }',
  ])("%j only prints", (program) => expect(isPlainAwk(program)).toBe(true));

  it.each([
    'BEGIN{system("id")}',
    '{print > "x"}',
    '{print >> "x"}',
    '{print | "sh"}',
    '{print |& "sh"}',
    '"id" | getline',
    'getline < "x"',
    '@include "x"',
    '{f="system"; @f("id")}',
    'awk::system("id")',
    '{print ENVIRON["K"]}',
    'BEGIN{ARGV[1]=".env"}',
    '{ print x++ / 2 > "o" / 1 }',
    '{ print /"/ } END { system("id") } #"/',
    '{print (1)(2) > "x"}',
    '{ print a /b > "c" / 1 }',
    "{print",
    'print "a',
    "{close(x)}",
    "/[/]/",
    "{print}#",
  ])("%j asks", (program) => expect(isPlainAwk(program)).toBe(false));
});
