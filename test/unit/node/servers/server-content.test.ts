/** Content of servers is what its bytes are, and bounded in number. */
import { describe, expect, it } from "vitest";
import { callResult, promptMessages, resourceContents } from "../../../../src/node/servers/server-content.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
  "base64",
);
const image = (data: string, mimeType: string) => ({ type: "image" as const, data, mimeType });
const NOT_SHOWN = { type: "text", text: expect.stringContaining("It cannot be shown") };

describe("an image", () => {
  it("has the format of its bytes, and is a note if that cannot be shown", () => {
    const named = [
      image(PNG, "image/svg+xml"),
      image(SVG, "image/svg+xml"),
      image(SVG, "image/png"),
      image("AAAA", "image/png"),
      image("not Base64!", "image/png"),
    ];
    expect(callResult({ content: named }).content).toEqual([
      { type: "image", mimeType: "image/png", data: PNG },
      ...Array(4).fill(NOT_SHOWN),
    ]);
  });

  it("may be a resource, with the same rules", () => {
    const contents = [
      { uri: "a:1", mimeType: "image/jpeg", blob: PNG },
      { uri: "a:2", mimeType: "image/png", blob: SVG },
      { uri: "a:3", mimeType: "application/pdf", blob: SVG },
    ];
    expect(resourceContents({ contents })).toEqual([
      { type: "resource", uri: "a:1", mimeType: "image/png", blob: PNG },
      { type: "resource", uri: "a:2", mimeType: "image/png", text: NOT_SHOWN.text },
      { type: "resource", uri: "a:3", mimeType: "application/pdf", blob: SVG },
    ]);
  });

  it("is left out after twenty", () => {
    const content = Array.from({ length: 1_000 }, () => image(PNG, "image/png"));
    const { content: kept } = callResult({ content });
    expect(kept.filter(({ type }) => type === "image")).toHaveLength(20);
    const messages = content.map((each) => ({ role: "user" as const, content: each }));
    const prompt = promptMessages({ messages });
    expect(prompt).toHaveLength(1_000);
    expect(prompt.filter(({ content: { type } }) => type === "image")).toHaveLength(20);
  });
});

describe("structured content", () => {
  const nested = (levels: number) => JSON.parse(`{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`);

  it("is kept unless it is nested too deeply", () => {
    const result = { content: [{ type: "text" as const, text: "a" }] };
    const kept = callResult({ ...result, structuredContent: nested(60) });
    expect(kept).toEqual({ ...result, structured: nested(60), isError: false });
    for (const levels of [64, 1_000_000]) {
      const { content, structured } = callResult({ ...result, structuredContent: nested(levels) });
      expect(structured).toBeUndefined();
      expect(content.at(-1)).toEqual({ type: "text", text: "[structured content, nested too deeply]" });
    }
  });
});
