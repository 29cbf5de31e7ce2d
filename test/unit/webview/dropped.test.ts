import { describe, expect, it } from "vitest";
import { carried, droppedUris } from "../../../webview-ui/composer/dropped.ts";
import { arranged, otherItems, readQuery } from "../../../webview-ui/composer/menus/mention-search.ts";
import { without } from "../../../webview-ui/composer/typing.ts";

describe("what a drag carries", () => {
  it.each([
    [["application/vnd.code.uri-list", "codeeditors", "resourceurls"], "files"],
    [["ResourceURLs"], "files"],
    [["text/uri-list", "text/plain"], "files"],
    [["Files"], "images"],
    [["text/plain", "text/html"], undefined],
    [[], undefined],
  ])("%j", (types, kind) => {
    expect(carried({ types })).toBe(kind);
  });

  const of = (data: Record<string, string>) => droppedUris({ getData: (type) => data[type] ?? "" });

  it("is each address once, in the first form that has any", () => {
    const list = "file:///a\r\n# comment\r\nfile:///b\r\nfile:///a\r\n";
    expect(of({ "application/vnd.code.uri-list": list, "text/uri-list": "file:///c" })).toEqual([
      "file:///a",
      "file:///b",
    ]);
    expect(of({ resourceurls: '["file:///c", 1, null, "file:///c"]' })).toEqual(["file:///c"]);
    for (const broken of ["[", "{}", "null", ""]) expect(of({ resourceurls: broken })).toEqual([]);
  });
});

describe("a mention taken out", () => {
  it.each([
    ["see |@/a.ts| and", "see and"],
    ["|@/a.ts| and", "and"],
    ["see |@/a.ts|", "see "],
    ["(|@/a.ts|)", "()"],
    ["見て\n|@/a.ts|　ください", "見て\nください"],
    ["a |@/b|\n\nc", "a \n\nc"],
  ])("%j", (marked, expected) => {
    const [before = "", mention = "", after = ""] = marked.split("|");
    const text = before + mention + after;
    expect(without(text, before.length, before.length + mention.length)).toBe(expected);
  });
});

describe("the picker's query", () => {
  it.each([
    ["", undefined, ""],
    ["neko", undefined, "neko"],
    ["git", undefined, "git"],
    ["git:fix a", "commit", "fix a"],
    ["file:", "files", ""],
    ["folder:src/", "folders", "src/"],
    ["#Cart.to", "symbols", "Cart.to"],
    // A folder of the workspace that has such a name.
    ["git:/src", undefined, "git:/src"],
    ["https://a.b/c", "page", "https://a.b/c"],
  ])("%j", (query, way, words) => {
    expect(readQuery(query)).toEqual({ way, words });
  });

  it("finds what is no file by its name in either language", () => {
    const others = otherItems(["lib"]);
    const names = (item: (typeof others)[number]) =>
      item.kind === "word" && item.word === "problems" ? ["問題", "problems"] : ["x"];
    const found = (query: string) => arranged([], others, query, names);
    expect(found("prob")).toEqual([{ kind: "word", word: "problems" }]);
    expect(found("問")).toEqual([{ kind: "word", word: "problems" }]);
    expect(found("none")).toEqual([]);
    expect(found("")).toHaveLength(others.length);
  });
});
