import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseParams } from "../../../../src/core/assistant/params.ts";

const schema = z.object({
  path: z.string().min(1),
  start_line: z.number().int().min(1).optional(),
  ratio: z.number().optional(),
  recursive: z.boolean().default(false),
  options: z.array(z.string()).min(2).max(5).optional(),
  action: z.enum(["launch", "click"]).optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  lines: z.array(z.number()).optional(),
});

const parse = (raw: Record<string, unknown>) => parseParams(schema, { path: "a", ...raw });
const error = (raw: Record<string, unknown>): string => {
  const result = parseParams(schema, raw);
  return result.ok ? "" : result.error;
};

describe("conversion", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["a number", { start_line: " 12 " }, { start_line: 12 }],
    ["a fraction", { ratio: "-.5e1" }, { ratio: -5 }],
    ["a number that is one", { start_line: 3 }, { start_line: 3 }],
    ["true", { recursive: "True" }, { recursive: true }],
    ["false", { recursive: "false\n" }, { recursive: false }],
    ["a JSON array", { options: '["a", "b, c"]' }, { options: ["a", "b, c"] }],
    ["a list with an item a line", { options: "a\n\n  b \r\nc" }, { options: ["a", "b", "c"] }],
    ["a list with marks", { options: "- a\n- b" }, { options: ["a", "b"] }],
    ["a numbered list", { options: "1. a\n2. b" }, { options: ["a", "b"] }],
    [
      "a list of elements",
      { options: "\n<option>a, b</option>\n<option> c </option>\n" },
      { options: ["a, b", "c"] },
    ],
    ["numbers in elements", { lines: "<item>1</item><item>2</item>" }, { lines: [1, 2] }],
    ["lines that are markup", { options: "<b>a</b>\n<b>b</b>" }, { options: ["<b>a</b>", "<b>b</b>"] }],
    [
      "lines of which one is an element",
      { options: "<option>a</option>\nb" },
      { options: ["<option>a</option>", "b"] },
    ],
    [
      "properties in elements",
      { arguments: "<city>\n  Tōkyō\n</city>\n<html><b>x</b></html>\n<empty></empty>" },
      { arguments: { city: "  Tōkyō", html: "<b>x</b>", empty: "" } },
    ],
    ["a choice in another case", { action: " Click" }, { action: "click" }],
    ["a JSON object", { arguments: '{"n": 1}' }, { arguments: { n: 1 } }],
    ["an object", { arguments: { n: "1" } }, { arguments: { n: "1" } }],
    ["numbers of a list", { lines: "1, 2" }, { lines: [1, 2] }],
    ["numbers of a JSON array of texts", { lines: '["1",2]' }, { lines: [1, 2] }],
    ["one value for a list", { lines: 4 }, { lines: [4] }],
    ["a number where text is wanted", { path: 5 }, { path: "5" }],
    ["null for what is optional", { start_line: null, recursive: null }, {}],
    ["an empty text for what is optional", { start_line: "", options: "\n" }, {}],
  ])("%s", (_, raw, expected) => {
    expect(parse(raw)).toEqual({ ok: true, value: { path: "a", recursive: false, ...expected } });
  });

  test("text is kept byte for byte", () => {
    expect(parse({ path: " true\n[1] " })).toMatchObject({ value: { path: " true\n[1] " } });
    const texts = z.object({ content: z.string() });
    expect(parseParams(texts, { content: "" })).toEqual({ ok: true, value: { content: "" } });
  });

  test("a value that may be text stays text", () => {
    const either = z.object({ value: z.union([z.string(), z.number()]), maybe: z.string().nullable() });
    expect(parseParams(either, { value: "5", maybe: null })).toEqual({
      ok: true,
      value: { value: "5", maybe: null },
    });
  });
});

describe("errors that a model can act on", () => {
  test("a missing parameter", () => {
    expect(error({ recursive: "true" })).toBe(
      "path is missing, expected a text that is not empty. Required: path. " +
        "Optional: start_line, ratio, recursive, options, action, arguments, lines.",
    );
    expect(error({ path: null })).toContain("path is missing");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ start_line: "ten" }, 'start_line: expected a whole number of at least 1, got "ten"'],
    [{ start_line: "0" }, "start_line: expected a whole number of at least 1, got 0"],
    [{ start_line: "1.5" }, "start_line: expected a whole number of at least 1, got 1.5"],
    [{ recursive: "maybe" }, 'recursive: expected true or false, got "maybe"'],
    [{ options: "one" }, 'options: expected a JSON array of texts, 2 to 5 of them, got ["one"]'],
    [{ options: '["a",' }, 'options: expected a JSON array of texts, 2 to 5 of them, got "[\\"a\\","'],
    [{ action: "hover" }, 'action: expected one of "launch", "click", got "hover"'],
    [{ arguments: "{oops" }, 'arguments: expected a JSON object, got "{oops"'],
    [{ arguments: "<a>1</a> or <b>2</b>" }, "arguments: expected a JSON object, got"],
    [{ arguments: "<a>1</a><a>2</a>" }, "arguments: expected a JSON object, got"],
    [{ arguments: "<a>1<a>2</a></a>" }, "arguments: expected a JSON object, got"],
    [{ arguments: "<a>1" }, "arguments: expected a JSON object, got"],
    [{ path: { a: 1 } }, 'path: expected a text that is not empty, got {"a":1}'],
    [{ startline: "1" }, "startline is not a parameter of this tool (did you mean start_line?)"],
    [{ color: "red" }, "color is not a parameter of this tool"],
    [{ lines: "1\nx" }, 'lines: expected a JSON array of numbers, got [1,"x"] (lines.1:'],
  ])("%j", (raw, expected) => {
    expect(error({ path: "a", ...raw })).toContain(expected);
  });

  test("all of them at once, each named once", () => {
    const text = error({ start_line: "x", recursive: "y" });
    expect(text.match(/start_line: expected/g)).toHaveLength(1);
    expect(text).toContain("recursive: expected");
    expect(text).toContain("path is missing");
  });

  test("a tool without parameters says so", () => {
    expect(parseParams(z.object({}), { a: 1 })).toEqual({
      ok: false,
      error: "a is not a parameter of this tool. The tool takes no parameters.",
    });
  });

  test("what came is shown short, however long it is", () => {
    expect(error({ path: "a", start_line: "x".repeat(1_000_000) }).length).toBeLessThan(400);
    expect(error({ path: "a", ["y".repeat(1_000_000)]: 1 }).length).toBeLessThan(400);
  });

  test("a rule over several parameters speaks for itself", () => {
    const ranged = z.object({ a: z.number() }).refine(({ a }) => a > 5, "a must be past 5");
    expect(parseParams(ranged, { a: "1" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("a must be past 5"),
    });
  });
});

test("elements in elements are read as far as the schema goes", () => {
  const nested = z.object({
    filter: z.object({ city: z.string(), days: z.number(), tags: z.array(z.string()) }),
  });
  const filter =
    "<city>Kyoto</city>\n<days>5</days>\n<tags>\n  <item>a</item>\n  <item><b>b</b></item>\n</tags>";
  expect(parseParams(nested, { filter })).toEqual({
    ok: true,
    value: { filter: { city: "Kyoto", days: 5, tags: ["a", "<b>b</b>"] } },
  });
});

test("a schema that takes other parameters gets them", () => {
  const open = z.looseObject({ path: z.string() });
  expect(parseParams(open, { path: "a", more: 1 })).toEqual({ ok: true, value: { path: "a", more: 1 } });
});
