/** Worktrees whose creation or removal ends in between: by Stop, or because the process dies. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Interrupt } from "../../../src/core/errors.ts";
import { createWorktrees } from "../../../src/node/git/worktrees/node-worktrees.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";
import { takeLock } from "../../../src/node/store/process-locks.ts";
import { isWhole } from "../../support/random.ts";
import { git, repository } from "./git-support.ts";
import { countingGit, type Place, placeAt, traces } from "./git-worktrees-support.ts";
import { neverAborted as signal, temporaryFolder } from "./support.ts";

/** Every so many moments. */
const STEP = isWhole ? 1 : 12;

let maker = "";
/** A repository with a submodule, of which each test has a copy. */
let template = "";

beforeAll(async () => {
  template = mkdtempSync(path.join(tmpdir(), "nekode-ended-"));
  const [inner, root] = [path.join(template, "inner"), path.join(template, "root")];
  for (const folder of [inner, root]) mkdirSync(folder);
  await repository({ "in.txt": "i\n" }, inner);
  await repository({ "a.txt": "one\n", ".gitignore": ".env\n", ".worktreeinclude": ".env\n" }, root);
  git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
  git(root, "commit", "-q", "-m", "submodule");
  const bundle = await build({
    entryPoints: [path.join(import.meta.dirname, "worktree-maker.ts")],
    ...{
      bundle: true,
      platform: "node",
      mainFields: ["module", "main"],
      format: "cjs",
      write: false,
      logLevel: "error",
    },
  });
  maker = bundle.outputFiles[0]?.text ?? "";
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

async function withSubmodule(): Promise<Place> {
  const root = await temporaryFolder();
  cpSync(path.join(template, "root"), root, { recursive: true });
  return placeAt(root);
}

const allTraces = (there: Place) =>
  [...traces(there), ...git(path.join(there.root, "lib"), "branch", "--list", "nekode/*").split("\n")].filter(
    (each) => each !== "",
  );

/** Creates a worktree in another process, which dies at its git call `moment`. Returns what it printed. */
async function make(there: Place, moment: number): Promise<string> {
  const ended = path.join(await temporaryFolder(), "ended");
  const bin = await countingGit(
    `if [ "$n" = ${moment} ]; then kill -9 $PPID; "$real" "$@"; touch '${ended}'; exit; fi`,
  );
  const env = { ...there.environment, PATH: `${bin}:${process.env.PATH}` };
  const child = spawn(process.execPath, ["-", there.root, there.worktreesDir, "x"], {
    ...{ env, cwd: there.root },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(maker);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, "close");
  // The git that it waited for goes on without it.
  if (output === "") await expect.poll(() => existsSync(ended)).toBe(true);
  return output;
}

it("leaves nothing of a creation whose process died, at any moment", async () => {
  const there = await withSubmodule();
  for (let moment = 1; ; moment += STEP) {
    const made = await make(there, moment);
    const listed = await there.worktrees.list(there.root, signal);
    if (made !== "") {
      expect(listed).toEqual([JSON.parse(made)]);
      expect(moment).toBeGreaterThan(10);
      return;
    }
    expect(listed, `moment ${moment}`).toEqual([]);
    expect(allTraces(there), `moment ${moment}`).toEqual([]);
    expect(git(there.root, "status", "--porcelain")).toBe("");
  }
});

it("leaves nothing of a creation that was stopped, at any moment", async () => {
  const there = await withSubmodule();
  const worktreesDir = path.join(await temporaryFolder(), "w");
  for (let moment = 1; ; moment += STEP) {
    const bin = await countingGit(`if [ "$n" = ${moment} ]; then kill -USR2 $PPID; sleep 0.1; fi`);
    const stop = new AbortController();
    const interrupt = () => stop.abort();
    process.once("SIGUSR2", interrupt);
    const worktrees = createWorktrees({
      ...{ worktreesDir, shell: createShell(), roots: () => [] },
      environment: { ...there.environment, PATH: `${bin}:${process.env.PATH}` },
      log: { info: () => undefined, error: () => undefined },
    });
    const end = await worktrees
      .create({ folder: there.root, title: "x" }, stop.signal)
      .catch((error: unknown) => error);
    process.off("SIGUSR2", interrupt);
    if (!stop.signal.aborted) return expect(moment).toBeGreaterThan(10);
    expect(end, `moment ${moment}`).toBeInstanceOf(Interrupt);
    const left = allTraces({ ...there, worktreesDir });
    expect(left, `moment ${moment}`).toEqual([]);
  }
});

it("finds a worktree of a process that died, completes a removal, and leaves alone what another process creates", async () => {
  const there = await withSubmodule();
  const worktree = JSON.parse(await make(there, 0));
  expect(await there.worktrees.list(there.root, signal)).toEqual([worktree]);
  const key = path.dirname(worktree.path);
  writeFileSync(
    path.join(key, `${path.basename(worktree.path)}.json`),
    JSON.stringify({ state: "removing", branch: "delete", worktree }),
  );
  rmSync(path.join(worktree.path, "a.txt"));
  const lock = await takeLock(path.join(key, `${path.basename(worktree.path)}.lock`), false);
  expect(await there.worktrees.list(there.root, signal)).toEqual([]);
  expect(existsSync(worktree.path)).toBe(true);
  await expect(
    there.worktrees.remove(worktree, { losing: [], branch: "keep" }, signal),
  ).rejects.toMatchObject({
    fault: { code: "worktree-busy" },
  });
  await lock?.release();
  expect(await there.worktrees.list(there.root, signal)).toEqual([]);
  expect(allTraces(there)).toEqual([]);
});
