/** The parts of a result of another extension's tool, by their shape. */
import { expect, it } from "vitest";
import { extensionToolPart } from "../../../src/vscode/editor/extension-tool-parts.ts";

it("a text is a text, and data are bytes with their type", () => {
  expect(extensionToolPart({ value: "a" })).toEqual({ type: "text", text: "a" });
  const data = Uint8Array.of(1);
  expect(extensionToolPart({ mimeType: "image/png", data })).toEqual({
    ...{ type: "data", mimeType: "image/png", data },
  });
});

it("a prompt-tsx element is its texts, in their order", () => {
  const text = (value: string) => ({ type: 2, text: value, priority: 1, references: [] });
  const element = {
    type: 1,
    ctor: 2,
    ctorName: "Row",
    children: [text("one "), { type: 1, children: [text("two")] }],
  };
  expect(
    extensionToolPart({ value: { node: { ...element, children: [...element.children, text(" three")] } } }),
  ).toEqual({
    type: "text",
    text: "one two three",
  });
});

it("what is of no known shape is an empty text", () => {
  for (const part of [undefined, null, 3, {}, { value: 3 }, { value: { node: { children: "x" } } }])
    expect(extensionToolPart(part)).toEqual({ type: "text", text: "" });
});
