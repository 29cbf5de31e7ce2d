import { describe, expect, test } from "vitest";
import { applyPatch, parsePatch } from "../../../../src/core/edits/patch/patch.ts";

const FILES: Record<string, string> = {
  "a.ts": "import x;\n\nclass A {\n  run() {\n    go();\n  }\n}\n\nclass B {\n  run() {\n    go();\n  }\n}\n",
  "b.txt": "one\r\ntwo\r\nthree",
};

function patched(body: string, own = FILES) {
  return applyPatch(`*** Begin Patch\n${body}\n*** End Patch\n`, (path) => own[path]);
}

function content(body: string, own = FILES): string {
  const result = patched(body, own);
  if (!result.ok) throw new Error(result.error);
  const [change] = result.changes;
  return change === undefined || change.kind === "delete" ? "" : change.content;
}

function error(body: string, own = FILES): string {
  const result = patched(body, own);
  if (result.ok) throw new Error(`applied: ${JSON.stringify(result.changes)}`);
  return result.error;
}

describe("what a patch may do", () => {
  test("add, update, delete and move, all at once", () => {
    const result = patched(
      [
        "*** Add File: new/c.ts",
        "+first",
        "+",
        "+third",
        "*** Update File: b.txt",
        "@@",
        " one",
        "-two",
        "+2",
        "*** Update File: d.txt",
        "*** Move to: e.txt",
        "@@",
        "-x",
        "+y",
        "*** Delete File: a.ts",
      ].join("\n"),
      { ...FILES, "d.txt": "x\n" },
    );
    expect(result).toEqual({
      ok: true,
      changes: [
        { kind: "add", path: "new/c.ts", content: "first\n\nthird\n" },
        { kind: "update", path: "b.txt", content: "one\r\n2\r\nthree" },
        { kind: "move", path: "d.txt", to: "e.txt", content: "y\n" },
        { kind: "delete", path: "a.ts" },
      ],
    });
  });

  test("a move without changes keeps the bytes", () => {
    expect(patched("*** Update File: b.txt\n*** Move to: c.txt")).toMatchObject({
      ok: true,
      changes: [{ kind: "move", to: "c.txt", content: FILES["b.txt"] }],
    });
  });

  test("the header tells alike places apart", () => {
    const body = (header: string) => `*** Update File: a.ts\n${header}\n   run() {\n-    go();\n+    stop();`;
    expect(content(body("@@ class B {"))).toBe(FILES["a.ts"]?.replace(/go(?![\s\S]*go)/, "stop"));
    expect(content(body("@@ class A {"))).toBe(FILES["a.ts"]?.replace("go", "stop"));
    expect(content(body("@@ class A {\n@@   run() {").replace("   run() {\n-", "-"))).toBe(
      FILES["a.ts"]?.replace("go", "stop"),
    );
    expect(error(body("@@"))).toMatch(/2 places.*lines 4 and 10/);
    expect(error(body("@@ class C {"))).toContain('no line "class C {"');
  });

  test("a unique place below the header fits, inside what it opens or not", () => {
    const own = { "a.py": "def f():\n    a()\n\ndef g():\n    b()\n" };
    const changed = own["a.py"].replace("b()", "c()");
    expect(content("*** Update File: a.py\n@@ def f():\n-    b()\n+    c()", own)).toBe(changed);
    expect(content("*** Update File: a.py\n@@ -4,2 +4,2 @@ def f():\n-    b()\n+    c()", own)).toBe(changed);
    expect(content("*** Update File: a.py\n@@ -1,2 +1,2 @@ def g():\n-    a()\n+    c()", own)).toBe(
      own["a.py"].replace("a()", "c()"),
    );
    expect(error("*** Update File: a.py\n@@ def g():\n-    a()\n+    c()", own)).toContain("not in the file");
  });

  test("several places below the header and outside of what it opens are refused", () => {
    const own = { "a.py": "def f():\n    a()\n\ndef g():\n    b()\n\ndef h():\n    b()\n" };
    expect(error("*** Update File: a.py\n@@ def f():\n-    b()\n+    c()", own)).toMatch(/2 places/);
    expect(content("*** Update File: a.py\n@@ def g():\n-    b()\n+    c()", own)).toBe(
      own["a.py"].replace("b()", "c()"),
    );
  });

  test("the end of the file tells alike places apart", () => {
    expect(content("*** Update File: a.ts\n@@\n     go();\n   }\n-}\n+} // end\n*** End of File")).toMatch(
      /\} \/\/ end\n$/,
    );
  });

  test("lines may be added under a header, at the end, or to an empty file", () => {
    expect(content("*** Update File: a.ts\n@@ import x;\n+import y;")).toContain("import x;\nimport y;\n");
    expect(content("*** Update File: b.txt\n@@\n+four\n*** End of File")).toBe("one\r\ntwo\r\nthree\r\nfour");
    expect(content("*** Update File: e\n@@\n+four", { e: "" })).toBe("four\n");
    expect(error("*** Update File: b.txt\n@@\n+four")).toContain("no context");
  });

  test("hunks may share lines of context, and lines are found as blocks are", () => {
    const own = { f: "a\n  b  \nc\nd\ne\n" };
    expect(content("*** Update File: f\n@@\n-a\n+A\n   b\n c\n@@\n c\n-d\n+D\n e", own)).toBe(
      "A\n  b  \nc\nD\ne\n",
    );
  });

  test("what unified diffs put behind @@ is no demand", () => {
    expect(content("*** Update File: b.txt\n@@ -1,3 +1,3 @@ nowhere\n one\n-two\n+2\n three")).toBe(
      "one\r\n2\r\nthree",
    );
  });
});

