/** Matchers of hooks, which may come from a repository: what they match, and that none can take long. */
import { expect, it } from "vitest";
import { isCovered, isMatch, isUsableMatcher } from "../../../../src/core/hooks/matcher.ts";

it.each([
  [undefined, "Bash", true],
  ["", "Bash", true],
  ["*", "Bash", true],
  ["Bash", "Bash", true],
  ["Bash", "BashOutput", false],
  ["Edit|Write", "Write", true],
  ["Edit, Write", "Write", true],
  ["mcp__.*__write", "mcp__files__write_file", true],
  ["^Notebook", "NotebookEdit", true],
  ["^Edit$", "MultiEdit", false],
])("%s matches %s: %s", (matcher, value, expected) => {
  expect(isMatch(matcher, value)).toBe(expected);
});

it.each([
  "(a+)+$",
  "(a|a)*b",
  "(a*)*",
  "a{1,50}b",
  "(.*)(.*)(.*)(.*)x",
  "(?=a)b",
  "(a)\\1",
  "[",
  "a?".repeat(40) + "a".repeat(40),
  "(a|a)".repeat(60),
  "x.".repeat(251),
])("refuses %s, which is not valid or could take too long", (matcher) => {
  expect(isUsableMatcher(matcher)).toBe(false);
});

it.each([
  "mcp__.*__(get|list).*",
  "^(Edit|Write|MultiEdit)$",
  "Bash.*|Read.*|Write.*|Glob.*",
  "[a-z*+]+\\w*",
  "Notebook\\(x\\)",
])("takes %s", (matcher) => {
  expect(isUsableMatcher(matcher)).toBe(true);
});

it("the slowest matcher that is taken ends", () => {
  const slowest = "a.*a.*b";
  expect(isUsableMatcher(slowest)).toBe(true);
  expect(isMatch(slowest, "a".repeat(100_000))).toBe(false);
});

it.each([
  ["Bash(git *)", "Bash", { command: "git push" }, true],
  ["Bash(git *)", "Bash", { command: "cd x && git push" }, true],
  ["Bash(git *)", "Bash", { command: "echo $(git push)" }, true],
  ["Bash(git:*)", "Bash", { command: "git" }, true],
  ["Bash(git *)", "Bash", { command: "npm test" }, false],
  ["Bash(git *)", "Read", { file_path: "/git x" }, false],
  ["Edit(*.ts)", "Edit", { file_path: "/a/b.ts" }, true],
  ["Edit(*.ts)", "Edit", { file_path: "/a/b.js" }, false],
  ["not a rule (", "Bash", { command: "ls" }, true],
])("the rule %s covers %s %o: %s", (rule, tool, input, expected) => {
  expect(isCovered(rule, tool, input)).toBe(expected);
});
