/** Patches as models write them: context without its space, padded headers, hunks of context alone. */
import { describe, expect, test } from "vitest";
import { applyPatch, pathsNamed } from "../../../../src/core/edits/patch/patch.ts";

const FILE =
  "class A {\n    run() {\n        go();\n    }\n}\nclass B {\n    run() {\n        go();\n    }\n    end() {}\n}\n";

function patched(body: string, content = FILE) {
  return applyPatch(`*** Begin Patch\n${body}\n*** End Patch\n`, (path) =>
    path === "a.ts" ? content : undefined,
  );
}

function content(lines: readonly string[], original = FILE): string {
  const result = patched(["*** Update File: a.ts", "@@", ...lines].join("\n"), original);
  if (!result.ok) throw new Error(result.error);
  const [change] = result.changes;
  return change?.kind === "update" ? change.content : "";
}

describe("context without its space", () => {
  const ended = FILE.replace("    end() {}", "    end() {}\n    more() {}");

  test("nothing is shifted", () => {
    expect(content(["    end() {}", "+    more() {}", "}"])).toBe(ended);
    expect(content(["    }", "    end() {}", "+    more() {}"])).toBe(ended);
    expect(content(["    end() {}", "+    more() {}", " }"])).toBe(ended);
    expect(content(["", "    end() {}", "+    more() {}"].slice(1))).toBe(ended);
  });

  test("with removed lines", () => {
    expect(content(["    }", "-    end() {}", "+    stop() {}", "}"])).toBe(FILE.replace("end()", "stop()"));
  });

  test("signs in the place of the first column, as the removed line shows", () => {
    expect(content(["    }", "-   end() {}", "+   stop() {}", "}"])).toBe(FILE.replace("end()", "stop()"));
  });

  test("tabs, and blank lines without anything", () => {
    const tabs = "f() {\n\ta();\n\n\tb();\n}\n";
    expect(content(["\ta();", "", "+\tc();", "\tb();"], tabs)).toBe("f() {\n\ta();\n\n\tc();\n\tb();\n}\n");
    expect(content([" \ta();", "", "-\tb();", "+\tc();"], tabs)).toBe("f() {\n\ta();\n\n\tc();\n}\n");
  });

  test("a whole step of indentation is still shifted", () => {
    expect(content([" end() {}", "+more() {}"])).toBe(ended);
  });

  test("at the end of the file", () => {
    const body = ["    end() {}", "}", "+// end", "*** End of File"];
    expect(content(body)).toBe(`${FILE}// end\n`);
  });

  test.each([
    ["one column too many, by context alone", ["      end() {}", "+    more() {}"]],
    ["three columns of four, by context alone", ["   end() {}", "+   more() {}", "}"].slice(0, 2)],
    ["an added line one column left of its neighbors", ["    end() {}", "+   more() {}"]],
    ["a line that stands nowhere", ["    end() {}", "other();", "+    more() {}"]],
  ])("refused: %s", (_name, lines) => {
    expect(() => content(lines)).toThrow("Nothing was changed");
  });

  test("refused: what may be context as well as an added line", () => {
    const list = "# List\n\n+ one\n+ two\n";
    expect(() => content(["# List", "", "+ one", "+ three"], list)).toThrow("as well as an added one");
  });
});

