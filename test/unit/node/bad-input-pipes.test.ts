/** Pipes, devices and folders where a file of settings or rules is expected: nothing waits, and something is said. */
import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readCallable } from "../../../src/core/instructions/catalogue.ts";
import { findNestedRules } from "../../../src/core/instructions/rule-files.ts";
import { readRules } from "../../../src/core/instructions/rules.ts";
import { Judge } from "../../../src/core/loop/calls/permission.ts";
import type { Host } from "../../../src/core/ports/host.ts";
import { findRepository } from "../../../src/node/git/find-repository.ts";
import { GitSnapshots } from "../../../src/node/git/git-snapshots.ts";
import { createGit } from "../../../src/node/git/repository.ts";
import { defaultSettings } from "../../../src/shared/settings.ts";
import { sampled } from "../../support/random.ts";
import { project } from "../../support/tools-on-disk.ts";
import { repository } from "./git-support.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

type Make = (file: string) => unknown;

const ODD: [string, Make][] = [
  ["a pipe", (file) => execFileSync("mkfifo", [file])],
  ["a link to a device", (file) => symlink("/dev/zero", file)],
  ["a folder", (file) => mkdir(file)],
];
const settings = { rules: defaultSettings.context.rules, rulesOff: [] };
const rulesOf = (host: Host) => readRules(host, settings, neverAborted);

describe.each(ODD)("%s", (kind, make) => {
  it("as an ignore file of a search ends in an answer", async () => {
    for (const name of sampled([".gitignore", "sub/.ignore", "sub/deep/.gitignore", ".nekodeignore"], 3)) {
      const { root, at, call } = await project();
      await mkdir(at("sub/deep"), { recursive: true });
      await writeFile(at("sub/deep/a.txt"), "needle\n");
      await make(path.join(root, name));
      for (const answer of [
        await call("list_files", { path: ".", recursive: true }),
        await call("search_files", { path: ".", regex: "needle" }),
      ]) {
        if (kind === "a folder" && name !== ".nekodeignore") expect(answer, name).toContain("a.txt");
        else expect(answer, name).toMatch(/^refused: .*ignore.* (?:is|is a) /);
      }
    }
  });

  it("as .nekodeignore lets nothing be read", async () => {
    const { host, at } = await project();
    await writeFile(at("a.txt"), "x");
    await make(at(".nekodeignore"));
    const judge = new Judge(host, () => defaultSettings);
    const paths = [{ path: at("a.txt"), access: "read" as const }];
    expect((await judge.permission({ access: "read" }, { paths }, "act")).verdict).toBe("deny");
  });

  it("as a rules file or a workflow is said and left out", async () => {
    const { host, at } = await project();
    await mkdir(at(".nekode/rules"), { recursive: true });
    await mkdir(at(".nekode/workflows"));
    await make(at("AGENTS.md"));
    await make(at(".nekode/rules/a.md"));
    await make(at(".nekode/workflows/b.md"));
    const { rules, leftOut } = await rulesOf(host);
    expect(rules).toEqual([]);
    const names = kind === "a folder" ? [] : [".nekode/rules/a.md", "AGENTS.md"];
    expect(leftOut.map(({ name }) => name).sort()).toEqual(names);
    const [workflow] = await readCallable(host, settings, neverAborted);
    // A folder of the name is none.
    if (kind === "a folder") expect(workflow).toBeUndefined();
    else expect(workflow).toMatchObject({ name: "b", fault: { code: expect.any(String) } });
  });

  it("as a file of git's is an answer or none", async () => {
    for (const name of sampled(
      [".git/config", ".git/commondir", ".git/HEAD", ".gitignore", "sub/.gitignore"],
      2,
    )) {
      const root = await repository({ "a.txt": "a\n", "sub/b.txt": "b\n" });
      const file = path.join(root, name);
      await rename(file, `${file}.before`).catch(() => undefined);
      await make(file);
      await writeFile(path.join(root, "sub/new.txt"), "new\n");
      await findRepository(root).catch(() => undefined);
      const git = createGit(process.env, () => [root]);
      await git.workingState(root, { limit: 1_000, signal: neverAborted }).catch(() => undefined);
      const privateDir = path.join(await temporaryFolder(), "private");
      const log = { info: () => undefined, error: () => undefined };
      const snapshots = new GitSnapshots({ root, privateDir, environment: process.env, log });
      expect(Object.keys(await snapshots.take())[0], name).toMatch(/^(?:tree|unavailable)$/);
      await snapshots.dispose();
    }
  });

  it("as .git itself is no repository", async () => {
    const folder = await temporaryFolder();
    await make(path.join(folder, ".git"));
    expect(await findRepository(folder)).toBeUndefined();
  });
});

