/** Entries of several words and entries that name files: what they cover, on each platform and in each shell. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { judgeCommand, told } from "./judge.ts";

const verdict = async (entry: string, command: string, shell: ShellKind = "bash") =>
  (await judgeCommand(command, { shell, allow: [entry, "cd"], deny: [] })).verdict;

describe("an entry", () => {
  it.each([
    ["npm test", ["npm test", "npm test 2>&1", "npm test | tail -5", "npm test && ls"]],
    ["npx tsc --noEmit", ["npx tsc --noEmit", "npx  tsc '--noEmit'"]],
    ["node scripts/check.mjs", ["node scripts/check.mjs"]],
    ["make", ["make", "make && ls"]],
    ["ls", ["ls", "ls -la src"]],
    ["git log", ["git log", "git log --oneline -5", "git --no-pager log"]],
    ["git push origin main", ["git push origin main"]],
  ])("%s covers its own words, and what a program that only reads is told", async (entry, commands) => {
    for (const command of commands)
      expect(
        (await judgeCommand(command, { shell: "bash", allow: [entry, "ls", "tail"], deny: [] })).verdict,
        command,
      ).toBe("allow");
  });

  it.each([
    ["npm test", ["npm test -- --globalSetup ./x", "npm test x", "npm", "npm tests", "npm test > out.txt"]],
    ["npm", ["npm test", "npm install"]],
    ["npx tsc", ["npx tsc --noEmit", "npx -p evil tsc", "npx"]],
    ["make", ["make install", "ls | make"]],
    ["git push", ["git push origin main", "git push -f"]],
    ["git", ["git push", "git -c core.pager=id log", "git branch x"]],
    ["python3", ["python3", "python3 -c 1", "python3 x.py"]],
    ["bash", ["bash", "ls | bash", "bash x.sh"]],
    ["sudo", ["sudo", "sudo ls"]],
    ["xargs", ["ls | xargs rm", "ls | xargs"]],
    ["env", ["env", "env X=1 ls"]],
    ["yarn", ["yarn", "yarn test"]],
    ["docker exec", ["docker exec web ls"]],
  ])("%s covers nothing else", async (entry, commands) => {
    for (const command of commands) expect(await verdict(entry, command), command).toBe("ask");
  });
});

/** The verdict in a folder with these files. */
async function inFolder(entry: string, files: string[], commands: [ShellKind, string, "allow" | "ask"][]) {
  const { host, at } = await project();
  for (const name of files) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), "");
  }
  const settings = settingsSchema.parse({ commands: { allow: [entry] }, approval: { commandSafe: true } });
  for (const [kind, command, expected] of commands) {
    const judge = new Judge({ ...host, shell: { ...host.shell, kind } }, () => settings);
    const judged = await judge.permission({ access: "command" }, { paths: [], command }, "act");
    expect(judged.verdict, `${kind}: ${command} under ${entry}: ${told(judged.reason)}`).toBe(expected);
  }
}

describe("an entry that names a file", () => {
  it("covers that file by its spellings, in every shell", async () => {
    await inFolder(
      "./scripts/check.sh",
      ["scripts/check.sh", "sub/scripts/check.sh"],
      [
        ["bash", "./scripts/check.sh", "allow"],
        ["zsh", "scripts/check.sh", "allow"],
        ["fish", "./scripts/check.sh", "allow"],
        ["fish", "./scripts/check.sh --verbose", "ask"],
        ["bash", "./scripts/CHECK.sh", "ask"],
        ["bash", "./scripts/check", "ask"],
        ["bash", "check.sh", "ask"],
        ["bash", "../scripts/check.sh", "ask"],
        ["bash", "/scripts/check.sh", "ask"],
        ["bash", "./scripts/../scripts/check.sh", "ask"],
        ["bash", "cd sub && ./scripts/check.sh", "ask"],
        ["bash", "cd sub; ./scripts/check.sh", "ask"],
        ["bash", "./scripts/check.sh --config=x", "ask"],
      ],
    );
    await inFolder(
      "scripts\\check.bat",
      ["scripts/check.bat"],
      [
        ["cmd", "scripts\\check.bat", "allow"],
        ["cmd", ".\\scripts\\check.bat", "allow"],
        ["cmd", ".\\scripts\\check", "ask"],
        ["cmd", "SCRIPTS\\Check.BAT", "allow"],
        ["cmd", "scripts/check.bat", "ask"],
        ["cmd", "scripts\\check.exe", "ask"],
        ["powershell", ".\\scripts\\check.bat", "allow"],
        ["powershell", "./scripts/check", "ask"],
        ["powershell", "scripts\\check.bat", "allow"],
        ["powershell", ".\\scripts\\other.bat", "ask"],
        ["powershell", "..\\scripts\\check.bat", "ask"],
      ],
    );
    await inFolder(
      ".\\build.ps1",
      ["build.ps1"],
      [
        ["powershell", ".\\build.ps1", "allow"],
        ["powershell", "./Build.ps1", "allow"],
        ["powershell", ".\\build", "ask"],
        ["powershell", "build.ps1", "ask"],
      ],
    );
  });

  it("covers it in the project's own folder alone", async () => {
    await inFolder(
      "node scripts/check.mjs",
      ["scripts/check.mjs", "sub/scripts/check.mjs"],
      [
        ["bash", "node scripts/check.mjs", "allow"],
        ["powershell", "node scripts\\check.mjs", "allow"],
        ["bash", "cd sub && node scripts/check.mjs", "ask"],
      ],
    );
  });
});

describe("an entry for a script or a build", () => {
  it("counts in the project's folders, and not in those of others' code or behind a link", async () => {
    const { host, at } = await project();
    for (const name of ["src/deep", "packages/app", "node_modules/x", "vendor/x", "retargeted"])
      await mkdir(at(name), { recursive: true });
    await symlink(at("node_modules"), at("src/linked"));
    await symlink(at("packages/app"), at("app"));
    const settings = settingsSchema.parse({
      commands: { allow: ["npm test", "make", "npx tsc --noEmit", "pytest -x", "cd"] },
      approval: { commandSafe: true },
    });
    const verdicts: Record<string, string> = {};
    const judge = new Judge(host, () => settings);
    for (const folder of [
      "src",
      "./src/deep/..",
      "packages/app",
      "retargeted",
      at("src"),
      "node_modules/x",
      at("node_modules/x"),
      "vendor/x",
      "src/linked/x",
      "src/../node_modules/x",
      "app",
    ]) {
      for (const run of ["npm test", "make", "npx tsc --noEmit", "pytest -x"]) {
        const command = `cd ${folder} && ${run}`;
        const judged = await judge.permission({ access: "command" }, { paths: [], command }, "act");
        verdicts[folder] = `${verdicts[folder] ?? ""} ${judged.verdict}`;
      }
    }
    const [runs, asks] = [" allow".repeat(4), " ask".repeat(4)];
    expect(Object.values(verdicts), JSON.stringify(verdicts)).toEqual([
      ...[runs, runs, runs, runs, runs],
      ...[asks, asks, asks, asks, asks, asks],
    ]);
  });
});
