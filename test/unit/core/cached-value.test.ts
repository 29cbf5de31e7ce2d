/** Work that is done once for each key. */
import { expect, it } from "vitest";
import { cachedValue, keepingLatest } from "../../../src/core/cached-value.ts";

it("does the work once for each key, and gives every caller the same promise", async () => {
  const cache = new Map<string, Promise<string>>();
  const calls: string[] = [];
  const read = (key: string) =>
    cachedValue(cache, key, async () => {
      calls.push(key);
      return `${key}!`;
    });
  const first = read("a");
  expect(read("a")).toBe(first);
  expect(await Promise.all([first, read("b"), read("a")])).toEqual(["a!", "b!", "a!"]);
  expect(calls).toEqual(["a", "b"]);
});

it("caches a failure too", async () => {
  const cache = new Map<string, Promise<never>>();
  let calls = 0;
  const read = () =>
    cachedValue(cache, "a", async () => {
      calls++;
      throw new Error("no");
    });
  await expect(read()).rejects.toThrow("no");
  await expect(read()).rejects.toThrow("no");
  expect(calls).toBe(1);
});

it("keeps the value for the latest arguments, compared as objects", () => {
  let calls = 0;
  const [a, b] = [{ name: "a" }, { name: "b" }];
  const pair = keepingLatest((...parts: { name: string }[]) => ({ call: ++calls, parts }));
  const first = pair(a, b);
  expect(pair(a, b)).toBe(first);
  expect(pair(a, a)).toEqual({ call: 2, parts: [a, a] });
  expect(pair({ ...a }, a).call).toBe(3);
  expect(pair(a, b)).toEqual({ call: 4, parts: [a, b] });
});
