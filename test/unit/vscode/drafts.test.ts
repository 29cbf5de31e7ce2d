/** What was written and not sent, over the end of the window that it was written in. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Log } from "../../../src/core/ports/system.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { Drafts } from "../../../src/vscode/panel/drafts.ts";

let folder: string;
const errors: string[] = [];
const log: Log = { info: () => {}, error: (text) => void errors.push(text) };
const IMAGES = [{ mimeType: "image/png", data: "aGVsbG8=" }];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-drafts-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  expect(errors.splice(0)).toEqual([]);
});

const open = () => Drafts.open(createStorage(folder), log);
const readAndClose = async () => {
  const drafts = await open();
  await drafts.close();
  return drafts;
};

it("keeps the last of many changes, images only when they change", async () => {
  const drafts = await open();
  expect(drafts.current).toBeUndefined();
  drafts.keep({ text: "猫", after: "m1", at: 1, images: IMAGES });
  for (let i = 0; i < 100; i++) drafts.keep({ text: `猫 ${i}`, after: "m1", at: 1 });
  await drafts.close();
  expect((await open()).current).toEqual({ text: "猫 99", after: "m1", at: 1, images: IMAGES });
});

it("gives queued messages back in front of the draft", async () => {
  const drafts = await open();
  const [first, second, third] = ["Zmlyc3Q=", "c2Vjb25k", "dGhpcmQ="].map((data) => ({
    mimeType: "image/png",
    data,
  }));
  if (!first || !second || !third) throw new Error("no pictures");
  drafts.keepQueue([
    { text: "first", images: [first] },
    { text: "", images: [second] },
  ]);
  drafts.keep({ text: "third", after: "m1", at: 1, images: [third] });
  await drafts.close();
  const all = { text: "first\n\nthird", after: "m1", at: 1, images: [first, second, third] };
  // However often it is looked at, and whatever is written of it: nothing goes, nothing comes twice.
  expect((await readAndClose()).current).toEqual(all);
  const next = await open();
  expect(next.current).toEqual(all);
  next.keep({ text: "first, third", after: "m1", at: 1 });
  await next.close();
  expect((await readAndClose()).current).toEqual({ ...all, text: "first, third" });
  const last = await open();
  last.keep({ text: "", after: "m2", at: 1, images: [] });
  await last.close();
  expect((await open()).current).toEqual({ text: "", after: "m2", at: 1, images: [] });
});

it("leaves the draft of a window that lives to that window, and keeps that of the other one, too", async () => {
  const first = await open();
  first.keep({ text: "mine", after: "", at: 2 });
  await first.flush();
  for (const found of [undefined, "yours"]) {
    const second = await open();
    expect(second.current?.text).toBe(found);
    second.keep({ text: "yours", after: "", at: 1 });
    await second.close();
  }
  await first.close();
  // What was written last, and the other one to whoever comes next.
  const third = await open();
  expect(third.current?.text).toBe("mine");
  const fourth = await open();
  expect(fourth.current?.text).toBe("yours");
  third.keep({ text: " ", after: "", at: 3, images: [] });
  await third.close();
  await fourth.close();
  // An empty draft hides nothing, however late it was.
  expect((await readAndClose()).current?.text).toBe("yours");
});

it("has a place for eight windows; a ninth keeps its draft in memory", async () => {
  const windows: Drafts[] = [];
  for (let number = 1; number <= 9; number++) {
    const drafts = await open();
    drafts.keep({ text: `window ${number}`, after: "", at: number });
    await drafts.flush();
    windows.push(drafts);
  }
  for (const drafts of windows) await drafts.close();
  const again: (string | undefined)[] = [];
  for (let number = 1; number <= 9; number++) again.push((await open()).current?.text);
  const kept = [8, 7, 6, 5, 4, 3, 2, 1].map((number) => `window ${number}`);
  expect(again).toEqual([...kept, undefined]);
});

it("starts without a draft where the file is damaged", async () => {
  await writeFile(path.join(folder, "draft.json"), '{"text": "cut o');
  expect((await open()).current).toBeUndefined();
});

describe("of what the page remembers and what the host kept, the later one holds", () => {
  const kept = { text: "kept", after: "m1", at: 5, images: IMAGES };

  it.each([
    ["the page, which the disk was too slow for", { text: "typed", after: "m1", at: 6, images: [] }, "typed"],
    [
      "the host, where the editor gives the page an older state",
      { text: "typed", after: "m1", at: 4 },
      "kept",
    ],
    ["the host, where both are the same", { text: "kept", after: "m1", at: 5 }, "kept"],
  ])("%s", async (_, remembered, text) => {
    const drafts = await open();
    drafts.keep(kept);
    await drafts.close();
    const next = await open();
    next.remembered(remembered);
    expect(next.current?.text).toBe(text);
    await next.close();
  });

  it("has the images of the host where the page could not keep them", async () => {
    const drafts = await open();
    drafts.keep(kept);
    drafts.remembered({ text: "typed", after: "m1", at: 6 });
    expect(drafts.current).toEqual({ ...kept, text: "typed", at: 6 });
    await drafts.close();
  });

  it("has the queue of the window before in front of either", async () => {
    const drafts = await open();
    drafts.keepQueue([{ text: "queued", images: [] }]);
    await drafts.close();
    const next = await open();
    // The agent of this window begins with a queue of its own.
    next.keepQueue([]);
    next.remembered({ text: "typed", after: "", at: 6, images: [] });
    expect(next.current?.text).toBe("queued\n\ntyped");
    await next.close();
    expect((await readAndClose()).current?.text).toBe("queued\n\ntyped");
  });
});
