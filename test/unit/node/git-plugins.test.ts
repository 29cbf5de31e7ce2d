/** Plugins from real git repositories: a commit is read without a working tree, so that nothing in it runs. */
import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../../../src/node/run-program.ts";
import { claudeManifest, skillText } from "../core/plugins/support.ts";
import { pluginUser, writeFiles } from "./plugin-support.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

const FILES = {
  ".claude-plugin/plugin.json": claudeManifest({ version: "1.0" }),
  "skills/one/SKILL.md": skillText("one"),
  "run.sh": "#!/bin/sh\n",
};

async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = [
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@example.com",
    "-c",
    "protocol.file.allow=always",
  ];
  const { exitCode, stdout, stderr } = await runProgram({
    ...{ file: "git", args: [...identity, ...args], cwd, environment: process.env, outputLimit: 100_000 },
    ...{ signal: neverAborted, scope: "process" as const },
  });
  if (exitCode !== 0) throw new Error(Buffer.from(stderr.bytes).toString());
  return Buffer.from(stdout.bytes).toString().trim();
}

/** A repository with one commit of these files. */
async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await writeFiles(await temporaryFolder(), files);
  await git(folder, "init", "--quiet", "-b", "main");
  await commit(folder);
  return folder;
}

async function commit(folder: string): Promise<string> {
  await git(folder, "add", "--all", "--force");
  await git(folder, "commit", "--quiet", "--allow-empty", "-m", "x");
  return git(folder, "rev-parse", "HEAD");
}

