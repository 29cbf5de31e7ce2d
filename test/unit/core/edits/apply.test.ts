import { describe, expect, test } from "vitest";
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { rounds } from "../../../support/random.ts";

function block(search: string, replace: string): string {
  const side = (text: string) => (text === "" ? "" : `${text}\n`);
  return `------- SEARCH\n${side(search)}=======\n${side(replace)}+++++++ REPLACE\n`;
}

function content(original: string, ...blocks: [string, string][]): string {
  const result = applySearchReplace(
    original,
    blocks.map(([search, replace]) => block(search, replace)).join("\n"),
  );
  if (!result.ok) throw new Error(result.error);
  return result.content;
}

function tier(original: string, search: string, replace = "zz"): string {
  const result = applySearchReplace(original, block(search, replace));
  return result.ok ? (result.blocks[0]?.tier ?? "") : "refused";
}

function error(original: string, diff: string): string {
  const result = applySearchReplace(original, diff);
  if (result.ok) throw new Error(`applied: ${JSON.stringify(result.content)}`);
  return result.error;
}

describe("one place", () => {
  test("is named by 1-based lines of the original, block by block", () => {
    const result = applySearchReplace("a\nb\nc\nd\n", block("c\nd", "x") + block("a", "y"));
    expect(result).toEqual({
      ok: true,
      content: "y\nb\nx\n",
      blocks: [
        { startLine: 3, endLine: 4, tier: "exact" },
        { startLine: 1, endLine: 1, tier: "exact" },
      ],
    });
  });

  test("exact goes before looser places", () => {
    expect(content("  a();\na();\n", ["a();", "b();"])).toBe("  a();\nb();\n");
    expect(content("a \na\n", ["a", "b"])).toBe("a \nb\n");
  });

  test.each([
    ["exact", "if (x) {\n", "if (x) {"],
    ["trailing-space", "if (x) {  \n", "if (x) {"],
    ["look-alike", "say \u201chi\u201d \u2013 now\n", 'say "hi" - now'],
    ["look-alike", "caf\u00e9\n", "cafe\u0301"],
    ["look-alike", "a\u00a0b\n", "a b"],
    ["indentation", "    if (x) {\n", "if (x) {"],
    ["indentation", "if (x) {\n", "    if (x) {"],
    ["entities", "if (a < b) {\n", "if (a &lt; b) {"],
    ["line-numbers", "alpha\nbeta\n", "1 | alpha\n2 | beta"],
    ["close", "// Please recieve the data\nfoo();\n", "// Please receive the data\nfoo();"],
  ])("is found by %s", (expected, original, search) => {
    expect(tier(original, search)).toBe(expected);
  });
});

