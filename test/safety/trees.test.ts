/** Commands that read whole folders: whether they ask depends on what lies there. Real files, the judge of both hosts. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { refusedTree } from "../../src/core/safety/paths/tree-check.ts";
import { systemClock } from "../../src/node/clock.ts";
import { nodeFiles } from "../../src/node/files/disk-files.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { judgeCommand, told } from "./judge.ts";

const ALLOW = ["ag", "ack", "touch", "cp", "grep", "egrep", "rg", "diff", "cat", "cd", "head", "ls", "wc"];
const WINDOWS = ["Get-ChildItem", "Select-String", "Get-Content"];

/** Asks for commands in a folder with these files. */
async function verdicts(files: Record<string, string>, kind: "bash" | "zsh" | "powershell" | "cmd" = "bash") {
  const { root, host, at } = await project();
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const settings = settingsSchema.parse({
    approval: { commandSafe: true },
    commands: { allow: kind === "powershell" ? WINDOWS : ALLOW },
  });
  const judge = new Judge({ ...host, shell: { ...host.shell, kind } }, () => settings);
  const verdict = async (command: string) => {
    const { verdict: given, reason } = await judge.permission(
      { access: "command" },
      { paths: [], command },
      "act",
    );
    return given === "allow" ? "allow" : told(reason);
  };
  return { root, at, write, verdict };
}

const PLAIN = { "src/a.ts": "TODO\n", "src/deep/b.ts": "TODO\n", "README.md": "x\n" };

const EVERYWHERE = [
  "grep -r TODO .",
  "grep -rn TODO",
  "grep -R TODO src",
  "grep --recursive TODO src README.md",
  "grep -rn TODO src --include='*.ts'",
  "rg TODO",
  "rg --hidden TODO",
  "rg -uu TODO src",
  "rg -g '*.ts' TODO",
  "diff -r src src/deep",
  "ag TODO",
  "ag TODO src",
  "ack TODO",
  "cd src && grep -r TODO .",
  "grep -r TODO src | head -5",
];