describe("the line break at the end of the file", () => {
  const NONE = "\\ No newline at end of file";
  const update = (...lines: string[]) => ["*** Update File: f", "@@", ...lines].join("\n");

  test.each([
    ["kept", "a\nb", ["-b", NONE, "+c", NONE], "a\nc"],
    ["added", "a\nb", ["-b", NONE, "+c"], "a\nc\n"],
    ["removed", "a\nb\n", ["-b", "+c", NONE], "a\nc"],
    ["added alone", "a\nb", [" a", "-b", NONE, "+b"], "a\nb\n"],
    ["removed alone", "a\nb\n", [" a", "-b", "+b", NONE], "a\nb"],
    ["added alone, in a file of CRLF", "a\r\nb", ["-b", NONE, "+b"], "a\r\nb\r\n"],
    ["below an unchanged last line", "a\nb", ["-a", "+c", " b", NONE], "c\nb"],
    ["below lines that are added", "a\nb\n", [" b", "+c", NONE], "a\nb\nc"],
    ["of the last of several like it", "b\na\nb", ["-b", NONE, "+c", NONE], "b\na\nc"],
    ["of a hunk that is not at the end", "a\nb\n", ["-a", NONE, "+c", NONE], "c\nb\n"],
    ["before *** End of File", "a\nb", ["-b", NONE, "+c", NONE, "*** End of File"], "a\nc"],
  ])("%s", (_name, f, lines, expected) => {
    expect(content(update(...lines), { f })).toBe(expected);
  });

  test("of a new file", () => {
    expect(content(`*** Add File: n\n+a\n+b\n${NONE}`)).toBe("a\nb");
    expect(content("*** Add File: n\n+a\n+b")).toBe("a\nb\n");
  });

  test("a line of the file that reads so", () => {
    expect(content(update(` ${NONE}`, "-b", "+c"), { f: `${NONE}\nb\n` })).toBe(`${NONE}\nc\n`);
  });
});