describe("only what differs is written", () => {
  test("kept lines keep trailing spaces, tabs and look-alikes of the file", () => {
    const file = "one  \n\ttwo\n\u2018three\u2019\t\nfour\n";
    expect(content(file, ["one\n\ttwo\n'three'\nfour", "one\n\ttwo\n'three'\nFOUR"])).toBe(
      "one  \n\ttwo\n\u2018three\u2019\t\nFOUR\n",
    );
  });

  test("trailing spaces can be taken off on purpose", () => {
    expect(content("a  \nb\n", ["a  \nb", "a\nb"])).toBe("a\nb\n");
  });

  test("the replacement is shifted back by what the searched text was off", () => {
    const file = "class A:\n    def f(self):\n        return 1\n";
    expect(
      content(file, ["def f(self):\n    return 1", "def f(self):\n    if x:\n        y()\n    return 1"]),
    ).toBe("class A:\n    def f(self):\n        if x:\n            y()\n        return 1\n");
    expect(
      content(file, [
        "        def f(self):\n            return 1",
        "        def f(self):\n            return 2",
      ]),
    ).toBe("class A:\n    def f(self):\n        return 2\n");
  });

  test("a replacement that has the file's indentation already is not shifted twice", () => {
    const file = "{\n    a();\n    b();\n}\n";
    expect(content(file, ["a();\nb();", "    a();\n    c();\n    b();"])).toBe(
      "{\n    a();\n    c();\n    b();\n}\n",
    );
    // What is said both ways goes with the searched text.
    expect(
      content("{\n    a {\n        b\n    }\n}\n", ["a {\n    b\n}", "    a {\n    b\n    c\n    }"]),
    ).toBe("{\n        a {\n        b\n        c\n        }\n}\n");
    expect(content("a {\n  b\n}\n", ["    a {\n      b\n    }", "x {\n  y\n}"])).toBe("x {\n  y\n}\n");
  });

  describe("indented in other steps than the file", () => {
    const file = "class A:\n    def f(self):\n        if x:\n            return 1\n";

    test.each([
      ["  def f(self):\n    if x:\n      return 1", "  def f(self):\n    if x:\n      return 2"],
      [
        "class A:\n  def f(self):\n    if x:\n      return 1",
        "class A:\n  def f(self):\n    if x:\n      return 2",
      ],
    ])("both sides follow the file: %j", (search, replace) => {
      expect(content(file, [search, replace])).toBe(file.replace("1", "2"));
    });

    test("narrower, and with new lines", () => {
      const narrow = "f() {\n  if (x) {\n    a();\n  }\n}\n";
      expect(
        content(narrow, [
          "f() {\n    if (x) {\n        a();\n    }",
          "f() {\n    if (x) {\n        if (y) {\n            b();\n        }\n        a();\n    }",
        ]),
      ).toBe("f() {\n  if (x) {\n    if (y) {\n      b();\n    }\n    a();\n  }\n}\n");
      expect(content("f:\n    a\n", ["f:\n  a", "f:\n  b"])).toBe("f:\n    b\n");
    });

    test("refused where REPLACE may be indented as the file is", () => {
      const search = "class A:\n  def f(self):\n    if x:";
      expect(error(file, block(search, "class A:\n    def f(self):\n        if y:"))).toContain(
        "Indent SEARCH and REPLACE as the file is",
      );
      expect(error("f:\n    a\n", block("f:\n  a", "f:\n    b"))).toContain("REPLACE may be either");
    });
  });

  test("spaces become the file's tabs", () => {
    const file = "f() {\n\tif (x) {\n\t\ta();\n\t}\n}\n";
    expect(
      content(file, [
        "    if (x) {\n        a();\n    }",
        "    if (x) {\n        if (y) {\n            a();\n        }\n    }",
      ]),
    ).toBe("f() {\n\tif (x) {\n\t\tif (y) {\n\t\t\ta();\n\t\t}\n\t}\n}\n");
    expect(content(file, ["if (x) {\n\ta();\n}", "if (x) {\n    b();\n}"])).toBe(
      "f() {\n\tif (x) {\n\t\tb();\n\t}\n}\n",
    );
  });

  test("entities come off both sides, one level, and only where the searched text needs it", () => {
    expect(
      content("if (a < b && c) {\n", [
        "if (a &lt; b &amp;&amp; c) {",
        "if (a &gt; b &amp;&amp; x == &quot;&amp;lt;&quot;) {",
      ]),
    ).toBe('if (a > b && x == "&lt;") {\n');
    expect(content("<p>a &lt; b</p>\n", ["<p>a &lt; b</p>", "<p>a &amp; b</p>"])).toBe("<p>a &amp; b</p>\n");
    // A bare sign in the replacement says that it is not escaped.
    expect(content("<b>x</b>\n", ["&lt;b&gt;x&lt;/b&gt;", "<b>&lt;</b>"])).toBe("<b>&lt;</b>\n");
  });

  test("where one block of an escaped diff had to be unescaped, so are the others", () => {
    expect(content("a < b\nplain\n", ["a &lt; b", "a &gt; b"], ["plain", "x =&gt; y"])).toBe(
      "a > b\nx => y\n",
    );
  });

  test("a misspelling of the model's does not rename what the file has", () => {
    const file = "const recieved = load();\nuse(recieved);\nend(1);\n";
    expect(
      content(file, [
        "const received = load();\nuse(recieved);\nend(1);",
        "const received = load(2);\nuse(recieved);\nend(1);",
      ]),
    ).toBe("const recieved = load(2);\nuse(recieved);\nend(1);\n");
  });

  test("blank lines that only the model has do not come in, those that only the file has stay", () => {
    expect(content("a1\nb1\nc1\n", ["\nb1\n", "\nB1\n"])).toBe("a1\nB1\nc1\n");
    expect(content("a1\n\nb1\nc1\n", ["a1\nb1", "a1\nB1"])).toBe("a1\n\nB1\nc1\n");
    // Also where nothing is put between them.
    expect(content("a1\nb1\n\nc1\n", ["\nb1\n", "\n"])).toBe("a1\n\nc1\n");
    expect(content("a1\nb1\n\nc1\n", ["\nb1\n", "\n\n"])).toBe("a1\n\n\n\nc1\n");
  });
});