describe("headers", () => {
  test.each([
    "  *** Update File: a.ts",
    "*** Update File: a.ts  ",
    "*** Update File:a.ts",
    "***Update File: a.ts",
    "*** update file: a.ts",
    "\t***  Update File :  a.ts",
    "*** Update File: a.ts ***",
  ])("%j", (header) => {
    const body = `${header}\n@@\n-    end() {}\n+    stop() {}`;
    expect(patched(body)).toMatchObject({ ok: true, changes: [{ kind: "update", path: "a.ts" }] });
  });

  test.each([
    ["before @@", ["--- a/a.ts", "+++ b/a.ts", "@@ -10,1 +10,1 @@"]],
    ["of other names, before @@", ["--- old.ts", "+++ new.ts", "@@"]],
    ["with the path, without @@", ["--- a/a.ts", "+++ b/a.ts"]],
  ])("the names of a unified diff: %s", (_name, lines) => {
    const body = ["*** Update File: a.ts", ...lines, "-    end() {}", "+    stop() {}"].join("\n");
    expect(patched(body)).toMatchObject({ changes: [{ content: FILE.replace("end()", "stop()") }] });
  });

  test("a removed line that reads like such a name", () => {
    const body = "*** Update File: a.ts\n@@\n--- a/a.ts\n+++ b/a.ts";
    expect(patched(body, "x\n-- a/a.ts\ny\n")).toMatchObject({ changes: [{ content: "x\n++ b/a.ts\ny\n" }] });
    const other = "*** Update File: a.ts\n--- one\n+++ two\n y";
    expect(patched(other, "x\n-- one\ny\n")).toMatchObject({ changes: [{ content: "x\n++ two\ny\n" }] });
  });

  test("padded, behind the hunk of another file", () => {
    const body =
      "*** Update File: b.ts\n@@\n-x\n+y\n *** Update File: a.ts\n@@\n-    end() {}\n+    stop() {}";
    const result = applyPatch(`*** Begin Patch\n${body}\n*** End Patch`, (path) =>
      path === "b.ts" ? "x\n" : FILE,
    );
    expect(result).toMatchObject({ ok: true, changes: [{ path: "b.ts", content: "y\n" }, { path: "a.ts" }] });
  });

  test("behind a space they are context of a document about patches", () => {
    const doc = "Write:\n*** Update File: x\n*** End Patch\nThat is all.\n";
    const lines = [" Write:", " *** Update File: x", " *** End Patch", "-That is all.", "+Done."];
    expect(content(lines, doc)).toBe(doc.replace("That is all.", "Done."));
  });

  test("a patch that is indented as a whole", () => {
    const body =
      "  *** Begin Patch\n  *** Update File: a.ts\n  @@\n  -    end() {}\n  +    stop() {}\n  *** End Patch";
    expect(applyPatch(body, () => FILE)).toMatchObject({ ok: true });
  });

  test("the paths that are named, padded or not", () => {
    expect(pathsNamed("*** Begin Patch\n *** Update File:a.ts\n@@\n*** add file: b/c.ts\n+x")).toEqual([
      "a.ts",
      "b/c.ts",
    ]);
  });
});

describe("a hunk of context alone", () => {
  test("tells where the next one is", () => {
    const lines = [" class B {", "     run() {", "@@", "-        go();", "+        stop();"];
    expect(content(lines)).toBe(FILE.replace(/go(?![\s\S]*go)/, "stop"));
  });

  test("lines are put in below it", () => {
    expect(content([" class B {", "@@", "+    first() {}"])).toBe(
      FILE.replace("class B {", "class B {\n    first() {}"),
    );
  });

  test.each([
    ["that stands nowhere", [" class C {", "@@", "-        go();", "+        stop();"]],
    ["below the change", [" class B {", "@@", "-class A {", "+class C {"]],
  ])("refused: %s", (_name, lines) => {
    expect(() => content(lines)).toThrow("Nothing was changed");
  });
});

describe("the end of a patch", () => {
  const body = "*** Begin Patch\n*** Add File: n.txt\n+one\n";
  test.each(["*** End Patch</input>", "*** End Patch```", "*** end patch", ""])("%j", (end) => {
    expect(applyPatch(body + end, () => undefined)).toMatchObject({
      ok: true,
      changes: [{ content: "one\n" }],
    });
  });

  test.each(["+*** End Patch", "+```", "+</input>", "```"])("refused: %j", (end) => {
    expect(applyPatch(body + end, () => undefined)).toMatchObject({ ok: false });
  });

  test("an added line that reads like the end is content where the end is there", () => {
    const result = applyPatch(`${body}+*** End Patch\n+\`\`\`\n*** End Patch`, () => undefined);
    expect(result).toMatchObject({ changes: [{ content: "one\n*** End Patch\n```\n" }] });
  });
});
