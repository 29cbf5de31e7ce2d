import { describe, expect, it } from "vitest";
import { createIgnoreRules } from "../../../../src/core/instructions/ignore-rules.ts";

const rules = (text: string) => createIgnoreRules([{ folder: "", text }]);

describe("ignore rules", () => {
  it("know folders, anchors, wild cards, comments and negation", () => {
    const { ignores } = rules("# comment\nbuild/\n/top.txt\n*.log\n!keep.log\nsecret-*\n");
    expect(["build/a", "src/build/b", "top.txt", "a.log", "x/y.log", "secret-a/b"].map(ignores)).toEqual(
      Array(6).fill(true),
    );
    expect(["src/top.txt", "keep.log", "buildx/a", "src/a.ts"].map(ignores)).toEqual(Array(4).fill(false));
  });

  it("do not bring back a file of an ignored folder", () => {
    expect(rules("build/\n!build/keep.txt\n").ignores("build/keep.txt")).toBe(true);
  });

  it("let a deeper file override", () => {
    const { ignores } = createIgnoreRules([
      { folder: "pkg", text: "!a.log\nlocal.txt\n" },
      { folder: "", text: "*.log\n" },
    ]);
    expect([
      ignores("a.log"),
      ignores("pkg/a.log"),
      ignores("pkg/b.log"),
      ignores("pkg/local.txt"),
      ignores("local.txt"),
    ]).toEqual([true, false, true, true, false]);
  });

  it("fold case, backslashes and dots, and never throw", () => {
    const { ignores } = rules("\ufeffSecret/\r\n[z-a]\n\\\n");
    expect([ignores("secret/a"), ignores("secret\\a"), ignores("./x/../secret/a")]).toEqual([
      true,
      true,
      true,
    ]);
    for (const path of ["", ".", "..", "../a", "/abs", "C:\\a", "\0", "a//b", "secret/../.."])
      expect(ignores(path)).toBe(false);
  });
});
