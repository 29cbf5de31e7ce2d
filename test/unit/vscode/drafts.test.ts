/** What was written and not sent, over the end of the window that it was written in. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Log } from "../../../src/core/ports.ts";
import { createStorage } from "../../../src/node/storage.ts";
import { Drafts } from "../../../src/vscode/drafts.ts";

let folder: string;
const errors: string[] = [];
const log: Log = { info: () => {}, error: (text) => void errors.push(text) };
const images = [{ mimeType: "image/png", data: "aGVsbG8=" }];

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
  drafts.keep({ text: "猫", after: "m1", images });
  for (let i = 0; i < 100; i++) drafts.keep({ text: `猫 ${i}`, after: "m1" });
  await drafts.close();
  expect((await open()).current).toEqual({ text: "猫 99", after: "m1", images });
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
  drafts.keep({ text: "third", after: "m1", images: [third] });
  await drafts.close();
  const all = { text: "first\n\nthird", after: "m1", images: [first, second, third] };
  // However often it is looked at, and whatever is written of it: nothing goes, nothing comes twice.
  expect((await readAndClose()).current).toEqual(all);
  const next = await open();
  expect(next.current).toEqual(all);
  next.keep({ text: "first, third", after: "m1" });
  await next.close();
  expect((await readAndClose()).current).toEqual({ ...all, text: "first, third" });
  const last = await open();
  last.keep({ text: "", after: "m2", images: [] });
  await last.close();
  expect((await open()).current).toEqual({ text: "", after: "m2", images: [] });
});

it("leaves the draft of a window that lives to that window", async () => {
  const first = await open();
  first.keep({ text: "mine", after: "" });
  await first.flush();
  const second = await open();
  expect(second.current).toBeUndefined();
  second.keep({ text: "yours", after: "" });
  await second.close();
  expect(second.current?.text).toBe("yours");
  await first.close();
  expect((await open()).current?.text).toBe("mine");
});

it("starts without a draft where the file is damaged", async () => {
  await writeFile(path.join(folder, "draft.json"), '{"text": "cut o');
  expect((await open()).current).toBeUndefined();
});