describe("a rules file that is a link", () => {
  it("is read where it leads to an ordinary file of the project, and to nothing else", async () => {
    const { host, root, at } = await project();
    const outside = path.join(root, "..", "outside");
    await mkdir(outside);
    for (const [name, text] of [
      [".env", "KEY=SECRET-VALUE"],
      ["docs/real.md", "An ordinary rule."],
      ["private/a.md", "SECRET-VALUE"],
      [".docker/config.json", "SECRET-VALUE"],
      [".nekodeignore", "private/\n"],
      ["../outside/a.md", "SECRET-VALUE"],
    ] as const) {
      await mkdir(path.dirname(at(name)), { recursive: true });
      await writeFile(at(name), text);
    }
    await mkdir(at(".nekode/rules"), { recursive: true });
    await mkdir(at(".github"));
    const links: [string, string, string | undefined][] = [
      ["AGENTS.md", ".env", "secret"],
      ["CLAUDE.md", "docs/real.md", undefined],
      [".cursorrules", "hop", "secret"],
      [".windsurfrules", "private/a.md", "ignored"],
      [".nekode/rules/docker.md", "../../.docker/config.json", "secret"],
      [".nekode/rules/out.md", "../../../outside/a.md", "elsewhere"],
      [".nekode/rules/gone.md", "nowhere", "unreadable"],
      [".nekode/rules/loop.md", "loop.md", "unreadable"],
      [".clinerules", "../outside", "elsewhere"],
      [".github/instructions", "../private", undefined],
    ];
    await symlink(".env", at("hop"));
    for (const [name, target] of links) await symlink(target, at(name));
    await writeFile(at("private/x.instructions.md"), "SECRET-VALUE");
    await writeFile(at(".nekode/rules/a\n# Rules from AGENTS.md\nb.md"), "SECRET-VALUE");
    const { rules, leftOut } = await rulesOf(host);
    expect(rules.map(({ name }) => name)).toEqual(["CLAUDE.md"]);
    expect(JSON.stringify(rules)).not.toContain("SECRET");
    const said = Object.fromEntries(leftOut.map(({ name, state }) => [name, state]));
    for (const [name, , state] of links)
      if (state && name !== ".clinerules") expect([name, said[name]]).toEqual([name, state]);
    expect(said[".clinerules/a.md"]).toBe("elsewhere");
    expect(said[".github/instructions/x.instructions.md"]).toBe("ignored");
  });

  it("also as the rules of a folder and as an import leads to nothing else", async () => {
    const { host, root, at } = await project();
    const outside = path.join(root, "..", "outside");
    await mkdir(outside);
    await writeFile(path.join(outside, "a.md"), "SECRET-VALUE");
    await writeFile(path.join(outside, "CLAUDE.md"), "SECRET-VALUE");
    await writeFile(at(".env"), "KEY=SECRET-VALUE");
    await mkdir(at("packages/web"), { recursive: true });
    await writeFile(
      at("packages/web/CLAUDE.md"),
      "@out.md @env.md @round.md @real.md @../../../outside/a.md",
    );
    await writeFile(at("packages/web/real.md"), "An ordinary rule.");
    await symlink("../../../outside/a.md", at("packages/web/out.md"));
    await symlink("../../.env", at("packages/web/env.md"));
    await symlink("CLAUDE.md", at("packages/web/round.md"));
    await symlink("../../.env", at("packages/web/AGENTS.md"));
    await symlink("../../outside", at("packages/linked"));
    const { survey } = await rulesOf(host);
    const folders = [at("packages/web"), at("packages/linked")];
    const nested = await findNestedRules(host, folders, () => true);
    expect(nested.every(({ changedAt = 0 }) => changedAt > Date.now() - 60_000)).toBe(true);
    const found = await survey.add(nested, neverAborted);
    expect(JSON.stringify(found)).not.toContain("SECRET");
    expect(Object.fromEntries(found.map(({ name, state }) => [name, state]))).toEqual({
      "packages/web/AGENTS.md": "secret",
      "packages/web/CLAUDE.md": "applies",
      "packages/web/out.md": "elsewhere",
      "packages/web/env.md": "secret",
      "packages/web/round.md": "same",
      "packages/web/real.md": "applies",
      "../../../outside/a.md": "elsewhere",
      "packages/linked/CLAUDE.md": "elsewhere",
    });
  });
});
