import { describe, expect, test } from "vitest";
import { applySearchReplace } from "../../../../src/core/edits/apply-blocks.ts";
import { markerKind } from "../../../../src/core/edits/blocks/markers.ts";
import { createDiffStream } from "../../../../src/core/edits/stream.ts";

function applied(original: string, diff: string): string {
  const result = applySearchReplace(original, diff);
  if (!result.ok) throw new Error(result.error);
  return result.content;
}

describe("markers", () => {
  test.each([
    ["------- SEARCH", "search"],
    ["--- SEARCH", "search"],
    ["<<<<<<< SEARCH", "search"],
    ["<<< SEARCH  ", "search"],
    ["------- SEARCH>", "search"],
    ["=======", "divider"],
    ["===", "divider"],
    ["+++++++ REPLACE", "replace"],
    [">>>>>>> REPLACE", "replace"],
    ["-- SEARCH", undefined],
    ["==", undefined],
    ["<<<<<<< HEAD", undefined],
    [">>>>>>> main", undefined],
    ["======= x", undefined],
    ["------- SEARCHED", undefined],
    [" =======", undefined],
  ])("%j is %s", (line, kind) => {
    expect(markerKind(line)).toBe(kind);
  });

  test("the last one is never missing", () => {
    const diff = "------- SEARCH\na\n=======\nb\n";
    for (const end of ["", "\n", "oops!\n", "+++++++"]) {
      expect(applySearchReplace("a\n", diff + end)).toMatchObject({ ok: false });
      expect(applySearchReplace("a\n", diff + end, { complete: false })).toMatchObject({ ok: false });
    }
  });

  test("indented markers are understood where the first is", () => {
    expect(applied("x\n  a\n", "  ------- SEARCH\n  a\n  =======\n  b\n  +++++++ REPLACE\n")).toBe(
      "x\n  b\n",
    );
  });
});

