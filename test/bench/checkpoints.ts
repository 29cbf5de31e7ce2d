/**
 * Checkpoints on a real disk: a snapshot of a repository of 100,000 files of which 10 changed, and a restore of 500
 * files. The repository is made once, in a temporary folder that the process removes.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Checkpoints, type SessionCheckpoints } from "../../src/core/checkpoints/checkpoints.ts";
import { systemClock } from "../../src/node/clock.ts";
import { nodeFileStates } from "../../src/node/files/disk-file-states.ts";
import { GitSnapshots } from "../../src/node/git/git-snapshots.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { type Bench, scan } from "./bench.ts";

const FILES = 100_000;
const CHANGED = 10;
const RESTORED = 500;

const log = { info: () => {}, error: (text: string, cause?: unknown) => console.error(text, cause) };

let folder: string | undefined;
function temporary(name: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), "nekode-bench-"));
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return path.join(folder, name);
}

const fileName = (i: number) => `d${Math.floor(i / 5_000)}/s${Math.floor(i / 100) % 50}/f${i}.txt`;

let repository: { root: string; snapshots: GitSnapshots } | undefined;
async function openRepository(): Promise<{ root: string; snapshots: GitSnapshots }> {
  if (repository) return repository;
  const root = temporary("repository");
  mkdirSync(root);
  const git = (args: string[], input?: string) =>
    execFileSync("git", args, {
      cwd: root,
      stdio: ["pipe", "ignore", "inherit"],
      ...(input ? { input } : {}),
    });
  git(["init", "-q"]);
  const stream = ["commit refs/heads/main", "committer p <p@example.org> 0 +0000", "data 0", ""];
  for (let i = 0; i < FILES; i++) {
    const text = `file ${i}\n`;
    stream.push(`M 100644 inline ${fileName(i)}`, `data ${text.length}`, text);
  }
  git(["fast-import", "--quiet"], `${stream.join("\n")}\n`);
  git(["symbolic-ref", "HEAD", "refs/heads/main"]);
  git(["reset", "-q", "--hard"]);
  const snapshots = new GitSnapshots({
    root,
    privateDir: temporary("private"),
    environment: process.env,
    log,
  });
  const first = performance.now();
  await snapshots.take();
  console.log(`the first snapshot of ${FILES} files: ${(performance.now() - first).toFixed(0)} ms`);
  repository = { root, snapshots };
  return repository;
}

let round = 0;
async function snapshot(): Promise<void> {
  const { root, snapshots } = await openRepository();
  round += 1;
  for (let i = 0; i < CHANGED; i++) writeFileSync(path.join(root, fileName(i * 9_973)), `${round} ${i}\n`);
  const taken = await snapshots.take();
  if ("unavailable" in taken) throw new Error(taken.unavailable);
}

let scene: { root: string; checkpoints: SessionCheckpoints; next: string } | undefined;
/** Each run undoes the one before. */
async function restore(): Promise<void> {
  scene ??= await openScene();
  const plan = await scene.checkpoints.plan(scene.next);
  const { id, failed } = await scene.checkpoints.restore(plan);
  if (id === undefined || failed.length > 0) throw new Error("the restore failed");
  scene.next = id;
}

async function openScene(): Promise<NonNullable<typeof scene>> {
  const root = temporary("restored");
  mkdirSync(root);
  const names = Array.from({ length: RESTORED }, (_, i) => `f${i}.txt`);
  const write = (what: string) => {
    for (const name of names) writeFileSync(path.join(root, name), `${what} ${name}\n`.repeat(200));
  };
  write("before");
  let ids = 0;
  const project = new Checkpoints({
    storage: createStorage(temporary("sessions")),
    files: nodeFileStates,
    clock: systemClock,
    log,
    settings: () => ({ enabled: true, maxSize: 1_000 }),
    newId: () => `restore-${++ids}`,
  });
  const checkpoints = project.session("session");
  await checkpoints.open();
  const paths = names.map((name) => path.join(root, name));
  const change = await checkpoints.begin({ callId: "call", paths, anything: false });
  write("after");
  change.end();
  await checkpoints.settled();
  return { root, checkpoints, next: "call" };
}

const names = Array.from({ length: FILES }, (_, i) => fileName(i));
export const benches: Bench[] = [
  {
    name: `a snapshot, ${FILES} files of which ${CHANGED} changed`,
    target: "< 1,000 ms",
    run: snapshot,
    baseline: () => void scan(names),
  },
  {
    name: `a restore of ${RESTORED} files`,
    target: "< 2,000 ms",
    run: restore,
    baseline: () => void scan(names.slice(0, RESTORED)),
  },
];
