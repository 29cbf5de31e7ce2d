/** Words that are not literal, on a real folder: what they may become is judged, in the way of every shell. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text

import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { told } from "./judge.ts";

const allow =
  "cat head tail wc ls echo printf grep rg sort find tree cd diff du test [ file type dir git npm sed date Get-Content gc type Select-String Get-ChildItem Select-Object Where-Object Write-Output Set-Location gci sls".split(
    " ",
  );

/** The verdict on commands in a folder with these files; `null` for the content makes a link to `.env`. */
async function folder(files: Record<string, string | null>) {
  const { root, host, at } = await project();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    if (text === null) await symlink(at(".env"), at(name));
    else await writeFile(at(name), text);
  }
  const entries = [...allow, "git log", "git diff", "git show", "npm test"];
  const settings = settingsSchema.parse({ approval: { commandSafe: true }, commands: { allow: entries } });
  const verdict = async (kind: ShellKind, command: string) => {
    const judge = new Judge({ ...host, shell: { ...host.shell, kind } }, () => settings);
    const judged = await judge.permission({ access: "command" }, { paths: [], command }, "act");
    return judged.verdict === "allow" ? "runs" : `asks (${told(judged.reason)})`;
  };
  const check = async (cases: Partial<Record<ShellKind, readonly string[]>>, expected: RegExp) => {
    const wrong: string[] = [];
    for (const kind of ["bash", "zsh", "sh", "fish", "powershell", "cmd"] as const) {
      for (const command of cases[kind] ?? []) {
        const got = await verdict(kind, command);
        if (!expected.test(got)) wrong.push(`${kind}: ${command}: ${got}`);
      }
    }
    expect(wrong).toEqual([]);
  };
  return {
    root,
    asks: (cases: Partial<Record<ShellKind, readonly string[]>>) => check(cases, /^asks/),
    runs: (cases: Partial<Record<ShellKind, readonly string[]>>) => check(cases, /^runs/),
  };
}

const PLAIN = {
  ".env": "KEY=canary\n",
  "README.md": "# x\n",
  "notes.md": "# y\n",
  "src/a.ts": "a\n",
  "src/deep/b.ts": "b\n",
};

const VALUES = [
  "cat a$?",
  'cat "a$?"',
  "cat a$$",
  "cat link$HOME/.bashrc",
  'cat link"$HOME/x"',
  "cat .e$LOGNAME",
  'cat .e"$LOGNAME"nv',
  "cat .e${TERM}nv",
  "cat .e$1nv",
  "cat .e${1}nv",
  'cat .e"$*"nv',
  "cat .e$_",
  "cat .e$-nv",
  "cat .e$#",
  "cat $RANDOM",
  "head -n 1 $TMPDIR/x",
  'head -n1 "$USER"',
  'grep -f"$USER" README.md',
  'grep --file="$USER" README.md',
  "grep -r KEY $PWD",
  'grep -r KEY "$PWD"',
  'grep KEY "$PWD/.env"',
  'cat "$PWD/link"',
  'cat "$PWD"/link',
  'cat "${PWD}/.env"',
  "cat $PWD/README.md",
  "rg $USER link",
  "sort $LANG notes.md",
  "wc $HOSTNAME",
  "tree -L $TERM",
  "find $TMPDIR/x -name y -newer $USER",
  "cd $HOME && cat x",
  'cd "$HOME" && cat x',
  'cd "$PWD/.." && cat x',
  'git log -- "$HOME/x"',
  "git show $USER",
  'npm test -- "$HOME"',
  "du --files0-from=$USER",
  'sed -n "$USER" README.md',
  "cat ~/x",
  "cat ~+/x",
  "cat ~-/x",
  "cat ~root/x",
  "dd if=~/x",
  "cat .e{n,m}v",
  "cat {.env,README.md}",
];