describe("a line of the file named after the SEARCH marker", () => {
  const named = (head: string, search = "a", replace = "b") =>
    `<<<<<<< SEARCH\n${head}${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

  test.each([":start_line:3\n-------\n", ":start_line: 3\n:end_line:3\n-------\n", ":start_line:3\n"])(
    "%j settles which of several places is meant",
    (head) => {
      expect(applied("a\nx\na\n", named(head))).toBe("a\nx\nb\n");
      expect(applied("y\nz\nx\n", named(head, "x", "w"))).toBe("y\nz\nw\n");
    },
  );

  test("a unique place is found on another line too", () => {
    expect(applied("x\na\n", named(":start_line:30\n-------\n"))).toBe("x\nb\n");
  });

  test("several places are refused where none begins on that line", () => {
    expect(applySearchReplace("a\nx\na\n", named(":start_line:2\n-------\n"))).toMatchObject({ ok: false });
  });

  test("the search text may begin with a rule, and the file may have such a line", () => {
    expect(applied("-------\na\n", named(":start_line:1\n-------\n", "-------\na"))).toBe("b\n");
    expect(applied(":start_line:3\n-------\na\n", named(":start_line:3\n-------\n"))).toBe("b\n");
    expect(applied("-------\na\n", named("-------\n"))).toBe("b\n");
  });

  test("errors name the right line of the diff", () => {
    const diff = "<<<<<<< SEARCH\n:start_line:1\n-------\na\n=======\nb\n";
    expect(applySearchReplace("a\n", diff)).toMatchObject({
      error: expect.stringContaining("The block that begins on line 3 of the diff has no"),
    });
  });
});

describe("escaped markers", () => {
  const escaped = (search: string, replace: string) =>
    `&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH\n${search}\n=======\n${replace}\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; REPLACE\n`;

  test("the text is escaped like them", () => {
    expect(applied("x = 1;\n", escaped("x = 1;", "x = a &amp;&amp; b &lt; 2;"))).toBe("x = a && b < 2;\n");
    expect(applied("if (a < b) {\n", escaped("if (a &lt; b) {", "if (a &gt; b) {"))).toBe("if (a > b) {\n");
    expect(applied("x\ny\n", escaped("x", "z") + escaped("y", "&quot;"))).toBe('z\n"\n');
  });

  test("text without any escaped sign is taken as it is", () => {
    expect(applied("x = 1;\n", escaped("x = 1;", "x = a < 2;"))).toBe("x = a < 2;\n");
  });

  test("text that is escaped in part is refused", () => {
    expect(applySearchReplace("<p>a</p>\n", escaped("<p>a</p>", "<p>&lt;a&gt;</p>"))).toMatchObject({
      error: expect.stringContaining("only a part of its text is"),
    });
  });

  test("they are text inside a block whose markers are not escaped", () => {
    const text = "&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH";
    expect(
      applied(`${text}\na\n`, `<<<<<<< SEARCH\n${text}\na\n=======\n${text}\nb\n>>>>>>> REPLACE\n`),
    ).toBe(`${text}\nb\n`);
  });

  test("a plain REPLACE marker ends such a block too", () => {
    const diff = "&lt;&lt;&lt; SEARCH\na\n=======\nb\n+++++++ REPLACE\n";
    expect(applied("a\n", diff)).toBe("b\n");
  });
});

describe("marker lines that are text", () => {
  const conflict = "top\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\nend\n";

  test("a conflict is resolved", () => {
    const diff =
      "------- SEARCH\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n=======\nboth\n+++++++ REPLACE\n";
    expect(applied(conflict, diff)).toBe("top\nboth\nend\n");
  });

  test("a divider in the file does not hinder a search before it", () => {
    expect(applied(conflict, "------- SEARCH\nours\n=======\nmine\n+++++++ REPLACE\n")).toBe(
      conflict.replace("ours", "mine"),
    );
  });

  test("a heading's underline in SEARCH, in REPLACE, and in both", () => {
    const file = "Title\n=======\n\ntext\n";
    expect(applied(file, "------- SEARCH\nTitle\n=======\n=======\n# Title\n+++++++ REPLACE\n")).toBe(
      "# Title\n\ntext\n",
    );
    expect(applied(file, "------- SEARCH\nTitle\n=======\n=======\nNew\n=======\n+++++++ REPLACE\n")).toBe(
      "New\n=======\n\ntext\n",
    );
    expect(
      applied("# Title\n\ntext\n", "------- SEARCH\n# Title\n=======\nTitle\n=====\n+++++++ REPLACE\n"),
    ).toBe("Title\n=====\n\ntext\n");
  });

  test("a searched text with a divider in it that does not fit is not taken apart at the divider", () => {
    const stale =
      "------- SEARCH\n<<<<<<< HEAD\nours\n=======\nthiers too\n>>>>>>> topic\n=======\nboth\n+++++++ REPLACE\n";
    expect(applySearchReplace(conflict, stale)).toMatchObject({
      ok: false,
      blocks: [{ ok: false, nearestLine: 2 }],
    });
    const invented = "------- SEARCH\na1\n=======\nb1\n=======\nc1\n+++++++ REPLACE\n";
    expect(applySearchReplace("a1\nb1\n", invented)).toMatchObject({ ok: false });
    expect(applySearchReplace("a1\nx1\n", invented)).toMatchObject({ ok: false });
    expect(applySearchReplace("a1\nx1\n", invented, { path: "a.md" })).toMatchObject({
      content: "b1\n=======\nc1\nx1\n",
    });
  });

  test("a document about this very format", () => {
    const file = "Use it so:\n------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\nThat is all.\n";
    const example = "------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE";
    const diff = `------- SEARCH\n${example}\nThat is all.\n=======\n${example}\nNo more.\n+++++++ REPLACE\n`;
    expect(applied(file, diff)).toBe(file.replace("That is all.", "No more."));
    expect(applied("", `------- SEARCH\n=======\n${example}\n+++++++ REPLACE\n`)).toBe(`${example}\n`);
  });

  test("a block inside another's REPLACE that the file would answer is refused", () => {
    const diff =
      "------- SEARCH\na\n=======\nA\n------- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n+++++++ REPLACE\n";
    expect(applySearchReplace("a\nb\n", diff)).toMatchObject({ ok: false });
  });
});

describe("a streaming diff", () => {
  const original = "a\nb\nc\nd\n";
  const diff =
    "------- SEARCH\nd\n=======\nD\n+++++++ REPLACE\n\n------- SEARCH\na\n=======\nA\nA2\n+++++++ REPLACE\n";

  test("places each block once, as its last marker is complete", () => {
    const stream = createDiffStream(original);
    const seen: string[] = [];
    for (const letter of diff) {
      for (const block of stream.push(letter))
        seen.push(block.ok ? `${block.startLine}: ${JSON.stringify(stream.preview())}` : block.reason);
    }
    expect(seen).toEqual(['4: "a\\nb\\nc\\nD\\n"', '1: "A\\nA2\\nb\\nc\\nD\\n"']);
    expect(stream.end()).toEqual(applySearchReplace(original, diff));
  });

  test("shows blocks that fit while others fail, and applies none of them in the end", () => {
    const stream = createDiffStream(original);
    const [first, second] = stream.push(
      "------- SEARCH\na\n=======\nA\n+++++++ REPLACE\n------- SEARCH\nzz\n=======\nx\n+++++++ REPLACE\n",
    );
    expect(first).toMatchObject({ ok: true, index: 0, startLine: 1, endLine: 1 });
    expect(second).toMatchObject({ ok: false, index: 1 });
    expect(stream.preview()).toBe("A\nb\nc\nd\n");
    expect(stream.end()).toMatchObject({ ok: false });
  });

  test("is not done when it is cut off", () => {
    const stream = createDiffStream(original);
    stream.push("------- SEARCH\na\n=======\nA");
    expect(stream.preview()).toBe(original);
    expect(stream.end({ complete: false })).toMatchObject({ ok: false });
    expect(stream.push("more")).toEqual([]);
  });

  test("a line ending split between two pieces is one", () => {
    const stream = createDiffStream("a\r\nb\r\n");
    for (const piece of [
      "------- SEARCH\r",
      "\na\r",
      "\n=======\r",
      "\nx\r",
      "\n\r",
      "\ny\r",
      "\n+++++++ REPLACE\r",
    ])
      stream.push(piece);
    expect(stream.end()).toMatchObject({ ok: true, content: "x\r\n\r\ny\r\nb\r\n" });
  });
});
