/** Folders of skills, commands and rules on a real disk: links, repositories above the workspace, odd files, and many files at once. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { surveyAgents } from "../../../src/core/instructions/agent-catalogue.ts";
import { readCallable, readSkills, surveyCatalogue } from "../../../src/core/instructions/catalogue.ts";
import { readRules } from "../../../src/core/instructions/rules.ts";
import type { Host } from "../../../src/core/ports/host.ts";
import { defaultSettings } from "../../../src/shared/settings.ts";
import { project } from "../../support/tools-on-disk.ts";
import { neverAborted } from "./support.ts";

const SETTINGS = { rulesOff: [] };
const SKILL = "---\ndescription: Does it.\n---\nDo it.\n";

async function files(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

/** A project whose user has a home folder beside it. */
async function open() {
  const { host, root } = await project();
  const home = path.join(root, "..", "home");
  await mkdir(home);
  const own: Host = { ...host, system: { ...host.system, home } };
  return { host: own, root, home };
}

async function states(host: Host): Promise<Record<string, string>> {
  const all = await surveyCatalogue(host, SETTINGS, neverAborted);
  return Object.fromEntries(
    all.map(({ file, state, problems: [first] }) => [
      file.name,
      state === "on" ? "on" : (first?.code ?? state),
    ]),
  );
}

describe("a link", () => {
  it("to the project's own files is used once; one that leaves it, and one to a secret, are refused", async () => {
    const { host, root } = await open();
    await files(root, {
      ".agents/skills/shared/SKILL.md": SKILL,
      ".env": "KEY=SECRET-VALUE",
      "docs/text.md": "Say it.",
      "../outside/SKILL.md": `${SKILL}SECRET-VALUE`,
      "../outside/c.md": "SECRET-VALUE",
      ".claude/skills/real/SKILL.md": SKILL,
      ".claude/skills/secret/notes.md": "",
    });
    await mkdir(path.join(root, ".claude/commands"), { recursive: true });
    for (const [name, target] of [
      [".claude/skills/shared", "../../.agents/skills/shared"],
      [".claude/skills/out", "../../../outside"],
      [".claude/skills/round", ".."],
      [".claude/skills/gone", "nowhere"],
      [".claude/skills/secret/SKILL.md", "../../../.env"],
      [".claude/commands/env.md", "../../.env"],
      [".claude/commands/text.md", "../../docs/text.md"],
      [".claude/commands/out.md", "../../../outside/c.md"],
      [".claude/commands/loop.md", "loop.md"],
      [".claude/commands/all", ".."],
      [".opencode", "../outside"],
    ] as const)
      await symlink(target, path.join(root, name));
    expect(await states(host)).toEqual({
      ".agents/skills/shared/SKILL.md": "on",
      ".claude/skills/out/SKILL.md": "elsewhere",
      ".claude/skills/real/SKILL.md": "on",
      ".claude/skills/secret/SKILL.md": "secret",
      ".claude/commands/env.md": "secret",
      ".claude/commands/text.md": "on",
      ".claude/commands/out.md": "elsewhere",
      ".claude/commands/loop.md": "unreadable",
    });
    expect(JSON.stringify(await readCallable(host, SETTINGS, neverAborted))).not.toContain("SECRET");
  });

  it("in the user's own folder may lead to another folder of theirs, and nowhere else", async () => {
    const { host, root, home } = await open();
    await files(home, { ".agents/skills/a/SKILL.md": SKILL, "dotfiles/skills/b/SKILL.md": SKILL });
    await files(root, { "../outside/SKILL.md": SKILL });
    await mkdir(path.join(home, ".claude/skills"), { recursive: true });
    await symlink("../../.agents/skills/a", path.join(home, ".claude/skills/a"));
    await symlink("../../dotfiles/skills/b", path.join(home, ".claude/skills/b"));
    await symlink("../../../outside", path.join(home, ".claude/skills/c"));
    await symlink("../dotfiles/skills", path.join(home, "link"));
    await mkdir(path.join(home, ".codex"));
    await symlink("../dotfiles/skills", path.join(home, ".codex/skills"));
    expect(await states(host)).toEqual({
      "~/.agents/skills/a/SKILL.md": "on",
      "~/.claude/skills/b/SKILL.md": "on",
      "~/.claude/skills/c/SKILL.md": "elsewhere",
    });
  });
});