describe("a word with a value", () => {
  it("asks where it may name a file", async () => {
    const { asks } = await folder({ ...PLAIN, link: null });
    const everywhere = VALUES.filter((command) => !/\{n,m|\{\.env|~[-+]/.test(command));
    await asks({ bash: VALUES, zsh: VALUES, sh: everywhere, fish: everywhere });
    await asks({
      bash: ["cat $'.e\\x6ev'", 'cat $".env"', "cat .e\\nv", "cat '.'\"env\""],
      zsh: ["cat =env", "cat .en(v)", "cat .e<->", "cat (#i).ENV", "cat ${:-.env}", "cat .e[n]v"],
      fish: ["cat $HOME/x", "cat (pwd)/x", "cat %self", "cat .e?v", "cat ~/x", "cat .en\\v"],
      powershell: [
        "gc $env:X",
        "gc $HOME/x",
        "gc $PSScriptRoot/x",
        "gc -Path:.env",
        'gc "$x"',
        "gc ~/x",
        "gc @x",
      ],
      cmd: ["type %X%", "type ^.env", "type !x!", "type .e%X%nv", 'type ".env"', "type ~\\x", "cd %X%"],
    });
  });

  it("runs where it is only shown, and where the value is the folder that the command runs in", async () => {
    const { runs } = await folder({ ...PLAIN, link: null });
    const commands = [
      "echo $HOME $PATH $?",
      'echo "$USER in $PWD"',
      "printf '%s\\n' \"$HOME\"",
      "[ $? -eq 0 ]",
      'ls "$HOME"',
      "ls $PWD",
      'grep "$USER" README.md',
      'cat "$PWD/README.md"',
      'cat "$PWD"/src/a.ts',
      'wc -l "${PWD}/src/a.ts"',
      'grep -rn a "$PWD/src"',
      'cd "$PWD/src" && cat a.ts',
      'cd src && cat "$PWD/a.ts"',
    ];
    await runs({ bash: commands, zsh: commands, sh: commands });
  });
});

describe("a pattern", () => {
  it("runs where it matches ordinary files, in every shell", async () => {
    const { runs } = await folder({ "README.md": "", "notes.md": "", "src/a.ts": "", "src/deep/b.ts": "" });
    const commands = [
      "ls *.md",
      "wc -l *.md",
      "head -n 3 *.md",
      "grep -l x *.md",
      "sort *.md",
      "cat src/*.ts",
      "wc -l src/*/*.ts",
      "wc -l s*/*.ts",
      "ls -d */",
      "grep -n x ./*.md src/*",
      "ls *",
    ];
    await runs({ bash: commands, zsh: commands, sh: commands, fish: commands });
    await runs({
      bash: ["grep -rn x --include=*.ts src", "find . -name *.ts", "ls *.{md,txt}", "cat none*.md"],
      zsh: ["ls **/*.ts", "git log HEAD~2", "git log HEAD^ HEAD", "git log main~3..HEAD"],
      fish: ["ls **.ts", "wc -l src/**/*.ts"],
      powershell: [
        "Get-Content *.md",
        "gc src\\*.ts",
        "Get-Content 'README.md'",
        "Select-String -Pattern 'x.*y' -Path src\\*.ts",
        "sls 'a.*' README.md",
        "Get-ChildItem -Filter *.ts -Recurse",
        "gci -Recurse -Include '*.ts' | Select-Object *",
        "Where-Object Name -like *.md",
        "Write-Output 'note: a*b'",
      ],
      cmd: ["type *.md", "dir *.ts", "type src\\a.ts", "dir /s *.ts"],
    });
  });

  it.each(["-x", "-rf", "@args", "+x", "=x", "a=b", "HEAD:.env", ":(top).env", "--files0-from=x"])(
    "asks where a file is called %j",
    async (name) => {
      const { asks, runs } = await folder({ "README.md": "", "src/a.ts": "", [name]: "" });
      const commands = ["ls *", "wc *", "cat [!R]*", "head ?*", "grep x *", "sort *", "echo *", "ls *.md *"];
      await asks({ bash: commands, zsh: commands, fish: ["ls *", "wc *"] });
      await runs({ bash: ["ls src/*", "ls *.md", "wc -l ./*.md", "cat ./R*"], zsh: ["ls src/*"] });
    },
  );

  it("asks without a look at the disk", async () => {
    const { judgeCommand } = await import("./judge.ts");
    const verdict = async (command: string, shell: ShellKind = "bash") =>
      (await judgeCommand(command, { shell, allow: [...allow, "git log"], deny: [] })).verdict;
    for (const command of [
      "ls *",
      "cat *.md",
      "grep x [a-z]*",
      "git log *",
      "head ?.md",
      "wc -*",
      "npm test *",
    ])
      expect(await verdict(command), command).toBe("ask");
    for (const command of ["ls ./*", "cat src/*.md", "grep -rn x --include=*.ts src", "wc -l a*.md"])
      expect(await verdict(command), command).toBe("allow");
  });

  it("asks where another part of the command may make the file", async () => {
    const { asks, runs } = await folder({ "README.md": "", "src/a.ts": "" });
    await asks({ bash: ["npm test && wc *", "npm test; cat *.md"] });
    await runs({ bash: ["npm test && wc ./*.md", "cat README.md && wc *"] });
  });

  it("asks for a file that stands under the very text of the pattern, and for secrets that it matches", async () => {
    const { asks } = await folder({ ...PLAIN, "a[b]": null, "linked.md": null, "src/.env": "canary" });
    const commands = [
      "cat a[b]",
      "cat *.md",
      "cat l*",
      "cat .en[v]",
      "cat .e?v",
      "cat .*",
      "cat */.env",
      "cat s*/.e*",
    ];
    await asks({ bash: commands, zsh: commands, sh: commands });
    await asks({
      zsh: ["cat *~x", "cat link~x", "cat a^b", "cat x#", "cat **/*v", "cat ***/.e*"],
      fish: ["cat **/.e*", "cat **"],
    });
  });

  it("is matched as Windows matches it", async () => {
    const { asks } = await folder({ ...PLAIN, "src/.env": "canary", "keys/server.pem": "canary" });
    await asks({
      powershell: [
        "gc .en?",
        "gc src\\.e*",
        "gc 'src\\.e*'",
        "gc src/.e*",
        "gc '.en[v]'",
        "gc 'src\\.en[u-w]'",
        "gc *\\*.pem",
        "gc 'keys\\*.p?m'",
        "gc '.e`nv'",
        "Get-Content -Path 'k*\\s*'",
        "Select-String -Path '.e*' -Pattern K",
        "sls K '.e*'",
        "gc ENV~1",
        "gc D:.env",
        "gc D:x",
        "gc \\\\host\\share\\x",
        "gc //host/share/x",
        "gc README.md:stream",
        "gc README.md::$DATA",
        "gc Env:PATH",
        "gc C:\\other\\x",
      ],
      cmd: [
        "type .en?",
        "type .env?",
        "type .env???",
        "type src\\.e*",
        "type src/.e*",
        "type ENV*",
        "type e?v~1",
        "type E*",
        "type ENV~1",
        "type *.*",
        "type .env.",
        "type D:x",
        "type \\\\host\\share\\x",
        "type keys\\*.p?m",
        "type README.md:stream",
      ],
    });
  });
});

describe("a name with signs", () => {
  it("asks where it is a link, although it looks like an option, a revision or a list", async () => {
    const { asks, runs } = await folder({
      ...PLAIN,
      "a:b": null,
      "-l": null,
      "x=y": null,
      "x,y": null,
      "t\tb": null,
      link: null,
    });
    const commands = [
      "cat a:b",
      "cat ./a:b",
      "cat -- -l",
      "cat x=y",
      "cat x,y",
      "cat 't\tb'",
      "grep -hvflink README.md",
      "grep -flink README.md",
      "grep --file=link README.md",
      "head -n1 link",
    ];
    await asks({ bash: commands, zsh: commands, sh: commands });
    await runs({ bash: ["cat README.md", "grep a:c README.md", "sed -n '1,5p' README.md", "date +%H:%M"] });
  });
});