describe("line endings and the end of the file", () => {
  test("new lines take the endings of their neighbors", () => {
    expect(content("a\r\nb\r\nc\r\n", ["b", "b\nx\ny"])).toBe("a\r\nb\r\nx\r\ny\r\nc\r\n");
    expect(content("a\nb\nc\r\nd\r\n", ["b", "B1\nB2"], ["d", "D1\nD2"])).toBe(
      "a\nB1\nB2\nc\r\nD1\r\nD2\r\n",
    );
    expect(content("a\rb\rc\r", ["b", "x\ny"])).toBe("a\rx\ry\rc\r");
  });

  test("a missing final line break stays missing", () => {
    expect(content("a\nb", ["b", "c"])).toBe("a\nc");
    expect(content("a\nb", ["b", "b\nc"])).toBe("a\nb\nc");
    expect(content("a\r\nb", ["b", "b\nc"])).toBe("a\r\nb\r\nc");
    expect(content("a\nb", ["b", ""])).toBe("a");
    expect(content("a\nb\nc", ["a", "x"])).toBe("x\nb\nc");
  });

  test("a final line break stays", () => {
    expect(content("a\nb\n", ["b", "c"])).toBe("a\nc\n");
    expect(content("a\nb\n", ["b", ""])).toBe("a\n");
  });

  test("an empty REPLACE takes the lines out wholly, a blank one leaves a blank line", () => {
    expect(content("a\nb\nc\n", ["b", ""])).toBe("a\nc\n");
    expect(applySearchReplace("a\nb\nc\n", "------- SEARCH\nb\n=======\n\n+++++++ REPLACE")).toMatchObject({
      content: "a\n\nc\n",
    });
    expect(content("a\n", ["a", ""])).toBe("");
  });

  test("a byte order mark stays in front", () => {
    expect(content("\ufeffa\nb\n", ["a", "x\ny"])).toBe("\ufeffx\ny\nb\n");
  });

  test("a diff in CRLF does not bring its endings along", () => {
    expect(applySearchReplace("a\nb\n", block("b", "c\nd").replace(/\n/g, "\r\n"))).toMatchObject({
      content: "a\nc\nd\n",
    });
  });
});

