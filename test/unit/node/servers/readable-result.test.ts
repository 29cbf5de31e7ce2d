/** A part of a server's result that cannot be read costs nothing but itself. */
import { describe, expect, it } from "vitest";
import { readableResult } from "../../../../src/core/servers/readable-result.ts";
import { connected, fixtureServer, neverAborted } from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 20_000 };
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TEXT = { type: "text", text: "the rest" };
const note = (kind: string) => ({
  type: "text",
  text: expect.stringContaining(`of the kind "${kind}" that cannot be read`),
});

const CASES: [string, unknown, unknown[]][] = [
  ["an unknown kind", [{ type: "thinking", text: "hm" }, TEXT], [note("thinking"), TEXT]],
  ["null", null, []],
  ["a text", "the rest", [TEXT]],
  ["a text in the list", ["the rest"], [TEXT]],
  ["one part", TEXT, [TEXT]],
  [
    "an image without a type",
    [{ type: "image", data: PNG }, TEXT],
    [{ type: "image", mimeType: "image/png", data: PNG }, TEXT],
  ],
  ["an image without data", [{ type: "image", mimeType: "image/png" }, TEXT], [note("image"), TEXT]],
  ["a text that is none", [{ type: "text", text: { a: 1 } }, TEXT], [note("text"), TEXT]],
  [
    "a part that is none",
    [null, 1, TEXT],
    [
      { type: "text", text: "[A part without a kind that cannot be read: null]" },
      { type: "text", text: "[A part without a kind that cannot be read: 1]" },
      TEXT,
    ],
  ],
  ["annotations that are none", [{ ...TEXT, annotations: null, _meta: 1 }], [TEXT]],
  [
    "a link without a name",
    [{ type: "resource_link", uri: "a:1", description: null }, TEXT],
    [{ type: "link", uri: "a:1", name: "a:1" }, TEXT],
  ],
  [
    "a resource without content",
    [{ type: "resource", resource: { uri: "a:1", mimeType: null } }, TEXT],
    [note("resource"), TEXT],
  ],
  [
    "a resource without a type",
    [{ type: "resource", resource: { uri: "a:1", mimeType: null, text: "one" } }, TEXT],
    [{ type: "resource", uri: "a:1", text: "one" }, TEXT],
  ],
];

describe.each([{ modern: false }, { modern: true }])("a real server, modern: $modern", ({ modern }) => {
  it("has a result for each of them", async () => {
    const connection = await connected(fixtureServer("scripted.mjs", JSON.stringify({ modern })));
    for (const [name, content, expected] of CASES) {
      const result = await connection.callTool("raw", { result: { content } }, options);
      expect([name, result.content]).toEqual([name, expected]);
      expect(result.isError).toBe(false);
    }
    const nulls = { content: [TEXT], structuredContent: null, isError: null };
    expect(await connection.callTool("raw", { result: nulls }, options)).toEqual({
      content: [TEXT],
      isError: false,
    });
    const failed = { content: [TEXT], isError: "true" };
    expect(await connection.callTool("raw", { result: failed }, options)).toMatchObject({ isError: true });
  });
});

it("leaves other results as they are", () => {
  for (const result of [
    {},
    { tools: [{ name: "a", x: null }] },
    { protocolVersion: "1", capabilities: null },
  ])
    expect(readableResult(result)).toBe(result);
});

it("reads the parts of prompts and resources one by one", () => {
  const messages = [
    { role: "user", content: { type: "new" } },
    { role: "user", content: TEXT },
  ];
  expect(readableResult({ messages })).toEqual({
    messages: [{ role: "user", content: note("new") }, messages[1]],
  });
  const contents = [{ uri: "a:1" }, { uri: "a:2", text: "two", mimeType: null }];
  expect(readableResult({ contents })).toEqual({
    contents: [
      { uri: "a:1", text: expect.stringContaining("cannot be read") },
      { uri: "a:2", text: "two" },
    ],
  });
});
