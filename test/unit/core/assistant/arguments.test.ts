import { describe, expect, test } from "vitest";
import {
  type ArgumentUpdate,
  createArgumentsParser,
} from "../../../../src/core/assistant/json/arguments-parser.ts";

function read(deltas: string[]): { updates: ArgumentUpdate[]; value: unknown; error: string | null } {
  const parser = createArgumentsParser();
  const updates = deltas.flatMap((delta) => parser.push(delta));
  const value = parser.end();
  return { updates, value, error: parser.error };
}

describe("strings", () => {
  test("grow by deltas and say when they are done", () => {
    const parser = createArgumentsParser();
    expect(parser.push('{"path": "src/')).toEqual([{ path: "path", text: "src/", done: false }]);
    expect(parser.push('a.ts", "content": "')).toEqual([{ path: "path", text: "a.ts", done: true }]);
    expect(parser.push("x")).toEqual([{ path: "content", text: "x", done: false }]);
    expect(parser.push('"}')).toEqual([{ path: "content", text: "", done: true }]);
    expect(parser.end()).toEqual({ path: "src/a.ts", content: "x" });
    expect(parser.error).toBeNull();
  });

  test("escapes split anywhere are right", () => {
    const text = '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}';
    for (let at = 0; at <= text.length; at++) {
      const { updates, value } = read([text.slice(0, at), text.slice(at)]);
      expect(value).toEqual({ a: '"\\/\b\f\n\r\té😀' });
      expect(updates.map((update) => update.text).join("")).toBe('"\\/\b\f\n\r\té😀');
    }
  });

  test("a delta never ends in half a pair whose other half follows", () => {
    for (const deltas of [
      ['{"a":"\ud83d', '\ude00"}'],
      ['{"a":"\\ud83d', '\\ude00"}'],
      ['{"a":"\\ud83d', "\\ude", '00"}'],
      ['{"a":"\\ud83d', '\ude00"}'],
    ]) {
      expect(read(deltas).updates).toEqual([{ path: "a", text: "😀", done: true }]);
    }
    expect(read(['{"a":"\\ud83d', 'x"}']).updates).toEqual([{ path: "a", text: "\ud83dx", done: true }]);
  });

  test("line breaks and NUL may stand in strings as they are", () => {
    expect(read(['{"content":"a\r\n\tb\u0000"}']).value).toEqual({ content: "a\r\n\tb\u0000" });
  });
});

describe("values", () => {
  test("numbers, words and nested values come with their paths", () => {
    const { updates, value } = read([
      '{"n":-1.5e3,"ok":tr',
      'ue,"no":null,"items":[{"name":"a"},[2]],"x.y\\\\":{"":"z"}}',
    ]);
    expect(value).toEqual({
      n: -1500,
      ok: true,
      no: null,
      items: [{ name: "a" }, [2]],
      "x.y\\": { "": "z" },
    });
    expect(updates).toEqual([
      { path: "n", text: "-1.5e3", done: true },
      { path: "ok", text: "true", done: true },
      { path: "no", text: "null", done: true },
      { path: "items.0.name", text: "a", done: true },
      { path: "items.1.0", text: "2", done: true },
      { path: "x\\.y\\\\.", text: "z", done: true },
    ]);
  });

  test("__proto__ is a key like any other", () => {
    const { value } = read(['{"__proto__":{"polluted":true}}']);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("nothing at all is no arguments", () => {
    expect(read([])).toEqual({ updates: [], value: {}, error: null });
    expect(read([" \n"]).value).toEqual({});
  });

  test("an empty object ahead of the object is passed over", () => {
    expect(read(["{}", '{"a":1}'])).toMatchObject({ value: { a: 1 }, error: null });
  });
});

describe("bad input", () => {
  test.each([
    ["cut off within a string", '{"path":"a', "within the string path"],
    ["cut off within a key", '{"pa', "within a key"],
    ["cut off after a comma", '{"a":1,', "an object is open"],
    ["cut off within a word", '{"a":tru', "an object is open"],
    ["a comma too many", '{"a":1,}', 'expected a key in double quotes, got "}" (position 7)'],
    ["single quotes", "{'a':1}", 'expected a key in double quotes or }, got "\'" (position 1)'],
    ["Python's True", '{"a":True}', '"True" is not a JSON value'],
    ["a number with a leading zero", '{"a":01}', '"01" is not a JSON value'],
    ["an unknown escape", '{"a":"\\x"}', "\\x is not an escape of JSON (position 7)"],
    ["a short \\u", '{"a":"\\u12g4"}', 'expected four hex digits after \\u, got "g"'],
    ["text after the end", '{"a":1} ok', 'expected nothing after the end of the JSON, got "o" (position 8)'],
    ["prose", "Sure!", '"Sure" is not a JSON value'],
    ["a key that stands twice", '{"path":"a","path":"b"}', 'the key "path" stands twice'],
    ["the wrong bracket", '{"a":[1}', 'expected , or ], got "}"'],
    ["deep nesting", "[".repeat(100_000), "nested more than 256 levels deep (position 256)"],
    ["endless digits", `{"a":${"1".repeat(100_000)}`, "is not a JSON value"],
  ])("%s gives undefined and the reason, no exception", (_, text, reason) => {
    const whole = read([text]);
    expect(whole.value).toBeUndefined();
    expect(whole.error).toContain(reason);
    if (text.length < 1000) expect(read(text.split("")).error).toBe(whole.error);
  });

  test("after an error nothing more comes", () => {
    const parser = createArgumentsParser();
    parser.push('{"a":x');
    expect(parser.push(',"b":"c"}')).toEqual([]);
    expect(parser.end()).toBeUndefined();
  });
});
