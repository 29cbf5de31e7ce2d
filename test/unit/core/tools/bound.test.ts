/** The size of what a result sends to the model, whatever number of parts it has. */
import { expect, it } from "vitest";
import { boundParts } from "../../../../src/core/tools/bound.ts";
import type { ResultPart } from "../../../../src/shared/message.ts";

const text = (length: number): ResultPart => ({ type: "text", text: "x".repeat(length) });
const image: ResultPart = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
const sizes = (parts: readonly ResultPart[]) =>
  parts.map((part) => (part.type === "text" ? part.text.length : 0));

it("is left as it is within the limit and the room for a tool's notes", () => {
  const parts = [text(10_000), image, text(4_000)];
  expect(boundParts(parts, 10_000)).toEqual(parts);
});

it("is bounded for all parts together, and says so in those that are cut", () => {
  const parts = boundParts([text(9_000), image, text(9_000), text(9_000)], 10_000);
  const [first, second, third, fourth] = parts;
  expect([first, second]).toEqual([text(9_000), image]);
  expect(sizes(parts).reduce((sum, size) => sum + size, 0)).toBeLessThan(15_000);
  for (const part of [third, fourth])
    expect(part?.type === "text" && part.text).toContain("ask for a smaller part");
});
