/** What an edit replaces is on the disk before it is replaced, in as few synchronizations as that takes. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { nodeFileStates } from "../../../../src/node/files/disk-file-states.ts";
import { nodeFileTrees } from "../../../../src/node/files/disk-file-trees.ts";
import { write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { MemoryStorage, quietLog } from "../sessions/support.ts";
import { read } from "./support.ts";

function over(storage: MemoryStorage, root: string): Checkpoints {
  let ids = 0;
  const project = new Checkpoints({
    ...{ storage, clock: systemClock, log: quietLog },
    ...{ files: nodeFileStates, trees: nodeFileTrees, roots: () => [root] },
    settings: () => ({ enabled: true, maxSize: 100 }),
    newId: () => `restore-${++ids}`,
  });
  onTestFinished(() => project.dispose());
  return project;
}

/** A session over a folder with one file, "a.txt", after the user's message. */
async function oneFile() {
  const root = await temporaryFolder();
  write(root, { "a.txt": "one\n" });
  const storage = new MemoryStorage();
  const project = over(storage, root);
  const session = project.session("session");
  await session.open();
  session.mark("message");
  const begin = (callId: string) =>
    session.begin({ callId, paths: [path.join(root, "a.txt")], anything: false });
  return { root, storage, project, session, begin };
}

function syncsOf(storage: MemoryStorage): string[] {
  const syncs: string[] = [];
  storage.beforeChange = (change, name) => {
    if (change === "sync") syncs.push(name);
  };
  return syncs;
}

it("right after an edit takes nothing of what the file was", async () => {
  const root = await temporaryFolder();
  const files = {
    "small.txt": "\uFEFFsmall, \u732B\n",
    "large.txt": "large\n".repeat(20_000),
    "bytes.bin": randomBytes(500),
  };
  write(root, files);
  const before = Object.keys(files).map((name) => read(root, name));
  const storage = new MemoryStorage();
  const session = over(storage, root).session("session");
  await session.open();
  session.mark("message");
  const paths = Object.keys(files).map((name) => path.join(root, name));
  await session.begin({ callId: "edit", paths, anything: false });
  write(root, Object.fromEntries(Object.keys(files).map((name) => [name, "new"])));

  const again = over(storage.afterPowerFailure(), root).session("session");
  await again.open();
  const plan = await again.plan("message");
  expect(plan.files.map(({ path: file, lost }) => [path.basename(file), lost])).toEqual(
    ["bytes.bin", "large.txt", "small.txt"].map((name) => [name, false]),
  );
  await again.restore(plan);
  expect(Object.keys(files).map((name) => read(root, name))).toEqual(before);
});

it("restores nothing that its own hash does not fit", async () => {
  const { root, storage, begin } = await oneFile();
  await begin("edit");
  write(root, { "a.txt": "two\n" });

  const left = storage.afterPowerFailure();
  const name = "checkpoints/session.jsonl";
  const lines = new TextDecoder().decode(left.files.get(name));
  expect(lines).toContain('"text":"one\\n"');
  left.put(name, new TextEncoder().encode(lines.replace('"text":"one', '"text":"won')));
  const again = over(left, root).session("session");
  await again.open();
  const plan = await again.plan("message");
  expect(plan.files).toMatchObject([{ lost: true }]);
  expect(await again.restore(plan)).toMatchObject({ restored: [], failed: [{}] });
  expect(read(root, "a.txt")).toBe("two\n");
});

it("is survived with one synchronization for each edit", async () => {
  const { root, storage, session, begin } = await oneFile();
  const syncs = syncsOf(storage);
  for (const text of ["two\n", "three\n"]) {
    const edit = await begin(text);
    write(root, { "a.txt": text });
    edit.end();
    await session.settled();
  }
  expect(syncs).toEqual(["checkpoints/session.jsonl", "checkpoints/session.jsonl"]);
});

it("takes no content from a branch", async () => {
  const { root, storage, project, session, begin } = await oneFile();
  const edit = await begin("edit");
  write(root, { "a.txt": "two\n" });
  edit.end();
  await session.settled();
  await project.fork("session", "branch", "none");
  const left = storage.afterPowerFailure();
  left.files.delete("checkpoints/session.jsonl");
  const branch = over(left, root).session("branch");
  await branch.open();
  await branch.restore(await branch.plan("message"));
  expect(read(root, "a.txt")).toBe("one\n");
});
