/** Subcommands of git that a user adds to the list: their name covers neither what they run nor files that they read. */
import { expect, it } from "vitest";
import { judgeCommand } from "./judge.ts";

const verdict = async (command: string, allow: string[]) =>
  (await judgeCommand(command, { shell: "bash", allow, deny: [] })).verdict;

it("asks for listed subcommands that run their words, read other files, or show what is not named", async () => {
  for (const command of [
    "git bisect run ./x",
    "git submodule foreach ls",
    "git format-patch --stdout -3",
    "git fast-export --all",
    "git notes show",
    "git credential fill",
    "git difftool --no-prompt",
    "git checkout-index -f --prefix=/tmp/ a",
    "git add --pathspec-from-file=names.txt",
    "git add --pathspec-from=names.txt",
    "git commit --file=message.txt",
    "git commit --fil message.txt",
    "git commit -F message.txt",
    "git tag -F message.txt v1",
    "git blame -S revisions.txt a.ts",
    "git blame --contents a.ts b.ts",
    "git blame --ignore-revs-file=a.ts b.ts",
    "git ls-files --exclude-from=a.ts -o",
    "git grep --open-files-in-pager x",
    "git config --file a.ts --list",
    "git diff --ext-diff",
  ]) {
    const [, sub = ""] = command.split(" ");
    expect(await verdict(command, [`git ${sub}`]), command).toBe("ask");
  }
});

it("allows the form that is listed, and listed subcommands with plain words", async () => {
  expect(await verdict("git submodule status", ["git submodule status"])).toBe("allow");
  expect(await verdict("git submodule status sub", ["git submodule status"])).toBe("allow");
  expect(await verdict("git submodule foreach ls", ["git submodule foreach"])).toBe("ask");
  expect(await verdict("git bisect good", ["git bisect good"])).toBe("allow");
  expect(await verdict("git add -A", ["git add"])).toBe("allow");
  expect(await verdict("git commit -m 'a b'", ["git commit"])).toBe("allow");
  expect(await verdict("git fetch origin", ["git fetch"])).toBe("allow");
});