it("installs a branch, a tag or a commit, and an update gets what is there now", async () => {
  const user = await pluginUser();
  const folder = await repository(FILES);
  const first = await git(folder, "rev-parse", "HEAD");
  await git(folder, "tag", "v1");
  await writeFile(path.join(folder, "skills/one/SKILL.md"), skillText("one", "Newer."));
  const second = await commit(folder);

  await user.cli(["add", `${folder}#main`, "--yes"]);
  expect([...(await user.installed.all()).values()]).toMatchObject([{ commit: second }]);
  expect((await user.installed.active())[0]).toMatchObject({ skills: ["skills/one/SKILL.md"] });
  expect((await user.installed.all()).get("tools")?.files["run.sh"]).toMatchObject({ isExecutable: true });
  await writeFile(path.join(folder, "notes.md"), "x");
  const third = await commit(folder);
  expect((await user.cli(["update", "--yes"])).text).toContain("added: notes.md");
  expect([...(await user.installed.all()).values()]).toMatchObject([{ commit: third }]);
  for (const [ref, hash] of [
    ["v1", first],
    [first, first],
    [second, second],
  ] as const) {
    await user.cli(["remove", "tools"]);
    await user.cli(["add", `${folder}#${ref}`, "--yes"]);
    expect([...(await user.installed.all()).values()]).toMatchObject([{ commit: hash }]);
  }
  expect(await user.cli(["update"])).toMatchObject({ text: "The plugin tools is up to date.\n" });
  await user.cli(["remove", "tools"]);
  expect(await user.cli(["add", `${folder}#none`, "--yes"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("git-failed"),
  });
});

it("runs no hook, no filter and no helper of the repository, of the user or of the environment", async () => {
  const user = await pluginUser();
  const marks = await temporaryFolder();
  const touch = (name: string) => `touch ${path.join(marks, name)}`;
  const folder = await repository({
    ...FILES,
    ".gitattributes": "*.md filter=evil text eol=crlf\n* export-ignore\n",
    ".githooks/post-checkout": `#!/bin/sh\n${touch("versioned-hook")}\n`,
  });
  for (const [key, value] of [
    ["filter.evil.smudge", touch("smudge")],
    ["filter.evil.process", touch("process")],
    ["core.fsmonitor", touch("fsmonitor")],
    ["core.hooksPath", path.join(folder, ".githooks")],
    ["uploadpack.packObjectsHook", touch("pack")],
  ] as const)
    await git(folder, "config", key, value);
  for (const name of ["post-checkout", "post-merge", "reference-transaction", "post-index-change"]) {
    const hook = path.join(folder, ".git", "hooks", name);
    await writeFile(hook, `#!/bin/sh\n${touch(name)}\n`);
    await chmod(hook, 0o755);
  }
  await writeFiles(user.home, {
    ".gitconfig": `[init]\n\ttemplateDir = ${folder}\n[core]\n\thooksPath = ${folder}/.githooks\n[filter "evil"]\n\tsmudge = ${touch("user")}\n`,
  });
  expect(await user.cli(["add", `${folder}#HEAD`, "--yes"])).toMatchObject({ code: 0 });
  const [plugin] = await user.installed.active();
  // The exact bytes, and no file left out.
  expect(Object.keys((await user.installed.get("tools")).files)).toContain(".gitattributes");
  expect(plugin?.skills).toEqual(["skills/one/SKILL.md"]);
  for (const name of [
    "versioned-hook",
    "smudge",
    "process",
    "fsmonitor",
    "pack",
    "post-checkout",
    "reference-transaction",
    "user",
  ])
    expect(existsSync(path.join(marks, name)), name).toBe(false);
});

it("refuses submodules, and links that leave the plugin", async () => {
  const user = await pluginUser();
  const inner = await repository({ "a.md": "A" });
  const folder = await repository(FILES);
  await git(folder, "submodule", "--quiet", "add", inner, "inner");
  await commit(folder);
  expect(await user.cli(["add", `${folder}#HEAD`, "--yes"])).toMatchObject({
    code: 1,
    text: "submodule\ninner",
  });
  const linked = await repository({ ...FILES, "skills/one/x.md": "->../../../../etc/passwd" });
  expect(await user.cli(["add", `${linked}#HEAD`, "--yes"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("link-outside"),
  });
  expect(await user.installed.all()).toEqual(new Map());
});

it("a tree with the name .git, which git itself would not check out, is left out", async () => {
  const user = await pluginUser();
  const folder = await repository(FILES);
  const blob = await git(folder, "rev-parse", "HEAD:run.sh");
  const tree = await git(folder, "rev-parse", "HEAD^{tree}");
  const listing = Buffer.concat(
    [["100755", "config", blob]].map(([mode, name, hash]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash ?? "", "hex")]),
    ),
  );
  const write = async (content: Buffer) => {
    const file = path.join(folder, ".git", "tree");
    await writeFile(file, content);
    return git(folder, "hash-object", "-t", "tree", "-w", "--literally", file);
  };
  const evil = await write(listing);
  const { stdout } = await runProgram({
    ...{ file: "git", args: ["cat-file", "tree", tree], cwd: folder, environment: process.env },
    ...{ outputLimit: 100_000, scope: "process" as const },
  });
  const top = await write(
    Buffer.concat([Buffer.from("40000 .GIT\0"), Buffer.from(evil, "hex"), Buffer.from(stdout.bytes)]),
  );
  const made = await git(folder, "commit-tree", "-m", "x", top);
  await git(folder, "update-ref", "refs/heads/evil", made);
  expect(await user.cli(["add", `${folder}#evil`, "--yes"])).toMatchObject({ code: 0 });
  expect(Object.keys((await user.installed.get("tools")).files)).not.toContain(".GIT/config");
});

it("reads a marketplace in a repository, and only the folder of the plugin", async () => {
  const user = await pluginUser();
  const plugins = [{ name: "tools", source: "./plugins/tools" }];
  const folder = await repository({
    ".claude-plugin/marketplace.json": JSON.stringify({ plugins }),
    "big.md": "x",
  });
  await writeFiles(path.join(folder, "plugins/tools"), FILES);
  const hash = await commit(folder);
  expect(await user.cli(["add", `${folder}#main`, "--yes"])).toMatchObject({ code: 0 });
  const plugin = await user.installed.get("tools");
  expect(plugin).toMatchObject({ commit: hash });
  expect(Object.keys(plugin.files)).toEqual(Object.keys(FILES).sort());
});