it("agents and modes behind links that leave the project, or that lead to secrets, are refused", async () => {
  const { host, root, home } = await open();
  await files(root, {
    ".env": "KEY=SECRET-VALUE",
    "docs/agent.md": "---\nname: linked\n---\nBe brief.\n",
    "../outside/a.md": "---\nname: out\n---\nSECRET-VALUE\n",
    "../outside/modes.yaml": "customModes: [{ slug: out, roleDefinition: SECRET-VALUE, groups: [read] }]\n",
    ".claude/agents/plain.md": "---\nname: plain\n---\nBe brief.\n",
  });
  await files(home, { ".nekode/agents/mine.md": "Mine.\n" });
  for (const [name, target] of [
    [".roomodes", "../outside/modes.yaml"],
    [".claude/agents/out.md", "../../../outside/a.md"],
    [".claude/agents/env.md", "../../.env"],
    [".claude/agents/linked.md", "../../docs/agent.md"],
    [".claude/agents/deep", "../../../outside"],
    [".opencode", "../outside"],
  ] as const)
    await symlink(target, path.join(root, name));
  const judged = await surveyAgents(host, SETTINGS);
  expect(
    Object.fromEntries(
      judged.map(({ file, state, problems: [first] }) => [file.name, state === "on" ? "on" : first?.code]),
    ),
  ).toEqual({
    ".claude/agents/env.md": "secret",
    ".claude/agents/linked.md": "on",
    ".claude/agents/out.md": "elsewhere",
    ".claude/agents/plain.md": "on",
    ".roomodes": "elsewhere",
    "~/.nekode/agents/mine.md": "on",
  });
  expect(JSON.stringify(judged)).not.toContain("SECRET-VALUE");
});

it("names in .nekodeignore are not read, and other encodings are", async () => {
  const { host, root } = await open();
  await files(root, {
    ".nekodeignore": ".claude/skills/kept/\n",
    ".claude/skills/kept/SKILL.md": SKILL,
    ".claude/skills/a/SKILL.md": SKILL,
  });
  await mkdir(path.join(root, ".claude/commands"));
  await writeFile(path.join(root, ".claude/commands/sixteen.md"), Buffer.from("\ufeffSay it.", "utf16le"));
  await writeFile(path.join(root, ".claude/commands/binary.md"), Buffer.from([0, 1, 2, 255, 254, 0]));
  const found = await states(host);
  expect(found[".claude/skills/kept/SKILL.md"]).toBe("ignored");
  expect(found[".claude/commands/binary.md"]).toBe("not-text");
  const callable = await readCallable(host, SETTINGS, neverAborted);
  expect(callable.map(({ name, body }) => [name, body]).slice(0, 2)).toEqual([
    ["a", "Do it."],
    ["sixteen", "Say it."],
  ]);
});

it("folders above the workspace count up to the root of its repository, if git takes that for the user's own", async () => {
  const { host, root } = await open();
  const inner = path.join(root, "packages/web");
  await files(root, { ".claude/skills/top/SKILL.md": SKILL, "packages/.claude/skills/mid/SKILL.md": SKILL });
  await files(root, { "CLAUDE.md": "Of all. @style.md", "style.md": "Style.", "packages/AGENTS.md": "Mid." });
  await files(inner, { ".claude/skills/own/SKILL.md": SKILL, "AGENTS.md": "Own." });
  await files(root, { "../.claude/skills/beyond/SKILL.md": SKILL });
  await mkdir(path.join(root, ".git"));
  const asked: string[] = [];
  const workspaceOf = (answer: () => string): Host => ({
    ...host,
    workspace: { root: inner, roots: [{ name: "web", path: inner }], trusted: true },
    git: {
      ...(host.git as NonNullable<Host["git"]>),
      async ask(folder, args) {
        asked.push(`${folder === inner} ${args.join(" ")}`);
        return answer();
      },
    },
  });
  const names = async (other: Host) =>
    (await readSkills(other, SETTINGS, neverAborted)).map(({ file }) => file);
  expect(await names(workspaceOf(() => `${root}\n`))).toEqual([
    "../.claude/skills/mid/SKILL.md",
    ".claude/skills/own/SKILL.md",
    "../../.claude/skills/top/SKILL.md",
  ]);
  expect(asked).toEqual(["true rev-parse --show-toplevel"]);
  const rules = async (other: Host) =>
    (await readRules(other, defaultSettings.context, neverAborted)).rules.map(({ name }) => name);
  expect(await rules(workspaceOf(() => root))).toEqual([
    ...["../../CLAUDE.md", "../../style.md", "../AGENTS.md", "AGENTS.md"],
  ]);
  const refused = workspaceOf(() => {
    throw new Error("dubious ownership");
  });
  expect(await names(refused)).toEqual([".claude/skills/own/SKILL.md"]);
  expect(await rules(refused)).toEqual(["AGENTS.md"]);
});

it("a folder without end is read up to a limit", async () => {
  const { host, root } = await open();
  await files(root, {
    ".claude/skills/1/2/3/4/5/SKILL.md": SKILL,
    ".claude/skills/1/2/3/4/5x/6/SKILL.md": SKILL,
  });
  for (let n = 0; n < 2_100; n++) await mkdir(path.join(root, `.agents/skills/${n}`), { recursive: true });
  const found = await readSkills(host, SETTINGS, neverAborted);
  expect(found.length).toBeLessThanOrEqual(1);
});
