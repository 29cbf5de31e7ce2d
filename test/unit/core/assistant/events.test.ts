import { expect, test } from "vitest";
import { BlockFolder, foldEvents } from "../../../../src/core/assistant/events.ts";

test("deltas fold into blocks, calls by their index", () => {
  expect(
    foldEvents([
      { type: "reasoning", delta: "a" },
      { type: "reasoning", delta: "b" },
      { type: "text", delta: "c" },
      { type: "tool-start", index: 0, name: "x" },
      { type: "tool-start", index: 1, name: "y" },
      { type: "param", index: 0, name: "p", delta: "1" },
      { type: "param", index: 1, name: "p", delta: "2" },
      { type: "param", index: 0, name: "p", delta: "3" },
      { type: "param", index: 7, name: "p", delta: "nobody's" },
      { type: "tool-end", index: 0, partial: false },
    ]),
  ).toEqual([
    { type: "reasoning", text: "ab" },
    { type: "text", text: "c" },
    { type: "tool", name: "x", params: { p: "13" }, partial: false },
    { type: "tool", name: "y", params: { p: "2" }, partial: true },
  ]);
});

test("blocks may be asked for at any time and stay as they were", () => {
  const folder = new BlockFolder();
  folder.add({ type: "text", delta: "a" });
  const before = folder.blocks();
  for (let i = 0; i < 2000; i++) folder.add({ type: "text", delta: "b" });
  expect(before).toEqual([{ type: "text", text: "a" }]);
  expect(folder.blocks()).toEqual([{ type: "text", text: `a${"b".repeat(2000)}` }]);
});

test("a parameter named __proto__ is one like any other", () => {
  const [block] = foldEvents([
    { type: "tool-start", index: 0, name: "x" },
    { type: "param", index: 0, name: "__proto__", delta: "1" },
  ]);
  expect(block?.type === "tool" && Object.entries(block.params)).toEqual([["__proto__", "1"]]);
});
