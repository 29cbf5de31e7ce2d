/** What a server says as text and as structured content reaches the model once. */
import { expect, it } from "vitest";
import { isRepeated } from "../../../../src/core/tools/servers/repeated-content.ts";

it.each<[string, string[], unknown]>([
  ["the same JSON", ['{"a":1,"b":[2]}'], { a: 1, b: [2] }],
  ["JSON in another order and layout", ['{ "b": [2],\n  "a": 1 }'], { a: 1, b: [2] }],
  ["beside another text", ["Done.", '{"a":1}'], { a: 1 }],
  ["the only property as text", ["line one\nline two\n"], { content: "line one\nline two" }],
  ["a wrapped number", ["5"], { result: 5 }],
  ["a wrapped object", ['{"a":1}'], { result: { a: 1 } }],
  ["a list in a text for each item", ['{"a":1}', '{"a":2}'], { result: [{ a: 1 }, { a: 2 }] }],
  ["a list of texts", ["one", "two"], { result: ["one", "two"] }],
])("%s is a repetition", (_, texts, structured) => {
  expect(isRepeated(texts, structured)).toBe(true);
});

it.each<[string, string[], unknown]>([
  ["no text", [], { a: 1 }],
  ["a summary", ["2 files"], { files: ["a", "b"] }],
  ["another value", ['{"a":1}'], { a: 2 }],
  ["a part", ["line one"], { content: "line one", size: 8 }],
  ["JSON that is too deep to compare", [`${"[".repeat(50_000)}${"]".repeat(50_000)}`], { a: 1 }],
])("%s is none", (_, texts, structured) => {
  expect(isRepeated(texts, structured)).toBe(false);
});
