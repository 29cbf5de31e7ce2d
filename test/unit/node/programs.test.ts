/** Where Nekode's own programs come from: never from a folder of the workspace, whatever PATH says. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../../src/core/loop/calls/permission.ts";
import {
  belongsTo,
  findProgram,
  shadowingEntry,
  systemProgram,
  withSafePath,
} from "../../../src/node/find-programs.ts";
import { findRipgrep } from "../../../src/node/search/ripgrep.ts";
import { userShell } from "../../../src/node/shell/shell-program.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import { project } from "../../support/tools-on-disk.ts";
import { temporaryFolder } from "./support.ts";

async function program(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, "#!/bin/sh\nexit 0\n");
  await chmod(file, 0o755);
}

/** A project with programs of its own, a folder beside it with honest ones, and links between the two. */
async function machine() {
  const base = await temporaryFolder();
  const at = (name: string) => path.join(base, name);
  for (const name of ["git", "rg", "bash", "only"]) await program(at(`project/node_modules/.bin/${name}`));
  for (const name of ["git", "rg", "bash"]) await program(at(`system/${name}`));
  await symlink("project/node_modules/.bin", at("to-project"));
  await mkdir(at("linked"));
  await symlink("../project/node_modules/.bin/git", at("linked/git"));
  await symlink("../../system", at("project/to-system"));
  await symlink("project/to-system", at("through-project"));
  await symlink(at("project"), at("alias"));
  await writeFile(at("linked/rg"), "not a program");
  await mkdir(at("folders/git"), { recursive: true });
  return { at, roots: [at("project")], honest: at("system/git") };
}

const HOSTILE = [
  "project/node_modules/.bin",
  "to-project",
  "linked",
  "project/to-system",
  "through-project",
  "alias/node_modules/.bin",
  "system/../project/node_modules/.bin",
  "folders",
];
const RELATIVE = ["", ".", "node_modules/.bin", "./bin", "../project/node_modules/.bin"];

describe("Nekode's own programs", () => {
  it("come from no folder of the workspace, and through no link in one", async () => {
    const { at, roots, honest } = await machine();
    for (const entry of [...HOSTILE.map(at), ...RELATIVE]) {
      const environment = { PATH: [entry, at("system")].join(path.delimiter) };
      expect(findProgram("git", environment, roots), entry).toBe(honest);
      expect(findProgram("git", { PATH: entry }, roots), entry).toBeUndefined();
      expect(findProgram("only", environment, roots), entry).toBeUndefined();
    }
    expect(findProgram("git", {}, roots)).toBeUndefined();
    expect(findProgram("git", { PATH: at("project/node_modules/.bin") }, [])).toBeDefined();
    // A workspace that is the whole disk would leave nothing.
    expect(findProgram("git", { PATH: at("system") }, ["/"])).toBe(honest);
  });

  it("see a workspace by its link as well as by its real path", async () => {
    const { at, honest } = await machine();
    const environment = { PATH: [at("project/node_modules/.bin"), at("system")].join(path.delimiter) };
    expect(findProgram("git", environment, [at("alias")])).toBe(honest);
    expect(belongsTo(at("project-two/git"), [at("project")])).toBe(false);
  });

  it("look for theirs in safe folders only", async () => {
    const { at, roots } = await machine();
    const entries = [...HOSTILE.slice(0, 2).map(at), ...RELATIVE, at("system")];
    const made = withSafePath({ PATH: entries.join(path.delimiter), HOME: "/h" }, roots);
    expect(made).toEqual({ PATH: at("system"), HOME: "/h" });
  });

  it("are ripgrep and the shell, too", async () => {
    const { at, roots } = await machine();
    const PATH = [at("project/node_modules/.bin"), at("system")].join(path.delimiter);
    expect(await findRipgrep(undefined, ["/"], { PATH }, roots)).toBe(at("system/rg"));
    const own = at("project/node_modules/.bin/bash");
    const shell = userShell({}, own, "linux", roots);
    expect(shell).toMatchObject({ insteadOf: { path: own, why: "in-project" } });
    expect(shell.path).not.toBe(own);
    expect(userShell({}, at("system/bash"), "linux", roots).path).toBe(at("system/bash"));
  });

  it("of the system do not depend on PATH", () => {
    expect(systemProgram("sh")).toMatch(/^\/(?:usr\/)?bin\/sh$/);
    expect(systemProgram("no-such-program")).toBeUndefined();
  });
});

describe("commands", () => {
  async function judged(
    entries: (at: (name: string) => string) => string[],
    kind: "bash" | "fish" | "powershell",
  ) {
    const { at, roots } = await machine();
    const environment = { PATH: entries(at).join(path.delimiter) };
    const { host } = await project();
    const settings = settingsSchema.parse({
      approval: { commandSafe: true },
      commands: { allow: ["git status", "rg", "echo", "Get-Content", "nice"] },
    });
    const shell = {
      ...host.shell,
      kind,
      shadowingEntry: (name: string) => shadowingEntry(name, environment, roots),
    };
    const judge = new Judge({ ...host, shell }, () => settings);
    return async (command: string) => judge.permission({ access: "command" }, { paths: [], command }, "act");
  }

  it("ask while the project decides what a program is, and say so", async () => {
    for (const kind of ["bash", "fish", "powershell"] as const) {
      const entries = [
        ...HOSTILE.slice(0, 6).map((name) => (at: (file: string) => string) => at(name)),
        ...RELATIVE.map((name) => () => name),
      ];
      for (const entry of entries) {
        const ask = await judged((at) => [entry(at), at("system")], kind);
        const { verdict, reason } = await ask("git status");
        expect([verdict, reason], `${kind} ${entry}`).toEqual([
          "ask",
          { code: "program-from-project", values: ["git", expect.stringMatching(/./s)] },
        ]);
      }
    }
  });

  it("run where nothing of the project comes first", async () => {
    for (const late of [[], ["project/node_modules/.bin"], ["to-project"]]) {
      const ask = await judged((at) => [at("system"), ...late.map(at), "."], "bash");
      expect((await ask("git status && rg x | rg y")).verdict).toBe("allow");
      expect((await ask("git status && only x")).verdict).toBe("ask");
    }
  });

  it("are the shell's own words whatever PATH says", async () => {
    expect((await (await judged(() => ["."], "bash"))("echo hello")).verdict).toBe("allow");
    expect((await (await judged(() => ["."], "powershell"))("Get-Content a.txt")).verdict).toBe("allow");
    expect(
      (await (await judged((at) => [at("project/node_modules/.bin")], "bash"))("nice rg x")).verdict,
    ).toBe("ask");
  });
});
