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
  drafts.keepQueue(["first", "second"]);
  drafts.keep({ text: "third", after: "" });
  await drafts.close();
  const next = await open();
  expect(next.current?.text).toBe("first\n\nsecond\n\nthird");
  next.keepQueue([]);
  next.keep({ text: "", after: "m2", images: [] });
  await next.close();
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
