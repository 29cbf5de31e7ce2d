/** What was written and not sent, over the end of the window that it was written in. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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

describe("the queues of several tasks", () => {
  const said = (text: string, session: string) => ({ text, images: [], session });

  it("return to those that are reopened; the others are in front of the draft", async () => {
    const drafts = await open();
    drafts.keepQueue([said("shown", "s1"), said("one", "s2"), said("two", "s2"), said("gone", "s3")]);
    drafts.keep({ text: "draft", after: "", at: 1 });
    await drafts.close();
    const next = await open();
    next.reopening(["s2", "s4"]);
    expect(next.current?.text).toBe("shown\n\ngone\n\ndraft");
    // The page has received them. What was not returned yet is still on disk.
    next.keep({ text: "shown, gone, draft", after: "", at: 2 });
    await next.close();
    const last = await open();
    expect(last.takeQueue("s2").map(({ text }) => text)).toEqual(["one", "two"]);
    expect(last.takeQueue("s2")).toEqual([]);
    expect(last.current?.text).toBe("shown, gone, draft");
    await last.close();
    expect((await open()).takeQueue("s2")).toEqual([]);
  });
});

describe("editor tabs", () => {
  const [ONE, TWO] = ["0ba2c5c8-5d4f-4a4e-9f43-3c1f8c9f7a11", "7c9e6679-7425-40de-944b-e07fc1f90ae7"];
  const written = (text: string) => ({ text, after: "", at: 1, images: [] });

  it("have a draft each, and the session that each showed", async () => {
    const drafts = await open();
    for (const [id, session] of [
      [ONE, "s1"],
      [TWO, "s2"],
    ] as const) {
      drafts.keepTab({ id, session, open: true });
      (await drafts.tab(id)).keep(written(`for ${session}`));
    }
    drafts.keep(written("for the side bar"));
    drafts.keepTab({ id: ONE, session: "s3", open: true });
    await drafts.close();
    const next = await open();
    expect(next.current?.text).toBe("for the side bar");
    expect(next.tabs).toEqual([
      { id: TWO, session: "s2", open: true },
      { id: ONE, session: "s3", open: true },
    ]);
    const texts = await Promise.all([ONE, TWO].map(async (id) => (await next.tab(id)).current?.text));
    expect(texts).toEqual(["for s1", "for s2"]);
  });

  it("that were closed leave their unsent text to the next one with their session, and nothing else", async () => {
    const drafts = await open();
    drafts.keepTab({ id: ONE, session: "s1", open: true });
    drafts.keepTab({ id: TWO, session: "s2", open: true });
    const one = await drafts.tab(ONE);
    one.keep(written("not sent"));
    await drafts.closeTab(ONE, one);
    await drafts.closeTab(TWO, await drafts.tab(TWO));
    await drafts.close();
    const next = await open();
    expect(await next.closedTab("s2")).toBeUndefined();
    const closed = await next.closedTab("s1");
    expect(closed?.draft?.text).toBe("not sent");
    await closed?.forget();
    await next.close();
    const last = await open();
    expect(await last.closedTab("s1")).toBeUndefined();
    expect((await readdir(folder)).filter((name) => name.includes("tab"))).toEqual([]);
  });
});
