/** What command lines of each shell are read to destroy, and that harmless ones are left alone. */

import { describe, expect, it } from "vitest";
import type { ShellKind } from "../../../../src/core/ports/shell.ts";
import { destructionOf } from "../../../../src/core/safety/destruction/destruction.ts";
import { assets } from "../../../safety/judge.ts";
import { Random, rounds, seedOf } from "../../../support/random.ts";

const AROUND = { roots: ["/p"], cwd: "/p", home: "/home/u" };

/** Paths below the project relative to it; "." the whole, with `~` where installed dependencies are left out. */
async function hits(command: string, shell: ShellKind = "bash"): Promise<string[] | undefined> {
  const found = await destructionOf(assets, command, shell, AROUND);
  return found?.targets
    .map(({ path, light }) => (path === "/p" ? "." : path.replace(/^\/p\//, "")) + (light ? "~" : ""))
    .sort();
}

describe("destruction", () => {
  it.each([
    ["rm a", ["a"]],
    ["rm -rf 'b c' d/*.o", ["b c", "d/*.o"]],
    ["rm /etc/x ~/y", ["/etc/x", "/home/u/y"]],
    ["sudo -u root rm a", ["a"]],
    ["cd x && rm a", ["x/a"]],
    ["cd x; rm a", ["a", "x/a"]],
    ["cd x && echo y > a", ["a", "x/a"]],
    ["cd $x && rm a", ["."]],
    ["for d in x y; do rm a; cd $d; done", ["."]],
    ["HOME=/p; rm ~/a", ["."]],
    ["(cd /p/x; rm a); rm b", ["a", "b", "x/a", "x/b"]],
    ["for f in a b; do rm $f.o; done", ["."]],
    ['x=out; rm -rf "$x"', ["."]],
    ['rm -rf "$HOME"/y "$PWD/a" \'~\'', ["/home/u/y", "a", "~"]],
    ['rm -rf "$UNKNOWN"', ["."]],
    // An escape without its number names no known file.
    ["rm $'\\u'", ["."]],
    ["rm $'\\xZ'", ["."]],
    ["rm $'\\u0061'", ["a"]],
    ["rm $(cat list)", ["."]],
    ["xargs rm < list", [".", "list"].slice(0, 1)],
    ["bash -c 'rm a'", ["a"]],
    // The grammar reads the line end after a pipeline as a blank.
    ["true | set -e\nrm a", ["a"]],
    ["true | cat x\nrm a b &&\nrm c", ["a", "b", "c"]],
    ["true | rm a \\\n b", ["a", "b"]],
    ["echo x > out.txt 2>&1", ["out.txt"]],
    ["make &>> log 2>/dev/null", ["log"]],
    ["cat a | tee b c", ["b", "c"]],
    ["mv a b", ["a", "b"]],
    ["sed -i s/a/b/ f", ["f"]],
    ["dd if=a of=b", ["."]],
    ["find src -delete", ["src"]],
    ["git reset --hard", [".~"]],
    ["git -C sub checkout -- .", [".~"]],
    ["git clean -fdx", ["."]],
    ["tar xf a.tar", ["."]],
    ["perl -pi -e 's/a/b/' f", ["."]],
    ["sed -i.bak s/a/b/ f", ["."]],
    ["sed --expr='w x.txt' f", ["."]],
    ["sed -l 5 'w x' f", ["."]],
    ["tar -t -x -f a.tar", ["."]],
    ["bash.exe -c 'rm a'", ["a"]],
    ["rm -f a > log b", ["a", "b", "log"]],
    ["tee a <<EOF b\nx\nEOF", ["a", "b"]],
    ["cat x | xargs -I{} rm {}", ["."]],
    ["cp -rt dest a", ["."]],
    ["echo 'rm a' | sh", ["."]],
    ["f() { rm a; }; f", ["a"]],
    ["if x; then cd a; else cd b; fi; rm c", ["a/b/c", "a/c", "b/c", "c"]],
    ["rm a; )", [".", "a"].slice(0, 1)],
  ])("of %s", async (command, expected) => {
    const found = await hits(command);
    for (const each of expected) expect(found).toContain(each);
    if (!expected.includes(".")) expect(found).not.toContain(".");
  });

  it.each([
    ["Remove-Item -Recurse -Force src, build", ["build", "src"]],
    ["rm -Path 'a b.txt'", ["a b.txt"]],
    ["Get-ChildItem *.log | Remove-Item", ["."]],
    ["Remove-Item $x", ["."]],
    ["'x' | Set-Content a.txt", ["."]],
    ["Get-ChildItem | Remove-Item -Exclude a.txt", ["."]],
    ["rm 'a*' 2> \"b c.txt\"", ["a*", "b c.txt"]],
    ["Move-Item -Destination b.txt -Path a.txt", ["."]],
    ["Set-Content -Path a.txt -Value 'x'", ["a.txt"]],
    ["Move-Item -Force a.txt b.txt", ["a.txt", "b.txt", "b.txt/a.txt"]],
    ["Clear-Content .\\a.txt", ["a.txt"]],
    ["Get-Date | Out-File -FilePath log.txt", ["log.txt"]],
    ["echo x > a.txt", ["a.txt"]],
    ["cd src; del *.ts", ["*.ts", "src/*.ts"]],
    ["[IO.File]::Delete('a')", ["."]],
    ['iex "rm x"', ["x"]],
    ["git reset --hard", [".~"]],
    ["if (Test-Path a) { Remove-Item a }", ["."]],
  ])("of %s in PowerShell", async (command, expected) => {
    expect(await hits(command, "powershell")).toEqual(expected);
  });

  it.each([
    ["del /q a.txt b.txt", ["a.txt", "b.txt"]],
    ["del /s /q *.log", ["."]],
    ["rd /s /q build", ["build"]],
    ["move /y a.txt src\\b.txt", ["a.txt", "src/b.txt", "src/b.txt/a.txt"]],
    ["copy a.txt b.txt", ["b.txt", "b.txt/a.txt"]],
    ["ren a.txt b.txt", ["."]],
    ["echo x> a.txt", ["a.txt"]],
    ["cd src && del a", ["a", "src/a"]],
    ["del %X%", ["."]],
    ["for %i in (*) do del %i", ["."]],
    ["git clean -fdx", ["."]],
    ["cmd /c del a.txt", ["."]],
    ["cmd.exe /c del a.txt", ["."]],
    ['del "a b.txt" c,d', ["a b.txt", "c", "d"]],
    ['del "a & b.txt"', ["."]],
  ])("of %s in cmd", async (command, expected) => {
    expect(await hits(command, "cmd")).toEqual(expected);
  });

  it.each([
    ...[
      "ls -la",
      "git status",
      "git log --oneline",
      "npm test 2>&1 | head",
      "cat a > /dev/null",
      "grep -rn rm .",
    ],
    ...[
      "git stash list",
      "git clean -n",
      "git checkout -b topic",
      "git restore --staged a",
      "git commit -m 'rm a'",
    ],
    ...[
      "echo 'rm -rf /'",
      "sed -n 1,5p a",
      "find . -name '*.ts'",
      "find . -exec grep x {} +",
      "tar tf a.tar",
    ],
    ...[
      "node -e 'console.log(1)'",
      "python3 -c 'print(1)'",
      "cd src && ls",
      "sort a",
      "unzip -l a.zip",
      "npm run build",
    ],
    ...[
      "test -f a && cat a",
      "echo $((1 > 0))",
      "[[ a > b ]]",
      "diff <(sort a) <(sort b)",
      "curl -s localhost",
      "curl -so /dev/null localhost",
      "npm install",
      "git status 2>&1 | head -$n",
      "for f in *.ts; do sort $f | uniq; done",
    ],
  ])("none of %s", async (command) => {
    expect(await hits(command)).toBeUndefined();
  });

  it("is found wherever a destroyer stands that a shell would run", async () => {
    const seed = seedOf("destruction");
    const random = new Random(seed);
    const pick = <T>(items: readonly T[]): T => random.pick(items);
    const inner = [
      "rm victim",
      "rm -rf ./victim",
      "mv victim x",
      ": > victim",
      "truncate -s0 victim",
      "tee victim",
    ];
    const wraps: ((text: string) => string)[] = [
      (text) => `ls && ${text}`,
      (text) => `${text} || true`,
      (text) => `( ${text} )`,
      (text) => `{ ${text}; }`,
      (text) => `if true; then ${text}; fi`,
      (text) => `while false; do :; done; ${text}`,
      (text) => `for i in 1; do ${text}; done`,
      (text) => `case a in a) ${text};; esac`,
      (text) => `g() { ${text}; }; g`,
      (text) => `echo "$(${text})"`,
      (text) => `true | ${text}`,
      (text) => `! ${text}`,
      (text) => `set -e\n${text}`,
      (text) => `${text} &`,
      (text) => (text.includes("'") ? text : `bash -c '${text}'`),
      (text) => (text.includes("'") ? text : `eval '${text}'`),
    ];
    for (let i = 0; i < rounds(400, 1_500); i++) {
      let command = pick(inner);
      for (let depth = 0; depth < 4; depth++) command = pick(wraps)(command);
      const found = await hits(command);
      const isHit = found?.some((name) => name === "victim" || name === ".");
      expect(isHit, `NEKODE_SEED=${seed}: ${command}`).toBe(true);
    }
  });
});
