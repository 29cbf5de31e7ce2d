/** Commands that read whole folders: whether they ask depends on what lies there. Real files, the judge of both hosts. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { refusedTree } from "../../src/core/safety/paths/tree-check.ts";
import { systemClock } from "../../src/node/clock.ts";
import { nodeFiles } from "../../src/node/files/disk-files.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { told } from "./judge.ts";

const ALLOW = ["grep", "egrep", "rg", "diff", "cat", "cd", "head", "ls", "wc"];
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

const SEARCHES = [
  "grep -r TODO .",
  "grep -rn TODO",
  "grep --recursive TODO src README.md",
  "grep -rn TODO src --include='*.ts'",
  "rg TODO",
  "rg --hidden TODO",
  "rg -uu TODO src",
  "rg -g '*.ts' TODO",
  "cd src && grep -r TODO .",
  "grep -r TODO src | head -5",
];

describe("reading whole folders", () => {
  it("is allowed where there is no secret, or only in installed packages", async () => {
    const { verdict } = await verdicts({
      ...PLAIN,
      ".gitignore": "dist\n",
      ".git/config": "",
      "node_modules/x/test/server.pem": "x",
    });
    for (const command of SEARCHES) expect(await verdict(command), command).toBe("allow");
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
        expect(await verdict("grep -rn TODO src"), place).toBe("allow");
      }
    }
  });

  it("asks where one lies, and names it", async () => {
    const { verdict } = await verdicts({ ...PLAIN, "src/deep/.env.local": "KEY=1\n" });
    for (const command of [
      "grep -r KEY .",
      "grep -rn KEY",
      "grep -rnie KEY src",
      "grep --recurs KEY .",
      "grep -d recurse KEY src",
      "grep --directories=recurse KEY src",
      "grep -r KEY s*",
      "grep -r KEY src/deep/",
      "grep -rn KEY src --include='.e*'",
      "egrep -r KEY .",
      "diff src/deep src",
      "diff . src",
      "rg KEY src",
      "rg --hidden KEY",
      "rg -. KEY src",
      "rg -uu KEY",
      "rg -uuu KEY",
      "rg -g '*' KEY",
      "rg --glob='!*.ts' --hidden KEY",
      "cd src && grep -r KEY .",
      "cd src && grep -r KEY deep",
      "cd src && cd deep && rg --hidden KEY .",
      "ls && grep -r KEY . | head -1",
    ])
      expect(await verdict(command), command).toMatch(/\.env\.local|secret|^pattern-/);
  });

  it("stays allowed where other folders are read", async () => {
    const { verdict } = await verdicts({ ...PLAIN, "other/.env": "KEY=1\n", "other/server.pem": "x\n" });
    for (const command of [
      "grep -r TODO src",
      "grep -nr 'TODO' src README.md",
      "rg --hidden TODO src",
      "grep TODO src/a.ts",
    ])
      expect(await verdict(command), command).toBe("allow");
    // Perhaps 3 is what is searched for, and the folder is the current one.
    expect(await verdict("grep -rA 3 TODO")).toContain("secret-file");
    expect(await verdict("grep -rA 3 TODO src")).toContain("secret-file");
    expect(await verdict("rg -t ts TODO")).toContain("secret-file");
  });

  it("leaves out what ripgrep leaves out: hidden files, unless a file of rules brings them back", async () => {
    const { verdict, write } = await verdicts({ ...PLAIN, ".env": "KEY=1\n", ".gitignore": "dist\n" });
    for (const command of ["rg KEY", "rg -n KEY .", "rg -C 3 KEY"])
      expect(await verdict(command), command).toBe("allow");
    for (const command of [
      "rg --hidden KEY",
      "rg -u KEY",
      "rg -g '*' KEY",
      "rg --type=sh KEY",
      "grep -r KEY .",
    ])
      expect(await verdict(command), command).toContain("secret");
    for (const rules of [".gitignore", ".ignore", ".rgignore"]) {
      await write(rules, "dist\n!.env\n");
      expect(await verdict("rg KEY"), rules).toContain("secret-file");
      await write(rules, "dist\n");
      expect(await verdict("rg KEY"), rules).toBe("allow");
    }
  });

  it("asks for what .nekodeignore names, and where a search follows links", async () => {
    const { verdict, at } = await verdicts({ ...PLAIN, ".nekodeignore": "/notes/\n", "notes/a.txt": "x\n" });
    expect(await verdict("grep -r x .")).toContain("notes/a.txt");
    expect(await verdict("grep -r x src")).toBe("allow");
    await symlink("/etc", at("src/etc"));
    expect(await verdict("grep -r x src")).toBe("allow");
    for (const command of [
      "grep -R x src",
      "grep --dereference-recursive x src",
      "rg -L x src",
      "diff -r src src",
    ])
      expect(await verdict(command), command).toMatch(/^option-of-program /);
    await symlink("/etc/hosts", at("src/deep/hosts"));
    expect(await verdict("diff src/deep src")).toMatch(/^link-elsewhere src\/deep\/hosts/);
    expect(await verdict("grep -r x src/etc")).toMatch(/^outside-project |secret/);
  });

  it("asks where there is too much to look at, or it takes too long", async () => {
    const inFolder = (entries: number, msEach: number, inner = "many") => {
      let now = 0;
      const list = async (folder: string) => {
        now += msEach;
        return folder === "/p/src"
          ? [{ name: inner, kind: "directory" as const }]
          : Array.from({ length: entries }, (_, n) => ({ name: String(n), kind: "file" as const }));
      };
      return refusedTree(
        "/p/src",
        "src",
        { hidden: true },
        {
          files: { ...nodeFiles, stat: async () => ({ kind: "directory", size: 0, version: "" }), list },
          clock: { ...systemClock, now: () => new Date(now) },
          join: path.join,
        },
      );
    };
    expect(await inFolder(19_000, 1)).toBeUndefined();
    expect(await inFolder(20_001, 1)).toMatchObject({ code: "folder-not-searchable" });
    expect(await inFolder(10, 2_000)).toMatchObject({ code: "folder-not-searchable" });
    expect(await inFolder(20_001, 1, "node_modules")).toBeUndefined();
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

  it("asks for files that come through a pipe of PowerShell", async () => {
    const { verdict } = await verdicts({ ...PLAIN }, "powershell");
    for (const command of [
      "Get-ChildItem -Recurse | Select-String TODO",
      "gci src | sls TODO",
      "Get-ChildItem | Get-Content",
    ])
      expect(await verdict(command), command).toMatch(/^(?:files-from-pipe|not-listed) /);
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
});
