/** Git on real repositories: what is told, and that nothing of theirs runs. */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitSnapshots } from "../../../src/node/git/git-snapshots.ts";
import { createGit } from "../../../src/node/git/repository.ts";
import { findRipgrep } from "../../../src/node/search/ripgrep.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";
import { createNodeHost } from "../../support/node-host.ts";
import { git as inRepository, repository, write } from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

let folder = "";
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=N", "-c", "user.email=n@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
const bounds = () => ({ limit: 10_000, signal: new AbortController().signal });
const reader = createGit(process.env, () => []);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "nekode-git-"));
  git("init", "--quiet", "--initial-branch=main");
  await writeFile(path.join(folder, "猫.txt"), "one\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "Add a cat");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("git", () => {
  it("tells the working state and a commit", async () => {
    expect(await reader.workingState(folder, bounds())).toContain("nothing is uncommitted");
    await writeFile(path.join(folder, "猫.txt"), "two\n");
    await writeFile(path.join(folder, "new.txt"), "new\n");
    const state = await reader.workingState(folder, bounds());
    expect(state).toContain("## main");
    expect(state).toContain("?? new.txt");
    expect(state).toContain("-one\n+two");
    const hash = git("rev-parse", "HEAD").trim();
    expect(await reader.commit(folder, hash.slice(0, 8), bounds())).toContain("Add a cat");
    expect(await reader.commits(folder, "CAT", bounds())).toEqual([
      expect.objectContaining({ hash, subject: "Add a cat" }),
    ]);
    expect(await reader.commits(folder, hash.slice(0, 7), bounds())).toHaveLength(1);
    expect(await reader.commits(folder, "no such", bounds())).toEqual([]);
  });

  it("keeps to its limit, and says what is wrong", async () => {
    await writeFile(path.join(folder, "猫.txt"), "long line\n".repeat(50_000));
    expect((await reader.workingState(folder, { ...bounds(), limit: 2_000 })).length).toBeLessThan(5_000);
    await expect(reader.commit(folder, "--output=x", bounds())).rejects.toThrow("hash");
    await expect(reader.commit(folder, "deadbeefdeadbeef", bounds())).rejects.toThrow();
    await expect(reader.workingState(os.tmpdir(), bounds())).rejects.toThrow("not in a Git repository");
  });

  it("starts no program of the project, whatever PATH says", async () => {
    const root = await repository({ "a.txt": "a\n" });
    const base = await temporaryFolder();
    const proof = path.join(base, "ran");
    const evil = `#!/bin/sh\necho "$0 $@" >> ${proof}\n`;
    const bin = path.join(root, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    for (const name of ["git", "rg", "sh", "stty", "ps", "less", "ssh", "gpg", "cat", "env"])
      await writeFile(path.join(bin, name), evil, { mode: 0o755 });
    await write(root, { "a.txt": "changed\n" });
    for (const first of [bin, "node_modules/.bin", "", "."]) {
      const environment = { ...process.env, PATH: `${first}${path.delimiter}${process.env.PATH}` };
      const { host } = createNodeHost({
        root,
        dataDir: path.join(base, "data"),
        assetsDir: path.join(base, "assets"),
        rgPath: await findRipgrep(undefined, [import.meta.dirname]),
        environment,
        log: { info: () => undefined, error: () => undefined },
      });
      expect(await host.git?.workingState(root, bounds())).toContain("+changed");
      await host.search.files(root, { limit: 10, signal: bounds().signal });
      const snapshots = new GitSnapshots({
        root,
        privateDir: path.join(base, "private"),
        environment,
        log: host.log,
      });
      expect(await snapshots.take()).toHaveProperty("tree");
      await snapshots.dispose();
      const shell = createShell({
        environment,
        roots: () => [root],
        watch: () => ({ output: () => undefined, ended: () => undefined }),
      });
      const options = { cwd: root, timeoutMs: 60_000, signal: bounds().signal, onOutput: () => undefined };
      expect((await shell.run("echo here", options)).exitCode).toBe(0);
      shell.dispose();
      host.shell.dispose();
    }
    expect(existsSync(proof) ? readFileSync(proof, "utf8") : "").toBe("");
  });

  it("runs no filter, signature check or transport that a repository configures, in a submodule neither", async () => {
    const root = await repository({ "a.evil": "a\n", "b.txt": "b\n" });
    const proof = path.join(await temporaryFolder(), "ran");
    const program = path.join(path.dirname(proof), "evil");
    await writeFile(program, `#!/bin/sh\necho "$0 $@" >> ${proof}\ncat\n`, { mode: 0o755 });
    const sub = path.join(root, "sub");
    write(sub, { x: "x" });
    inRepository(sub, "init", "-q");
    inRepository(sub, "add", "x");
    inRepository(sub, "commit", "-qm", "n");
    inRepository(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
    inRepository(root, "commit", "-qm", "with a submodule");
    // A commit that says it is signed, and one whose file is not there.
    const signed = inRepository(root, "cat-file", "commit", "HEAD").replace(
      "\n\n",
      "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
    );
    write(root, { commit: signed });
    inRepository(
      root,
      "update-ref",
      "HEAD",
      inRepository(root, "hash-object", "-t", "commit", "-w", "commit").trim(),
    );
    const blob = inRepository(root, "rev-parse", "HEAD:b.txt").trim();
    await rm(path.join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    const hostile = [
      '[filter "evil"]',
      ...["clean", "smudge"].map((name) => `${name} = ${program}`),
      "required = true",
      '[filter "a=b"]',
      ...["clean", "process"].map((name) => `${name} = ${program}`),
      '[diff "evil"]',
      `command = ${program}`,
      `textconv = ${program}`,
      "[log]",
      "showSignature = true",
      "[gpg]",
      `program = ${program}`,
      "[status]",
      "submoduleSummary = true",
      '[remote "origin"]',
      `url = ${root}`,
      `uploadpack = ${program}`,
      "promisor = true",
      "[extensions]",
      "partialClone = origin",
      "[protocol]",
      "allow = always",
    ].join("\n");
    for (const place of [root, sub]) {
      appendFileSync(path.join(place, ".git/config"), `\n${hostile}\n`);
      write(place, { ".gitattributes": "* filter=evil diff=evil\nb.txt filter=a=b\n" });
    }
    // Of the same size: git has to look into them.
    write(root, { "a.evil": "A\n", "b.txt": "B\n" });
    write(sub, { x: "X" });
    const state = await reader.workingState(root, bounds()).catch(String);
    expect(state).toContain("a.evil");
    await reader.commit(root, inRepository(root, "rev-parse", "HEAD").trim(), bounds()).catch(String);
    await reader.commits(root, "submodule", bounds());
    expect(existsSync(proof) ? readFileSync(proof, "utf8") : "").toBe("");
  });

  it("says no where a filter cannot be switched off", async () => {
    const root = await repository({ "a.txt": "a\n" });
    const proof = path.join(await temporaryFolder(), "ran");
    const config = Buffer.concat([
      Buffer.from('\n[filter "'),
      Buffer.from([0xff]),
      Buffer.from(`"]\nclean = touch ${proof}\n`),
    ]);
    appendFileSync(path.join(root, ".git/config"), config);
    write(root, { ".gitattributes": Buffer.concat([Buffer.from("* filter="), Buffer.from([0xff, 0x0a])]) });
    write(root, { "a.txt": "A\n" });
    await expect(reader.workingState(root, bounds())).rejects.toThrow("filter");
    expect(existsSync(proof)).toBe(false);
  });

  it("looks at the project's own files, wherever its configuration points", async () => {
    const secret = await temporaryFolder();
    write(secret, { "a.txt": "a secret\n" });
    const root = await repository({ "a.txt": "a\n" });
    inRepository(root, "config", "core.worktree", secret);
    write(root, { "a.txt": "mine\n" });
    const state = await reader.workingState(root, bounds());
    expect(state).toContain("+mine");
    expect(state).not.toContain("secret");
  });

  it("runs nothing that the repository configures", async () => {
    const trace = path.join(folder, "ran");
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "pager.status"])
      git("config", key, `touch ${trace}`);
    await reader.workingState(folder, bounds());
    await reader.commit(folder, git("rev-parse", "HEAD").trim(), bounds());
    expect(existsSync(trace)).toBe(false);
  });
});
