/** A folder that is the worktree of another project's task is recognized, with real git, and nothing is written for that. */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import type { Worktree } from "../../../src/core/ports/worktrees.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { createOtherProjects } from "../../../src/node/store/project-list.ts";
import { registerProjectStore } from "../../../src/node/store/project-store.ts";
import { git } from "./git-support.ts";
import { type Place, place } from "./git-worktrees-support.ts";

const assets = createAssets(
  path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm")),
);
const said: string[] = [];
const log = { info: () => undefined, error: (text: string) => void said.push(text) };

/** Stores a task of the project that works in the worktree. */
async function store(dataDir: string, root: string, title: string, worktree?: Worktree): Promise<void> {
  const { folder } = await registerProjectStore({ dataDir, root, log });
  const sessions = await openSessionStore(createStorage(folder), assets, systemClock, log);
  const startedAt = "2025-01-01T00:00:00.000Z";
  const task = { id: title, projectPath: root, model: "m", title, mode: "act" as const, startedAt };
  await sessions.create({ ...task, ...(worktree ? { worktree } : {}) });
  const blocks = [{ type: "text" as const, text: title, source: "person" as const }];
  await sessions.append(title, {
    id: `${title}-1`,
    role: "user",
    blocks,
    createdAt: startedAt,
    display: title,
  });
  await sessions.close();
}

/** What a host learns that opens the folder. */
function taskHere({ worktreesDir }: Place, root: string) {
  const dataDir = path.dirname(worktreesDir);
  const here = path.join(dataDir, "here");
  return createOtherProjects({ dataDir, here, root, assets, clock: systemClock, log }).taskHere();
}

it("names the task and its project, also in a subfolder, and only in a worktree of a task", async () => {
  const there = await place({ "a.txt": "one\n", "sub/b.txt": "two\n" });
  const { root } = there;
  const dataDir = path.dirname(there.worktreesDir);
  const worktree = await there.create("Fix the cat");
  const other = await there.create("Fix the dog");
  await store(dataDir, root, "Another task");
  await store(dataDir, root, "Fix the cat", worktree);
  const found = {
    ...{ id: "Fix the cat", title: "Fix the cat", isOpen: false },
    project: { key: expect.any(String), name: path.basename(root), folder: root },
  };
  expect(await taskHere(there, worktree.path)).toEqual(found);
  expect(await taskHere(there, path.join(worktree.path, "sub"))).toEqual(found);
  // A worktree that no task is stored for, the project's folder, a worktree of the user's own, and no repository.
  expect(await taskHere(there, other.path)).toBeUndefined();
  expect(await taskHere(there, root)).toBeUndefined();
  const own = path.join(dataDir, "own");
  git(root, "worktree", "add", "-q", own);
  expect(await taskHere(there, own)).toBeUndefined();
  const plain = path.join(there.worktreesDir, "plain");
  mkdirSync(plain, { recursive: true });
  expect(await taskHere(there, plain)).toBeUndefined();
  expect(said).toEqual([]);
});

it("is not said of another project's task with a worktree of the same path", async () => {
  const there = await place();
  const stranger = await place();
  const worktree = await there.create();
  await store(path.dirname(there.worktreesDir), stranger.root, "Not of this repository", worktree);
  expect(await taskHere(there, worktree.path)).toBeUndefined();
});