describe("hunks without changes", () => {
  const own = { f: "a\nb\nc\n" };

  test.each([
    ["empty", "@@\n\n@@\n-b\n+B"],
    ["empty, at the end", "@@\n-b\n+B\n@@"],
    ["of context, at the end", "@@\n-b\n+B\n@@\n b\n c"],
    ["of context, before a change", "@@\n a\n@@\n-b\n+B"],
    ["that remove and add the same", "@@\n-a\n+a\n@@\n-b\n+B"],
  ])("%s", (_name, body) => {
    expect(content(`*** Update File: f\n${body}`, own)).toBe("a\nB\nc\n");
  });

  test("one that removes and adds the same is mentioned", () => {
    const both = "*** Update File: f\n@@\n-a\n+a\n@@\n-b\n+B";
    expect(patched(both, own)).toMatchObject({
      leftOut: [
        "Hunk 1 of 2 for f (line 3 of the patch) was left out: it changes nothing, since lines 1-1 of the file already read so.",
      ],
    });
    const files = "*** Update File: f\n@@\n-a\n+a\n*** Update File: g\n@@\n-b\n+B";
    expect(patched(files, { ...own, g: "b\n" })).toMatchObject({
      changes: [{ path: "g", content: "B\n" }],
      leftOut: [expect.stringContaining("The hunk for f")],
    });
    expect(error("*** Update File: f\n@@\n-a\n+a", own)).toContain("changes nothing");
  });

  test.each([
    ["alone", "@@\n a\n b"],
    ["alone and empty", "@@\n\n@@"],
    ["with a line that may have been meant as added", "@@\n-b\n+B\n@@\n c\nd"],
  ])("refused: %s", (_name, body) => {
    expect(error(`*** Update File: f\n${body}`, own)).toContain("changes nothing");
  });
});

describe("what is refused", () => {
  test.each([
    ["*** Update File: none.ts\n@@\n-a\n+b", "none.ts does not exist"],
    ["*** Delete File: none.ts", "none.ts does not exist"],
    ["*** Add File: a.ts\n+x", "a.ts exists already"],
    ["*** Update File: b.txt\n*** Move to: a.ts", "a.ts exists already"],
    ["*** Update File: b.txt\n@@\n-four\n+4", "not in the file"],
    ["*** Update File: b.txt\n@@\n one\n two", "changes nothing"],
    ["*** Update File: b.txt", "no changes follow"],
    ["*** Update File: b.txt\n@@\n-one\n+1\n@@\n-one\n+2", "both change line 1"],
    ["*** Update File: b.txt\n@@\n-one\n+1\n*** Delete File: b.txt", "named before"],
    ["*** Add File: x\nline", 'begins with "+"'],
    ["*** Update File: b.txt\n@@\n=one", "neither"],
    ["*** Update File: \n@@", "names no file"],
    ["@@\n-a", "before any"],
    ["", "changes no file"],
    ["*** Add File: x\n+1\n*** Update File: b.txt\n*** Move to: x", "written twice"],
  ])("%j", (body, told) => {
    expect(error(body)).toContain(told);
    expect(error(body)).toContain("Nothing was changed");
  });

  test("one hunk that fails fails all, and the others are named", () => {
    const told = error(
      "*** Update File: b.txt\n@@\n-one\n+1\n@@\n-nine\n+9\n*** Update File: a.ts\n@@\n-import x;\n+import z;",
    );
    expect(told).toContain("Hunk 2 of 2 for b.txt (line 6 of the patch) does not fit");
    expect(told).toContain("Hunk 1 would have fitted");
    expect(told).toContain("a.ts would have fitted");
  });

  test("a patch that is cut off", () => {
    const cut = "*** Begin Patch\n*** Delete File: a.ts\n";
    expect(parsePatch(cut, { complete: false })).toMatchObject({ ok: false });
    expect(parsePatch(cut)).toMatchObject({ ok: true });
    expect(parsePatch("nothing")).toMatchObject({ ok: false });
  });
});