describe("reading whole folders", () => {
  it("is allowed where there is no secret", async () => {
    const { verdict } = await verdicts({ ...PLAIN, ".gitignore": "dist\n", ".git/config": "" });
    for (const command of EVERYWHERE) expect(await verdict(command), command).toBe("allow");
  });

  it("asks where a program searches the folder that it runs in", async () => {
    const { verdict } = await verdicts({ ...PLAIN, id_rsa: "k" });
    for (const command of ["ag TODO", "ag TODO --", "ag -- TODO", "ack -l TODO", "ag TODO .", "ag"])
      expect(await verdict(command), command).toMatch(/^reads-secret-file /);
    for (const command of ["ag TODO src", "ag -l TODO src"])
      expect(await verdict(command), command).toBe("allow");
  });

  it("asks where git's own settings hold a credential that the command would read", async () => {
    const remote = (url: string) => `[remote "origin"]\n\turl = ${url}\n`;
    for (const place of [
      ".git/config",
      ".git/modules/lib/config",
      "sub/.git/config",
      ".git/logs/HEAD",
      "sub/.git/logs/refs/heads/main",
      ".git/FETCH_HEAD",
    ]) {
      const { verdict, write } = await verdicts({ ...PLAIN, "sub/x.txt": "" });
      await write(place, remote("https://example.org/a.git"));
      expect(await verdict("grep -rn TODO"), place).toBe("allow");
      for (const secret of [
        remote("https://me:ghp_1@example.org/a.git"),
        '[http]\n\textraheader = "A: b"\n',
      ]) {
        await write(place, secret);
        for (const command of ["grep -rn TODO", "rg --hidden TODO", "rg -uuu TODO .", `cat ${place}`])
          expect(await verdict(command), `${command}: ${place}`).toMatch(/^(?:reads-)?secret-file /);
        for (const command of ["rg TODO", "grep -rn TODO src"])
          expect(await verdict(command), `${command}: ${place}`).toBe("allow");
      }
    }
  });

  it("asks where one lies, and names it", async () => {
    const { verdict } = await verdicts({ ...PLAIN, "src/deep/.env.local": "KEY=1\n" });
    for (const command of [
      "grep -r KEY .",
      "grep -rn KEY",
      "grep -R KEY src",
      "grep -rnie KEY src",
      "grep --dereference-recursive KEY .",
      "grep --recurs KEY .",
      "grep -d recurse KEY src",
      "grep --directories=recurse KEY src",
      "grep -r KEY s*",
      "grep -r KEY src/deep/",
      "grep -rn KEY src --include='.e*'",
      "egrep -r KEY .",
      "rg --hidden KEY",
      "rg -. KEY src",
      "rg -uu KEY",
      "rg -uuu KEY",
      "rg -g '*' KEY",
      "rg --glob='!*.ts' --hidden KEY",
      "diff -r src /dev/null",
      "diff -r . src",
      "cd src && grep -r KEY .",
      "cd src && grep -r KEY deep",
      "cd src && cd deep && rg --hidden KEY .",
      "ls && grep -r KEY . | head -1",
    ])
      expect(await verdict(command), command).toMatch(/\.env\.local|secret|^pattern-/);
  });

  it("stays allowed where what is read leaves it out", async () => {
    const { verdict } = await verdicts({ ...PLAIN, "other/.env": "KEY=1\n", "other/server.pem": "x\n" });
    for (const command of [
      "grep -r TODO src",
      "grep -rn TODO . --include='*.ts'",
      "grep -rn TODO . --exclude-dir=other",
      "grep -rn TODO . --exclude-dir other",
      "rg --hidden TODO src",
      "rg -g '*.ts' TODO",
      "grep TODO src/a.ts",
      "diff -r src src/deep",
    ])
      expect(await verdict(command), command).toBe("allow");
    expect(await verdict("rg TODO")).toContain("other/server.pem");
  });

  it("knows what ripgrep leaves out: hidden files, and ignored ones in a repository", async () => {
    const { verdict, at } = await verdicts({
      ...PLAIN,
      ".env": "KEY=1\n",
      "keys/server.pem": "x\n",
      "keys/.gitignore": "*.pem\n",
      ".git/config": "",
    });
    expect(await verdict("rg KEY")).toBe("allow");
    expect(await verdict("rg --no-ignore KEY")).toContain("keys/server.pem");
    expect(await verdict("rg -u KEY")).toContain("keys/server.pem");
    expect(await verdict("rg --hidden KEY")).toContain(".env");
    await rm(at(".git"), { recursive: true });
    expect(await verdict("rg KEY")).toContain("keys/server.pem");
  });

  it("asks for what .nekodeignore names, and where a search follows links", async () => {
    const { verdict, at } = await verdicts({ ...PLAIN, ".nekodeignore": "/notes/\n", "notes/a.txt": "x\n" });
    expect(await verdict("grep -r x .")).toContain("notes/a.txt");
    expect(await verdict("grep -r x src")).toBe("allow");
    await symlink("/etc", at("src/etc"));
    expect(await verdict("grep -r x src")).toBe("allow");
    expect(await verdict("grep -R x src")).toContain("src/etc");
    expect(await verdict("rg -L x src")).toContain("src/etc");
    expect(await verdict("grep -r x src/etc")).toMatch(/^outside-project |secret/);
  });

  it("asks where there is too much to look at, or it takes too long", async () => {
    const tree = { folder: "src", deep: true, hidden: true, ignored: true, follows: false };
    const inFolder = (
      entries: number,
      msEach: number,
      more: Partial<typeof tree> & { exclude?: RegExp[] } = {},
    ) => {
      let now = 0;
      const list = async (folder: string) => {
        now += msEach;
        return folder === "/p/src"
          ? [{ name: "many", kind: "directory" as const }]
          : Array.from({ length: entries }, (_, n) => ({ name: String(n), kind: "file" as const }));
      };
      return refusedTree({ ...tree, ...more }, "/p/src", "src", {
        files: { ...nodeFiles, stat: async () => ({ kind: "directory", size: 0, version: "" }), list },
        clock: { ...systemClock, now: () => new Date(now) },
        root: "/p",
        join: path.join,
      });
    };
    expect(await inFolder(19_000, 1)).toBeUndefined();
    expect(await inFolder(20_001, 1)).toMatchObject({ code: "folder-not-searchable" });
    expect(await inFolder(10, 2_000)).toMatchObject({ code: "folder-not-searchable" });
    expect(await inFolder(20_001, 1, { exclude: [/^many$/] })).toBeUndefined();
    expect(await inFolder(20_001, 1, { deep: false })).toBeUndefined();
  });

  it("sees what a command names from the folder that cd leads to", async () => {
    const { verdict, at, root } = await verdicts({
      ...PLAIN,
      ".nekodeignore": "/src/mine.txt\n",
      "src/mine.txt": "",
    });
    await writeFile(path.join(root, "..", "outside.txt"), "x");
    await symlink("../../outside.txt", at("src/link.txt"));
    expect(await verdict("cat src/link.txt")).toContain("outside-project ");
    expect(await verdict("cd src && cat link.txt")).toContain("outside-project ");
    expect(await verdict("cd src && cat mine.txt")).toContain("ignored-");
    expect(await verdict("cd src && cat link.*")).toContain("outside-project ");
    expect(await verdict("cd src && cat a.ts")).toBe("allow");
    await mkdir(path.join(root, "..", "elsewhere"));
    await symlink("../elsewhere", at("away"));
    expect(await verdict("cat away/../src/a.ts")).toContain("link-elsewhere ");
    expect(await verdict("cat src/../src/a.ts")).toBe("allow");
    expect(await verdict("cd src && cd deep && cat ../link.txt")).toContain("outside-project ");
  });

  it("sees where a command writes, links followed", async () => {
    const { verdict, at, root } = await verdicts({
      ...PLAIN,
      ".git/hooks/x": "",
      ".nekodeignore": "/private\n",
    });
    await mkdir(path.join(root, "..", "away"));
    await symlink(".git/hooks", at("hooks"));
    await symlink("../away", at("out"));
    await symlink("../.git/description", at("src/plain.txt"));
    expect(await verdict("touch src/new.ts")).toBe("allow");
    expect(await verdict("cp src/a.ts src/c.ts")).toBe("allow");
    expect(await verdict("touch hooks/x")).toContain("steers-what-runs ");
    expect(await verdict("cp src/a.ts src/plain.txt")).toContain("steers-what-runs ");
    expect(await verdict("cd src && cp a.ts plain.txt")).toContain("steers-what-runs ");
    expect(await verdict("cp src/a.ts out/a.ts")).toContain("outside-project ");
    expect(await verdict("touch private/x")).toContain("ignored-");
  });

  it("looks behind a pipe of PowerShell", async () => {
    const { verdict } = await verdicts({ ...PLAIN, "src/deep/server.key": "x\n" }, "powershell");
    expect(await verdict("Get-ChildItem -Recurse | Select-String TODO")).toContain("server.key");
    expect(await verdict("gci src -Recurse | Select-String TODO")).not.toBe("allow");
    expect(await verdict("Get-ChildItem -Recurse -Filter *.ts | Select-String TODO")).toBe("allow");
    expect(await verdict("Get-ChildItem src | Select-String TODO")).toBe("allow");
    expect(await verdict("Get-Content src/a.ts | Select-String TODO")).toBe("allow");
  });

  it("sees a program of the folder that cmd would run in place of another", async () => {
    const { verdict, write } = await verdicts({ ...PLAIN }, "cmd");
    expect(await verdict("ls src")).toBe("allow");
    await write("src/ls.bat", "@echo off\n");
    expect(await verdict("ls src")).toBe("allow");
    await write("LS.Bat", "@echo off\n");
    expect(await verdict("ls src")).toContain("LS.Bat");
    expect(await verdict("cat src/a.ts")).toBe("allow");
    const { verdict: inBash, write: writeThere } = await verdicts({ ...PLAIN });
    await writeThere("ls.bat", "@echo off\n");
    expect(await inBash("ls src")).toBe("allow");
  });

  it("is told by the judge that cannot see the disk", async () => {
    const judged = await judgeCommand("grep -r TODO src --include='*.ts' && rg --hidden x", {
      shell: "bash",
      allow: ALLOW,
      deny: [],
    });
    expect(judged).toMatchObject({
      verdict: "allow",
      trees: [
        { folder: "src", deep: true, hidden: true, ignored: true, follows: false },
        { folder: ".", deep: true, hidden: true, ignored: false },
      ],
    });
    expect(await judgeCommand("cat a", { shell: "bash", allow: ALLOW, deny: [] })).not.toHaveProperty(
      "trees",
    );
  });
});

