/** Which files of a project the sandbox hides and fixes, and that a change is seen. */
import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { GuardedFileFinder } from "../../../../src/node/sandbox/guarded-files.ts";
import { repositoryRules } from "../../../../src/node/sandbox/repositories.ts";
import { temporaryFolder } from "../support.ts";

async function project(files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

async function foundIn(finder: GuardedFileFinder, root: string, isIgnored?: (name: string) => boolean) {
  const { hidden, fixed, repositories } = await finder.find(isIgnored);
  const names = (files: string[]) => files.map((file) => path.relative(root, file)).sort();
  return { hidden: names(hidden), fixed: names(fixed), repositories: names(repositories) };
}

it("finds secrets and what takes effect by itself, at any depth, and looks into no dependencies", async () => {
  const root = await project({
    ...{ ".env": "", "a/b/.env.local": "", "a/key.pem": "", "src/a.ts": "", "package.json": "{}" },
    ...{
      "AGENTS.md": "",
      ".vscode/settings.json": "",
      "a/.cursor/rules": "",
      ".mcp.json": "",
      ".github/x": "",
    },
    ...{ "node_modules/x/.env": "", ".venv/AGENTS.md": "", ".git/config": "", "a/.git/config": "" },
  });
  expect(await foundIn(new GuardedFileFinder(root), root)).toEqual({
    hidden: [".env", "a/b/.env.local", "a/key.pem"],
    fixed: [".github", ".mcp.json", ".vscode", "AGENTS.md", "a/.cursor"],
    repositories: [".git", "a/.git"],
  });
});

it("hides what a package manager reads at its start only where it holds a secret", async () => {
  const root = await project({
    ".npmrc": "//registry.example/:_authToken=abc\n",
    "a/.npmrc": "engine-strict=true\n//registry.example/:_authToken=${NPM_TOKEN}\n",
  });
  expect((await foundIn(new GuardedFileFinder(root), root)).hidden).toEqual([".npmrc"]);
});

it.skipIf(process.platform === "win32")("waits for no pipe in a file's place", async () => {
  const root = await project({ "a/.git/HEAD": "", "a/.git/objects/x": "" });
  execFileSync("mkfifo", [path.join(root, ".npmrc"), path.join(root, "a/.git/config")]);
  const found = await foundIn(new GuardedFileFinder(root), root);
  expect(found).toEqual({ hidden: [], fixed: [".npmrc"], repositories: ["a/.git"] });
  const git = path.join(root, "a/.git");
  expect(await repositoryRules(git)).toEqual({ folders: [], fixed: [git], placeholders: [] });
});

it("hides what a link with such a name leads to, and what .nekodeignore names", async () => {
  const root = await project({ "config/values.txt": "", "private/notes.md": "" });
  await symlink("config/values.txt", path.join(root, ".env"));
  const finder = new GuardedFileFinder(root);
  expect((await foundIn(finder, root, (name) => name === "private")).hidden).toEqual([
    "config/values.txt",
    "private",
  ]);
});

it("fixes what a link leads to, if that is in the project", async () => {
  const root = await project({ "docs/rules.md": "" });
  await symlink(path.join(root, "docs/rules.md"), path.join(root, "CLAUDE.md"));
  await symlink("/etc/hostname", path.join(root, "GEMINI.md"));
  expect((await foundIn(new GuardedFileFinder(root), root)).fixed).toEqual(["docs/rules.md"]);
});

it("sees what was made and renamed since the last time", async () => {
  const root = await project({ "a/b.txt": "" });
  const finder = new GuardedFileFinder(root);
  expect((await foundIn(finder, root)).hidden).toEqual([]);
  await writeFile(path.join(root, "a/.env"), "");
  expect((await foundIn(finder, root)).hidden).toEqual(["a/.env"]);
  await rename(path.join(root, "a"), path.join(root, "c"));
  expect((await foundIn(finder, root)).hidden).toEqual(["c/.env"]);
});
