/** What is kept before a command that destroys: its limits, what is said of them, and a crash in between. */
import { mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Destruction } from "../../../../src/core/ports/file-trees.ts";
import { destructionOf } from "../../../../src/core/safety/destruction/destruction.ts";
import { assets } from "../../../safety/judge.ts";
import { repository, write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { type Kept, kept, read } from "./support.ts";

async function destroyed(root: string, command: string): Promise<Destruction> {
  const around = { roots: [root], cwd: root, home: "/nowhere" };
  const found = await destructionOf(assets, command, "bash", around);
  if (!found) throw new Error(`not known to destroy: ${command}`);
  return found;
}

async function run(k: Kept, root: string, command: string, work: () => void): Promise<void> {
  const destroys = await destroyed(root, command);
  const change = await k.checkpoints.begin({ callId: "c", paths: [], anything: true, destroys });
  work();
  change.end();
  await k.checkpoints.settled();
}

const megabytes = (count: number): Uint8Array => new Uint8Array(count * 1_000_000).fill(count);

describe("before a command that destroys", () => {
  it("it is said what is kept, and afterwards what was gone", async () => {
    const root = await repository({ "a.txt": "a", ".gitignore": "ignored\n" });
    write(root, { "ignored/b.bin": megabytes(1) });
    const k = await kept(root);
    k.checkpoints.mark("message");
    const told: number[] = [];
    await run(k, root, "rm -rf ignored", () => {
      // Progress is told too if keeping takes long.
      told.push(k.views.filter(({ keeping }) => keeping === undefined).length);
      expect(k.views.at(-1)).toMatchObject({
        ...{ id: "c", files: 0, unfinished: true },
        kept: { files: 1, bytes: 1_000_000, notKept: [] },
      });
      rmSync(path.join(root, "ignored"), { recursive: true });
    });
    expect(told).toEqual([1]);
    const view = k.views.findLast(({ id, unfinished, keeping }) => id === "c" && !unfinished && !keeping);
    expect(view).toMatchObject({ files: 1, names: ["ignored/b.bin"] });
    await k.checkpoints.restore(await k.checkpoints.planUndo("c"));
    expect(statSync(path.join(root, "ignored/b.bin")).size).toBe(1_000_000);
  });

  it("what is too large is named and asks; installed dependencies and other places do not ask", async () => {
    const root = await temporaryFolder();
    const elsewhere = await temporaryFolder();
    write(elsewhere, { "out.log": "x" });
    const k = await kept(root);
    k.settings.maxSize = 10;
    write(root, { "data/large.bin": megabytes(6), "data/more.bin": megabytes(5), "data/small.txt": "s" });
    write(root, { "node_modules/p/large.bin": megabytes(8) });
    const foresee = async (command: string) => k.checkpoints.previewBackup(await destroyed(root, command));
    expect(await foresee("rm -rf data")).toMatchObject({ asks: true, notKept: [{ why: "size", count: 1 }] });
    expect(await foresee("rm -rf data/small.txt")).toEqual({ asks: false, notKept: [] });
    expect(await foresee("rm -rf node_modules")).toMatchObject({
      ...{ asks: false, notKept: [{ why: "size", count: 1, names: ["node_modules/p/large.bin"] }] },
    });
    expect(await foresee(`echo > ${elsewhere}/out.log`)).toEqual({
      ...{ asks: false, notKept: [{ why: "outside", count: 1, names: [`${elsewhere}/out.log`] }] },
    });
    // What fits is kept all the same.
    await run(k, root, "rm -rf data", () => rmSync(path.join(root, "data"), { recursive: true }));
    expect(k.views.at(-1)).toMatchObject({
      left: 1,
      kept: { files: 2, notKept: [{ why: "size", count: 1 }] },
    });
    await k.checkpoints.restore(await k.checkpoints.planUndo("c"));
    expect(read(root, "data/small.txt")).toBe("s");
  });

  it("a crash in between loses nothing of it", async () => {
    const root = await repository({ "a.txt": "a", ".gitignore": "ignored\n" });
    write(root, { "ignored/b.txt": "b", "nested/.git/HEAD": "ref: refs/heads/main\n", "nested/n.txt": "n" });
    mkdirSync(path.join(root, "ignored/empty"));
    const k = await kept(root);
    k.checkpoints.mark("message");
    const destroys = await destroyed(root, "rm -rf ignored nested");
    await k.checkpoints.begin({ callId: "c", paths: [], anything: true, destroys });
    for (const name of ["ignored", "nested"]) rmSync(path.join(root, name), { recursive: true });
    // Nobody refers to these contents but a command that did not end: they stay whatever space is needed.
    await k.project.forget(["other"]);
    const again = await k.restart();
    const plan = await again.checkpoints.plan("message");
    const result = await again.checkpoints.restore(plan);
    expect(result.failed).toEqual([]);
    expect([read(root, "ignored/b.txt"), read(root, "nested/n.txt")]).toEqual(["b", "n"]);
    expect(statSync(path.join(root, "ignored/empty")).isDirectory()).toBe(true);
    expect(again.problems).toEqual([]);
  });

  it("what another link leads to afterwards is not taken for new", async () => {
    const root = await temporaryFolder();
    write(root, { "a/one.txt": "1", "b/two.txt": "2" });
    symlinkSync("a", path.join(root, "link"));
    const k = await kept(root);
    await run(k, root, "rm link/*; ln -sfn b link", () => {
      rmSync(path.join(root, "a/one.txt"));
      rmSync(path.join(root, "link"));
      symlinkSync("b", path.join(root, "link"));
    });
    await k.checkpoints.restore(await k.checkpoints.planUndo("c"));
    expect([read(root, "link/one.txt"), read(root, "b/two.txt")]).toEqual(["1", "2"]);
  });

  it("git's own state is not undone, and it is said where HEAD was", async () => {
    const root = await repository({ "a.txt": "a" });
    write(root, { "a.txt": "changed" });
    const k = await kept(root);
    await run(k, root, "git checkout -- . && rm .git/ORIG_HEAD", () => {
      write(root, { "a.txt": "a", ".git/ORIG_HEAD": "x" });
    });
    expect(k.views.at(-1)?.kept?.git?.head).toMatch(/^main [0-9a-f]{10}$/);
    await k.checkpoints.restore(await k.checkpoints.planUndo("c"));
    expect([read(root, "a.txt"), read(root, ".git/ORIG_HEAD")]).toEqual(["changed", "x"]);
  });
});