describe("refused, with what to do next", () => {
  test("a search that is part of a longer line", () => {
    expect(error("const total = a + b;\n", block("total = a", "sum = a"))).toContain(
      "1 | const total = a + b;",
    );
    expect(tier("  foo(a, b);\n", "foo(a")).toBe("refused");
    expect(tier("  foo(a, b);\n", "foo(a, b)")).toBe("refused");
  });

  test("lines that stand twice, each named", () => {
    expect(error("x\nfoo();\ny\nfoo();\n", block("foo();", "bar();"))).toMatch(/2 places.*lines 2 and 4/);
    expect(error("  foo();\nx\n    foo();\n", block("foo();", "bar();"))).toMatch(
      /indentation.*lines 1 and 3/,
    );
  });

  test.each([
    ["another line", "b = 2"],
    ["a number", "middle(11);"],
    ["a name", "centre(10);"],
    ["a plural", "middles(10);"],
    ["one more argument", "middle(10, 1);"],
    ["a comment", "middle(10); // old"],
    ["a letter more at the end", "middlex(10);"],
  ])("stale lines in the middle: %s", (_what, stale) => {
    const file = "first(1);\nmiddle(10);\nlast(2);\nrest(3);\n";
    const told = error(file, block(`first(1);\n${stale}\nlast(2);`, "x"));
    expect(told).toContain("2 | middle(10);");
    expect(told).toContain("first difference is on line 2");
  });

  test("a close match when something else in the file is like it", () => {
    const file = "// Please recieve the order now\nfoo();\n// Please recieve the older now\nbar();\n";
    expect(tier(file, "// Please receive the order now")).toBe("refused");
  });

  test.each([
    ["a letter of a short word", "let tree = 1; // of all items", "let three = 1; // of all items"],
    [
      "a word that the file has elsewhere",
      "use(contract); // of all items\ncontact();",
      "use(contact); // of all items\ncontact();",
    ],
    ["the end of a word in a name", "load(excludeFlags); // all items", "load(excludesFlags); // all items"],
  ])("what may be another name: %s", (_what, file, search) => {
    expect(tier(`${file}\n`, search)).toBe("refused");
  });

  test("lines left out with dots", () => {
    expect(error("a1\nb1\nc1\nd1\n", block("a1\n...\nd1", "x"))).toContain("stands for omitted text");
  });

  test("overlapping blocks, and blocks that share a line", () => {
    expect(error("a\nb\nc\n", block("a\nb", "x") + block("b\nc", "y"))).toMatch(
      /Blocks 1 .* and 2 .* overlap/,
    );
    expect(error("a\nb\nc\n", block("b", "x") + block("b", "y"))).toMatch(/overlap/);
  });

  test("one block that fails fails all, and the others are named", () => {
    const result = applySearchReplace("a\nb\nc\n", block("a", "x") + block("nope", "y") + block("c", "z"));
    expect(result).toMatchObject({ ok: false, blocks: [{ ok: true }, { ok: false }, { ok: true }] });
    if (!result.ok)
      expect(result.error).toMatch(/Block 2 of 3 .*Blocks 1 and 3 would have fitted\. Nothing was changed/s);
  });

  test("a block that changes nothing", () => {
    expect(error("a\nb\n", block("a", "a"))).toContain("changes nothing");
    expect(error("a\nb\n", block("a ", "a"))).toContain("changes nothing");
  });

  test("blocks that change nothing are left out where others change something, and named", () => {
    const some = block("a", "a") + block("b", "B");
    expect(applySearchReplace("a\nb\n", some)).toMatchObject({
      content: "a\nB\n",
      blocks: [{ startLine: 2 }],
      leftOut: "Block 1 of 2 was left out: it changes nothing.",
    });
    expect(applySearchReplace("a\nb\n", some + block("a ", "a"))).toMatchObject({
      leftOut: "Blocks 1 and 3 of 3 were left out: they change nothing.",
    });
    expect(error("a\nb\n", block("x", "x") + block("b", "B"))).toContain("Block 1 of 2 does not fit");
    expect(error("a\nb\n", block("a", "a") + block("b", "b"))).toContain("Block 2 of 2 does not fit");
    expect(error("a\nb\n", block("a", "a") + block("b", "B") + block("b", "C"))).toMatch(
      /^Blocks 2 .* and 3 .* overlap(?!.*Block 1)/,
    );
  });

  test("an edit that was made before", () => {
    expect(error("alpha(2);\nbeta();\n", block("alpha(1);", "alpha(2);"))).toContain(
      "already stands on line 1",
    );
  });

  test("an empty SEARCH on a file with content; on an empty file it gives the content", () => {
    expect(error("a\n", block("", "x"))).toContain("the file has content (1 line)");
    expect(error("a\n", "------- SEARCH\n\n=======\nx\n+++++++ REPLACE")).toContain("only blank lines");
    expect(content("", ["", "x\ny"])).toBe("x\ny\n");
    expect(error("", block("a", "b"))).toContain("empty or new");
    expect(error("", block("", "a") + block("", "b"))).toContain("overlap");
  });

  test.each([
    ["", "The diff is empty"],
    ["just words", "no SEARCH/REPLACE block"],
    ["@@ -1 +1 @@\n-a\n+b\n", "unified diff"],
    ["*** Begin Patch\n*** End Patch", "apply_patch"],
    ["------- SEARCH\na\n", "cut off"],
    ["------- SEARCH\na\n+++++++ REPLACE\n", "no ======= line"],
    ["------- SEARCH\n=======\n+++++++ REPLACE\n", "SEARCH is empty"],
    ["+++++++ REPLACE\n", "belongs to no block"],
    [
      "------- SEARCH\na\n=======\nb\n------- SEARCH\nc\n=======\nd\n+++++++ REPLACE\n",
      "before the next SEARCH marker (line 5)",
    ],
    ["------- SEARCH\na\n=======\n=======\nb\n+++++++ REPLACE\n", "second ======= line"],
  ])("what is no diff: %j", (diff, told) => {
    expect(error("a\nc\n", diff)).toContain(told);
  });
});

