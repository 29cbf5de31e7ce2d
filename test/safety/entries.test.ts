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

describe("an entry of several words", () => {
  it.each([
    ["npx tsc", ["npx tsc --noEmit", "npx tsc --noEmit -p tsconfig.json", "npx tsc"]],
    ["npx prettier --check", ["npx prettier --check src", "npx prettier --check --no-color src"]],
    [
      "npx vitest run",
      ["npx vitest run", "npx vitest run --reporter=dot", "npx vitest run src/a.test.ts -t name"],
    ],
    [
      "dotnet build",
      ["dotnet build -c Release", "dotnet build --no-restore", "dotnet build --configuration Debug"],
    ],
    ["dotnet test", ["dotnet test --no-build --filter Name", "dotnet test -v quiet"]],
    ["mkdir", ["mkdir -p src/new/deep", "mkdir --parents out", "mkdir -pv out"]],
    ["./gradlew test", ["./gradlew test --no-daemon", "./gradlew test --offline --info"]],
    ["mvn test", ["mvn test -q", "mvn test -B -DskipTests"]],
    ["ruff check", ["ruff check src", "ruff check --no-fix --select=E501 src"]],
    ["swift build", ["swift build -c release"]],
    ["npm test", ["npm test -- --run", "npm test --silent"]],
  ])("%s covers its ordinary options", async (entry, commands) => {
    for (const command of commands) expect(await verdict(entry, command), command).toBe("allow");
  });

  it.each([
    [
      "npx tsc",
      ["npx tsc --outDir /x", "npx eslint .", "npx -p evil tsc", "npx --yes tsc", "npx tsc -p /x", "npx"],
    ],
    ["npx", ["npx tsc", "npx evil"]],
    ["npx tsx", ["npx tsx a.ts", "npx tsx -e 1"]],
    ["npx node", ["npx node -e 1"]],
    [
      "npx vitest run",
      ["npx vitest run --config x", "npx vitest --globals", "npx vitest run --reporter=./x.js"],
    ],
    [
      "npx jest",
      ["npx jest --filter=x.js", "npx jest --filter x.js", "npx jest --reporters=./x", "npx jest -c x"],
    ],
    [
      "dotnet build",
      ["dotnet build -o /x", "dotnet build -p:X=y", "dotnet build --logger x", "dotnet build -c ../x"],
    ],
    ["dotnet test", ["dotnet test --settings x", "dotnet test --collect x"]],
    ["mkdir", ["mkdir -p .git/hooks", "mkdir -p ../x", "mkdir -m 777 x", "mkdir -Z x"]],
    [
      "./gradlew test",
      ["./gradlew test -I x.gradle", "./gradlew test -Pa=b", "./gradlew publish", "./gradlew test -DskipX"],
    ],
    ["ruff check", ["ruff check --fix src", "ruff check --config x src"]],
    ["npm test", ["npm test -- --globalSetup ./x", "npm test --prefix /x"]],
  ])("%s covers nothing that runs, writes elsewhere or reads more", async (entry, commands) => {
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
        ["fish", "./scripts/check.sh --verbose", "allow"],
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
        ["cmd", ".\\scripts\\check", "allow"],
        ["cmd", "SCRIPTS\\Check.BAT", "allow"],
        ["cmd", "scripts/check.bat", "ask"],
        ["cmd", "scripts\\check.exe", "ask"],
        ["powershell", ".\\scripts\\check.bat", "allow"],
        ["powershell", "./scripts/check", "allow"],
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
        ["powershell", ".\\build", "allow"],
        ["powershell", "build.ps1", "ask"],
      ],
    );
  });

  it("covers a build's own wrapper under its names", async () => {
    const files = ["gradlew", "gradlew.bat", "sub/gradlew"];
    for (const entry of ["gradlew", "./gradlew"]) {
      await inFolder(entry, files, [
        ["bash", "./gradlew --version", "ask"],
        ["bash", "gradlew test", "ask"],
      ]);
    }
    await inFolder("./gradlew test", files, [
      ["bash", "./gradlew test", "allow"],
      ["bash", "gradlew test", "ask"],
      ["bash", "cd sub && ./gradlew test", "ask"],
      ["cmd", "gradlew test", "allow"],
      ["cmd", "gradlew.bat test", "allow"],
      ["cmd", ".\\gradlew test", "allow"],
      ["cmd", "gradlew publish", "ask"],
      ["powershell", ".\\gradlew test", "allow"],
      ["powershell", ".\\gradlew.bat test --offline", "allow"],
      ["powershell", "gradlew test", "ask"],
    ]);
    await inFolder("gradlew test", files, [
      ["bash", "./gradlew test", "allow"],
      ["powershell", ".\\gradlew test", "allow"],
      ["cmd", "gradlew test", "allow"],
    ]);
  });

  it("asks where another program of that name would run first", async () => {
    await inFolder(
      "scripts\\check.bat",
      ["scripts/check.bat", "scripts/check.com"],
      [
        ["cmd", "scripts\\check", "ask"],
        ["cmd", "scripts\\check.bat", "allow"],
        ["powershell", ".\\scripts\\check", "ask"],
      ],
    );
    await inFolder("./gradlew test", ["gradlew"], [["cmd", "gradlew test", "ask"]]);
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
      commands: { allow: ["npm test", "make", "npx tsc", "pytest", "cd"] },
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
