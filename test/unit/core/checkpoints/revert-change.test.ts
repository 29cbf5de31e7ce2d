/** Undo of one change in a file that the user has changed since. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../node/support.ts";
import { kept } from "./support.ts";

it("leaves what was changed since elsewhere in the file, and so does whatever goes further back", async () => {
  const root = await temporaryFolder();
  const k = await kept(root);
  const file = (name: string) => path.join(root, name);
  const lines = (...changed: [at: number, line: string][]) => {
    const all = Array.from({ length: 12 }, (_, at) => `line ${at}\r\n`);
    for (const [at, line] of changed) all[at] = `${line}\r\n`;
    // Not UTF-8, and no end of the last line.
    return Buffer.from(`${all.join("")}\xe9\xff`, "latin1");
  };
  writeFileSync(file("a.txt"), lines());
  writeFileSync(file("wide.txt"), Buffer.from("a\nb\nc\nd\n", "utf16le"));
  k.checkpoints.mark("message");
  await k.call("one", ["a.txt", "wide.txt"], () => {
    writeFileSync(file("a.txt"), lines([2, "agent"]));
    writeFileSync(file("wide.txt"), Buffer.from("A\nb\nc\nd\n", "utf16le"));
  });
  writeFileSync(file("a.txt"), lines([2, "agent"], [7, "person"]));
  writeFileSync(file("wide.txt"), Buffer.from("A\nb\nc\nD\n", "utf16le"));
  const plan = await k.checkpoints.planUndo("one");
  expect(plan.files.map(({ changedSince, mixed }) => [changedSince, mixed])).toEqual([
    [false, true],
    [true, undefined],
  ]);
  const done = await k.checkpoints.restore(plan, plan.files.slice(0, 1));
  expect(readFileSync(file("a.txt"))).toEqual(lines([7, "person"]));
  // There the user's line would go: it is asked for.
  const back = await k.checkpoints.plan("message");
  expect(back.files.map(({ changedSince }) => changedSince)).toEqual([true, true]);
  await k.checkpoints.restore(await k.checkpoints.plan(done.id ?? ""));
  expect(readFileSync(file("a.txt"))).toEqual(lines([2, "agent"], [7, "person"]));
});