describe("size and strange characters", () => {
  test("lone surrogates and NUL stay as they are", () => {
    expect(content("a\ud800\nb\0\nc\n", ["c", "d\udc00"])).toBe("a\ud800\nb\0\nd\udc00\n");
    expect(error("a\0b\n", block("zz\0", "x"))).toContain("Nothing was changed");
  });

  /** In `npm run endure`, files and diffs are ten times as large. */
  const MEGABYTES = rounds(1, 10);

  test(`${MEGABYTES} MB of file, of diff, of one line`, () => {
    const line = "some line of text that is repeated\n";
    const many = line.repeat(MEGABYTES * 30_000);
    expect(content(`${many}once\n`, ["once", "twice"]).endsWith("repeated\ntwice\n")).toBe(true);
    expect(error(many, block(line.trim(), "x"))).toContain("very many");
    expect(error("a\n", block("x".repeat(MEGABYTES * 1_000_000), "y")).length).toBeLessThan(5_000);
    expect(error("a\n", "some text\n".repeat(MEGABYTES * 100_000)).length).toBeLessThan(5_000);
    expect(content(`${"x".repeat(MEGABYTES * 1_000_000)}\nb\n`, ["b", "c"]).endsWith("x\nc\n")).toBe(true);
  });

  test("a line of very many letters that nearly matches", () => {
    const letters = "x".repeat(MEGABYTES * 100_000);
    expect(error(`${letters}; const alpha = 1;\n`, block(`${letters}; const alpho = 1;`, "y"))).toContain(
      "Nothing was changed",
    );
    expect(error(`const alpha = 1; ${letters}\n`, block(`const alpho = 1; ${letters}`, "y"))).toContain(
      "Nothing was changed",
    );
  });

  test("a part of a line is refused, with where it stands", () => {
    const minified = `${"x".repeat(2_000)};var a=1;${"y".repeat(2_000)}\n`;
    const told = error(minified, block("var a=1;", "var a=2;"));
    expect(told).toContain("It is only a part of line 1, from column 2002 on. Give whole lines:\n1 | ...xxx");
    expect(told).toContain(";var a=1;yyy");
    expect(told.length).toBeLessThan(1_000);
    expect(error("one\ncall(a, b);\nlast(c);\n", block("b);\nlast", "x"))).toContain(
      "a part of lines 2-3, from column 9 on. Give whole lines:\n2 | call(a, b);",
    );
    expect(error("go(1); go(1);\n", block("go(1);", "x"))).toContain("a part of line 1, and of others");
    expect(error("alpha();\r\nbeta();\r\n", block("pha();\nbeta();", "x"))).toContain("lines 1-2");
  });

  test("a file of one line over and over, searched for many of them, is refused at once", () => {
    expect(error("}\n".repeat(MEGABYTES * 20_000), block("}\n".repeat(2_000).trimEnd(), "x"))).toContain(
      "very many",
    );
  });
});
