/** What one turn changed: listed, undone file by file or as a whole, without what came later. */
import { unlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CheckpointError } from "../../../../src/core/checkpoints/checkpoints.ts";
import { write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { kept, read } from "./support.ts";

const LINES = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const text = (changes: Record<number, string> = {}) =>
  LINES.map((line, index) => `${changes[index] ?? line}\n`).join("");

/** Two turns: the first changes a file twice, creates one and deletes one; the second changes the first file again. */
async function scene() {
  const root = await temporaryFolder();
  write(root, { "a.txt": text(), "gone.txt": "gone\n" });
  const k = await kept(root);
  k.checkpoints.mark("first");
  await k.call("one", ["a.txt"], () => write(root, { "a.txt": text({ 0: "ONE" }) }));
  await k.call("two", ["a.txt"], () => write(root, { "a.txt": text({ 0: "ONE", 1: "TWO" }) }));
  await k.call("new", ["new/b.txt"], () => write(root, { "new/b.txt": "b\n" }));
  await k.call("delete", ["gone.txt"], () => unlinkSync(path.join(root, "gone.txt")));
  k.checkpoints.mark("second");
  await k.call("late", ["a.txt"], () => write(root, { "a.txt": text({ 0: "ONE", 1: "TWO", 7: "EIGHT" }) }));
  const named = (file: { path: string }) => path.relative(root, file.path);
  const content = (kept: { bytes: Uint8Array } | null | undefined) =>
    kept && Buffer.from(kept.bytes).toString("utf8");
  return { root, k, named, content };
}

describe("the changes of a turn", () => {
  it("are one per file, with the content before the turn and at its end", async () => {
    const { k, named, content } = await scene();
    const files = await k.checkpoints.turn("first");
    expect(
      files.map((file) => [named(file), content(file.before), content(file.after), file.undone]),
    ).toEqual([
      ["a.txt", text(), text({ 0: "ONE", 1: "TWO" }), false],
      [path.join("new", "b.txt"), null, "b\n", false],
      ["gone.txt", "gone\n", null, false],
    ]);
    await expect(k.checkpoints.turn("never")).rejects.toThrow(CheckpointError);
  });

  it("are kept if the user says so, also after a restart, and can still be undone", async () => {
    const { root, k } = await scene();
    const isKept = (views: readonly { id: string; isKept?: boolean | undefined }[]) =>
      Object.fromEntries(
        views.flatMap(({ id, isKept = false }) => (/first|second/.test(id) ? [[id, isKept]] : [])),
      );
    const reported: { id: string; isKept?: boolean | undefined }[] = [];
    k.checkpoints.onView((view) => void reported.push(view));
    await k.checkpoints.keepTurn("first");
    expect(isKept(reported)).toEqual({ first: true });
    expect(isKept(k.checkpoints.views())).toEqual({ first: true, second: false });
    await k.checkpoints.keepTurn("first");
    expect(reported).toHaveLength(1);
    const { checkpoints, problems } = await k.restart();
    expect(isKept(checkpoints.views())).toEqual({ first: true, second: false });
    await checkpoints.restore(await checkpoints.planUndoTurn("first", [path.join(root, "gone.txt")]));
    expect(read(root, "gone.txt")).toBe("gone\n");
    expect(problems).toEqual([]);
  });

  it("are undone in one file, which is then reported as undone, and can be redone", async () => {
    const { root, k, named } = await scene();
    const file = path.join(root, "gone.txt");
    const done = await k.checkpoints.restore(await k.checkpoints.planUndoTurn("first", [file]));
    expect(read(root, "gone.txt")).toBe("gone\n");
    expect(read(root, "new/b.txt")).toBe("b\n");
    const undone = (await k.checkpoints.turn("first")).filter((each) => each.undone);
    expect(undone.map(named)).toEqual(["gone.txt"]);
    await k.checkpoints.restore(await k.checkpoints.plan(done.id ?? ""));
    expect(read(root, "gone.txt")).toBeUndefined();
  });

  it("are undone as a whole, without what a later turn changed in the same file", async () => {
    const { root, k } = await scene();
    const plan = await k.checkpoints.planUndoTurn("first");
    expect((await k.checkpoints.restore(plan)).failed).toEqual([]);
    expect(read(root, "a.txt")).toBe(text({ 7: "EIGHT" }));
    expect(read(root, "gone.txt")).toBe("gone\n");
    expect(read(root, "new/b.txt")).toBeUndefined();
  });

  it("are reported as undone when all of them are, however they were undone, and no longer when they are redone", async () => {
    const { root, k } = await scene();
    const undone = (views: readonly { id: string; undone?: boolean | undefined }[]) =>
      views.flatMap(({ id, undone }) => (/first|second/.test(id) && undone ? [id] : []));
    const latest = () => [...new Map(k.views.map((view) => [view.id, view])).values()];
    const undo = async (turn: string, ...names: string[]) => {
      const paths = names.length > 0 ? names.map((name) => path.join(root, name)) : undefined;
      return (await k.checkpoints.restore(await k.checkpoints.planUndoTurn(turn, paths))).id ?? "";
    };
    await undo("first", "gone.txt");
    expect(undone(k.checkpoints.views())).toEqual([]);
    const rest = await undo("first", "a.txt", "new/b.txt");
    expect(undone(k.checkpoints.views())).toEqual(["first"]);
    expect(undone(latest())).toEqual(["first"]);
    await k.checkpoints.restore(await k.checkpoints.plan(rest));
    expect(undone(k.checkpoints.views())).toEqual([]);
    expect(undone(latest())).toEqual([]);
    await k.checkpoints.restore(await k.checkpoints.planUndo("late"));
    expect(undone(k.checkpoints.views())).toEqual(["second"]);
    const { checkpoints } = await k.restart();
    expect(undone(checkpoints.views())).toEqual(["second"]);
    await checkpoints.restore(await checkpoints.plan("first"));
    expect(undone(checkpoints.views())).toEqual(["first", "second"]);
  });

  it("that the last turn made are reported as undone once nothing of them is left", async () => {
    const root = await temporaryFolder();
    const k = await kept(root);
    k.checkpoints.mark("only");
    await k.call("one", ["a.txt"], () => write(root, { "a.txt": "a" }));
    await k.checkpoints.restore(await k.checkpoints.planUndoTurn("only"));
    expect(k.views.at(-1)).toEqual({ id: "only", kind: "message", at: "only", files: 0, undone: true });
  });

  it("are not undone over a change of the user's to the same lines", async () => {
    const { root, k } = await scene();
    write(root, { "a.txt": text({ 0: "MINE", 1: "TWO" }) });
    const plan = await k.checkpoints.planUndoTurn("first", [path.join(root, "a.txt")]);
    expect(plan.files.map(({ changedSince }) => changedSince)).toEqual([true]);
  });

  it("are undone in parts, and the rest of them later, without what the user changed meanwhile", async () => {
    const { root, k, named, content } = await scene();
    const a = path.join(root, "a.txt");
    const late = { 7: "EIGHT" };
    const undoPart = (rest: string, now: string) =>
      k.checkpoints.undoPart("first", { path: a, rest: Buffer.from(rest) }, async () =>
        write(root, { "a.txt": now }),
      );
    const changed = async (mark: string) =>
      (await k.checkpoints.turn(mark)).map((file) => [
        named(file),
        content(file.before),
        content(file.after),
      ]);
    write(root, { "a.txt": text({ 0: "ONE", 1: "TWO", 4: "mine", ...late }) });
    await undoPart(text({ 0: "ONE" }), text({ 0: "ONE", 4: "mine", ...late }));
    expect((await changed("first"))[0]).toEqual(["a.txt", text(), text({ 0: "ONE" })]);
    expect(content((await k.checkpoints.turnFile("first", a))?.after)).toBe(text({ 0: "ONE" }));
    // It is no change of the turn in which it happened.
    expect(await changed("second")).toEqual([
      ["a.txt", text({ 0: "ONE", 1: "TWO" }), text({ 0: "ONE", 1: "TWO", ...late })],
    ]);
    const { checkpoints } = await k.restart();
    const plan = await checkpoints.planUndoTurn("first", [a]);
    expect((await checkpoints.restore(plan)).failed).toEqual([]);
    expect(read(root, "a.txt")).toBe(text({ 4: "mine", ...late }));
  });

  it("are undone once the last part is, and no longer when that is redone", async () => {
    const root = await temporaryFolder();
    write(root, { "a.txt": text() });
    const k = await kept(root);
    k.checkpoints.mark("only");
    await k.call("one", ["a.txt"], () => write(root, { "a.txt": text({ 0: "ONE", 7: "EIGHT" }) }));
    const file = path.join(root, "a.txt");
    const undoPart = (rest: string) =>
      k.checkpoints.undoPart("only", { path: file, rest: Buffer.from(rest) }, async () =>
        write(root, { "a.txt": rest }),
      );
    const only = (views = k.checkpoints.views()) => views.findLast(({ id }) => id === "only");
    await undoPart(text({ 0: "ONE" }));
    expect(only()).toEqual({ id: "only", kind: "message", at: "only", files: 1 });
    await undoPart(text());
    expect(only()).toMatchObject({ files: 0, undone: true });
    expect(only(k.views)).toMatchObject({ files: 0, undone: true });
    const last = k.checkpoints.views().findLast(({ kind }) => kind === "restore");
    await k.checkpoints.restore(await k.checkpoints.plan(last?.id ?? ""));
    expect(read(root, "a.txt")).toBe(text({ 0: "ONE" }));
    expect(only()).toEqual({ id: "only", kind: "message", at: "only", files: 1 });
  });

  it("stay the turn's if the undo of a part fails", async () => {
    const { root, k, named } = await scene();
    const part = { path: path.join(root, "a.txt"), rest: Buffer.from(text()) };
    const failing = k.checkpoints.undoPart("first", part, async () => {
      throw new Error("the user typed");
    });
    await expect(failing).rejects.toThrow("the user typed");
    expect(read(root, "a.txt")).toBe(text({ 0: "ONE", 1: "TWO", 7: "EIGHT" }));
    expect((await k.checkpoints.turn("first")).map(named)).toContain("a.txt");
    await expect(k.checkpoints.undoPart("never", part, async () => {})).rejects.toThrow(CheckpointError);
  });

  it("are known after a restart", async () => {
    const { k, named } = await scene();
    const again = await k.restart();
    expect((await again.checkpoints.turn("second")).map(named)).toEqual(["a.txt"]);
  });
});