describe("what brings hidden and ignored files back for ripgrep", () => {
  const git = { ...PLAIN, ".git/config": "" };

  it.each<[what: string, files: Record<string, string>, command: string]>([
    [".ignore, a hidden file", { ".ignore": "!.env\n", ".env": "KEY=1\n" }, "rg KEY"],
    [".rgignore, a hidden file", { ".rgignore": "dist\n!.env\n", ".env": "KEY=1\n" }, "rg KEY ."],
    [".gitignore, a hidden file", { ".gitignore": "dist\n!.env\n", ".env": "KEY=1\n" }, "rg KEY"],
    [
      ".ignore, an ignored file",
      { ".gitignore": "*.pem\n", ".ignore": "!a.pem\n", "a.pem": "KEY\n" },
      "rg KEY",
    ],
    [
      ".rgignore in a folder",
      { ".gitignore": "*.pem\n", "src/.rgignore": "!a.pem\n", "src/a.pem": "KEY\n" },
      "rg KEY",
    ],
    [".ignore above the folder", { ".ignore": "!.env\n", "src/deep/.env": "KEY\n" }, "rg KEY src/deep"],
    [".ignore, a hidden folder", { ".ignore": "!.secrets/\n", ".secrets/id_rsa": "KEY\n" }, "rg KEY"],
    [".ignore with every file", { ".ignore": "!*\n", "src/.npmrc": "KEY\n" }, "rg KEY src"],
    ["a type of the command's own", { ".env": "KEY=1\n" }, "rg --type-add 'x:.env' -tx KEY"],
    ["a type", { ".env": "KEY=1\n" }, "rg --type=sh KEY"],
    ["a file of rules", { ".env": "KEY=1\n", rules: "!.env\n" }, "rg --ignore-file rules KEY"],
  ])("%s: it asks", async (_, files, command) => {
    const { verdict } = await verdicts({ ...git, ...files });
    expect(await verdict(command)).toMatch(/^(?:reads-)?secret-file /);
  });

  it.each<[what: string, files: Record<string, string>, command: string]>([
    ["a hidden file that nothing brings back", { ".env": "KEY\n" }, "rg KEY"],
    ["an ignored one", { ".gitignore": "*.pem\n!b.txt\n", "a.pem": "KEY\n" }, "rg KEY"],
    [
      "other files are brought back",
      { ".gitignore": ".*\n!.github/\n!.env.example\n", ".env": "KEY\n" },
      "rg KEY",
    ],
    ["a .gitignore for grep", { ".ignore": "!.env\n", "src/deep/x": "" }, "grep -r KEY src"],
    ["without a repository", { ".ignore": "dist\n", ".env": "KEY\n" }, "rg KEY src"],
  ])("%s: it does not ask", async (_, files, command) => {
    const { verdict } = await verdicts({ ...git, ...files });
    expect(await verdict(command)).toBe("allow");
  });

  it("a file of rules that is a link asks", async () => {
    const { verdict, at } = await verdicts({ ...git, ".env": "KEY\n", rules: "!.env\n" });
    await symlink("rules", at(".ignore"));
    expect(await verdict("rg KEY")).not.toBe("allow");
  });
});
