import { describe, expect, it } from "vitest";
import { parseTodo, readTodo, withDone } from "../../../src/shared/todo.ts";

describe("the todo list", () => {
  it("is its check boxes, with how deep they stand", () => {
    expect(parseTodo("# Plan\n- [x] one\n* [ ] two\n  1. [X] three\nno box\n- [y] no")).toEqual([
      { text: "one", done: true, depth: 0 },
      { text: "two", done: false, depth: 0 },
      { text: "three", done: true, depth: 1 },
    ]);
    expect(parseTodo("猫を探す")).toEqual([]);
  });

  it("has one item done, or not done again, and keeps the rest as it is", () => {
    const list = "# Plan\n- [ ] one\n  * [x] two\n1. [ ] three ";
    expect(withDone(list, 2, true)).toBe("# Plan\n- [ ] one\n  * [x] two\n1. [x] three ");
    expect(withDone(list, 1, false)).toBe("# Plan\n- [ ] one\n  * [ ] two\n1. [ ] three ");
    expect(withDone(list, 9, true)).toBe(list);
  });
});

describe("what a user wrote as a list", () => {
  it("gets boxes where they left them out", () => {
    const read = readTodo("# 手順\r\n\r\n- [x] 読む\r\n- 書く\r\n  * 試す\r\n2) deploy\r\n- \r\n- [ ]\r\n");
    expect(read).toEqual({ markdown: "- [x] 読む\n- [ ] 書く\n  - [ ] 試す\n- [ ] deploy", leftOut: [] });
  });

  it("says what has no place in it", () => {
    expect(readTodo("First look around.\n- [ ] a\n- [?] b")).toEqual({
      markdown: "- [ ] a",
      leftOut: ["First look around.", "- [?] b"],
    });
  });

  it("may be no list at all", () => {
    expect(readTodo("just words")).toEqual({ markdown: "", leftOut: ["just words"] });
    expect(readTodo(" \n\n")).toEqual({ markdown: "", leftOut: [] });
  });
});
