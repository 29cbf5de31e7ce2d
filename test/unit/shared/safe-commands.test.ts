import { describe, expect, it } from "vitest";
import {
  addedCommands,
  allowedCommands,
  builtInCommands,
  withAdded,
} from "../../../src/shared/safe-commands.ts";

const FIRST_LIST = [
  "git status",
  "git log",
  "git diff",
  "git show",
  "ls",
  "pwd",
  "echo",
  "cat",
  "head",
  "tail",
  "wc",
];

describe("the allow list", () => {
  it("is the built-in one with the user's entries behind it", () => {
    expect(allowedCommands([], "bash")).toEqual(builtInCommands("bash"));
    expect(allowedCommands(["npm test", "ls"], "zsh")).toEqual([...builtInCommands("zsh"), "npm test"]);
  });

  it("has the short names of PowerShell's cmdlets in PowerShell alone, where they are no other programs", () => {
    for (const entry of ["gm", "gci", "sl", "fl", "Get-Content"]) {
      expect(builtInCommands("powershell"), entry).toContain(entry);
      for (const shell of ["bash", "zsh", "sh", "fish", "cmd"])
        expect(builtInCommands(shell), entry).not.toContain(entry);
    }
  });

  it("loses the built-in entries that begin with the words behind a !", () => {
    const without = allowedCommands(["!git", "!cat", "!node --version"], "bash");
    expect(without.filter((entry) => /^(?:git|cat|node)\b/.test(entry))).toEqual(["node -v"]);
    expect(
      allowedCommands(["!git", "git status"], "bash").filter((entry) => entry.startsWith("git")),
    ).toEqual(["git status"]);
  });

  it("grows by the entry alone, and loses the copy of the first list", () => {
    expect(withAdded([], "npm test")).toEqual(["npm test"]);
    expect(withAdded(["npm test"], "npm test")).toEqual(["npm test"]);
    expect(withAdded([...FIRST_LIST, "npm test", "!sed"], "make")).toEqual(["npm test", "!sed", "make"]);
    expect(withAdded(["ls", "cat"], "make")).toEqual(["ls", "cat", "make"]);
    expect(allowedCommands([...FIRST_LIST, "!cat"], "bash")).not.toContain("cat");
  });

  it("never makes more run where safe commands ask than what a user added", () => {
    expect(addedCommands([...FIRST_LIST, "npm test", "rg", "!cat"])).toEqual(["npm test", "rg"]);
    expect(addedCommands(["ls"])).toEqual([]);
  });
});
