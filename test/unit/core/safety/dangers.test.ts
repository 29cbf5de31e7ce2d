/** What the card of a command warns about: only what the words of the command certainly do. */
import { describe, expect, it } from "vitest";
import type { ShellKind } from "../../../../src/core/ports/shell.ts";
import { dangersOf } from "../../../../src/core/safety/destruction/dangers.ts";
import { assets } from "../../../safety/judge.ts";

const AROUND = { roots: ["/p"], cwd: "/p", home: "/home/u" };
const of = (command: string, shell: ShellKind = "bash") => dangersOf(assets, command, shell, AROUND);

describe("a command warns", () => {
  it.each([
    ["rm -rf src/lib/big.js && git push --force origin main", ["deletes", "rewrites-remote"]],
    ["sudo rm a", ["deletes"]],
    ["bash -c 'rm a'", ["deletes"]],
    ["find . -name '*.o' -delete", ["deletes"]],
    ["find . -print0 | xargs -0 rm", ["deletes"]],
    ["git clean -fd", ["deletes"]],
    ["rm -r /etc/x ~/y", ["deletes", "outside"]],
    ["rm -rf /", ["deletes", "outside"]],
    ["rm -rf ..", ["deletes", "outside"]],
    ["echo x > /etc/hosts", ["outside"]],
    ["git push -f", ["rewrites-remote"]],
    ["git -C sub push --force-with-lease", ["rewrites-remote"]],
    ["git push origin +main", ["rewrites-remote"]],
    ["git push origin :old", ["rewrites-remote"]],
    ["git push --delete origin old", ["rewrites-remote"]],
    ["git reset --hard HEAD~1", ["discards"]],
    ["chmod -R 777 .", ["permissions"]],
    ["npm ci", ["installs"]],
    ["python3 -m venv v && pip install -r r.txt", ["installs"]],
    ["sudo apt-get install -y jq", ["installs"]],
  ])("%s", async (command, dangers) => {
    expect(await of(command)).toEqual(dangers);
  });

  it("in PowerShell and cmd", async () => {
    expect(await of("Remove-Item -Recurse src", "powershell")).toEqual(["deletes"]);
    expect(await of("del /q a.txt", "cmd")).toEqual(["deletes"]);
  });
});

it.each([
  "npm test",
  "npm run install-hooks",
  "git push origin main",
  "git push --dry-run --force",
  "git push origin main:main",
  "git clean -n",
  "git rm --cached a",
  "git reset --soft HEAD~1",
  "rm --help",
  "echo 'rm -rf /'",
  "grep -r 'git push --force' .",
  "echo x > out.txt 2>/dev/null",
  "mv a b",
  "find . -name rm",
  // What the words are is known only when the command runs.
  "$x -rf a",
  "sudo -u root ls",
])("%s warns of nothing", async (command) => {
  expect(await of(command)).toEqual([]);
});
