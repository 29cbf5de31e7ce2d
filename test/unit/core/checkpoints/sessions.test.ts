/** Sessions that run side by side in one project: each knows its own changes, also while a command runs. */
import path from "node:path";
import { expect, it } from "vitest";
import { repository, write } from "../../node/git-support.ts";
import { type Kept, kept, read } from "./support.ts";

const changesOf = async (root: string, { checkpoints }: Kept, callId: string) =>
  (await checkpoints.planUndo(callId)).files.map(({ path: file }) => path.relative(root, file));

it("what another session edits while a command runs is not the command's", async () => {
  const root = await repository({ a: "a", b: "b", c: "c", d: "d" });
  const first = await kept(root);
  const second = await first.session("second");
  await first.call("command", [], async () => {
    write(root, { a: "of the command" });
    await second.call("edit", ["b", "c"], () => write(root, { b: "of the edit", c: "of the edit" }));
    write(root, { c: "of the edit, then of the command" });
  });
  expect(await changesOf(root, first, "command")).toEqual(["a", "c"]);
  expect(await changesOf(root, second, "edit")).toEqual(["b", "c"]);

  await first.checkpoints.restore(await first.checkpoints.planUndo("command"));
  expect(["a", "b", "c", "d"].map((name) => read(root, name))).toEqual([
    "a",
    "of the edit",
    "of the edit",
    "d",
  ]);
  await second.checkpoints.restore(await second.checkpoints.planUndo("edit"));
  expect(["a", "b", "c", "d"].map((name) => read(root, name))).toEqual(["a", "b", "c", "d"]);
  expect(first.problems).toEqual([]);
});

it("an edit under way, and what another session restores, are not the command's either", async () => {
  const root = await repository({ a: "a", b: "b", c: "c" });
  const first = await kept(root);
  const second = await first.session("second");
  await second.call("edit", ["b"], () => write(root, { b: "edited" }));
  const under = await second.checkpoints.begin({
    ...{ callId: "under way", anything: false },
    paths: [path.join(root, "c")],
  });
  await first.call("command", [], () => {
    write(root, { a: "of the command", c: "half" });
  });
  write(root, { c: "whole" });
  under.end();
  await second.checkpoints.settled();
  expect(await changesOf(root, first, "command")).toEqual(["a"]);
  await first.call("another", [], async () => {
    await second.checkpoints.restore(await second.checkpoints.planUndo("edit"));
  });
  expect(await changesOf(root, first, "another")).toEqual([]);
  expect(await changesOf(root, second, "under way")).toEqual(["c"]);
});

it("of commands that run at once, a file belongs to the one that ended first", async () => {
  const root = await repository({ a: "a", b: "b" });
  const first = await kept(root);
  const second = await first.session("second");
  await first.call("long", [], async () => {
    await second.call("short", [], () => write(root, { b: "of the short one" }));
    write(root, { a: "of the long one" });
  });
  expect(await changesOf(root, first, "long")).toEqual(["a"]);
  expect(await changesOf(root, second, "short")).toEqual(["b"]);
});

it("a session is read again only once what it changed is written down", async () => {
  const root = await repository({ a: "a" });
  const k = await kept(root);
  const change = await k.checkpoints.begin({
    callId: "edit",
    paths: [path.join(root, "a")],
    anything: false,
  });
  write(root, { a: "changed" });
  change.end();
  void k.project.release(k.checkpoints);
  const again = await k.session("session");
  expect(again.checkpoints.views()).toEqual([{ id: "edit", kind: "call", at: "edit", files: 1 }]);
});

it("a reopening that failed leaves the session that works among those that are waited for", async () => {
  const root = await repository({ a: "a" });
  const k = await kept(root);
  const change = await k.checkpoints.begin({
    callId: "edit",
    paths: [path.join(root, "a")],
    anything: false,
  });
  await k.project.release(k.project.session("session"));
  write(root, { a: "changed" });
  change.end();
  await k.project.settled();
  expect(k.checkpoints.views()).toEqual([{ id: "edit", kind: "call", at: "edit", files: 1 }]);
});
