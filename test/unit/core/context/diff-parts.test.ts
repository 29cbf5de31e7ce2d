/** What is read from git's diffs: names in every form, and no content that imitates a header. */
import { describe, expect, it } from "vitest";
import { diffParts, partText } from "../../../../src/core/context/diff-parts.ts";

const part = (names: string, ...lines: string[]) => [`diff --git ${names}`, ...lines, ""].join("\n");
const HUNK = ["@@ -1 +1 @@", "-hungry", "+fed"];
const HUNKS = HUNK.join("\n");

describe("diffParts", () => {
  it.each([
    ["a change", part("a/cat.txt b/cat.txt", "index 1..2 100644", "--- a/cat.txt", "+++ b/cat.txt", ...HUNK)],
    [
      "a name with spaces",
      part("a/a b/cat.txt b/a b/cat.txt", "--- a/a b/cat.txt\t", ...HUNK),
      "a b/cat.txt",
    ],
    ["a quoted name", part('"a/a\\tb\\"\\001" "b/a\\tb\\"\\001"', ...HUNK), 'a\tb"\u0001'],
  ])("reads %s", (_, text, name = "cat.txt") => {
    expect(diffParts(text)).toEqual([{ name, kind: "changed", hunks: HUNKS }]);
  });

  it("reads new, deleted, renamed and binary files", () => {
    const text = [
      part("a/new b/new", "new file mode 100644", "@@ -0,0 +1 @@", "+milk"),
      part("a/old b/old", "deleted file mode 100644", "@@ -1 +0,0 @@", "-milk"),
      part("a/from b/to", "similarity index 100%", "rename from from", "rename to to"),
      part("a/cat.png b/cat.png", "index 1..2", "Binary files a/cat.png and b/cat.png differ"),
    ].join("");
    expect(diffParts(text)).toEqual([
      { name: "new", kind: "new file", hunks: "@@ -0,0 +1 @@\n+milk" },
      { name: "old", kind: "deleted", hunks: "@@ -1 +0,0 @@\n-milk" },
      { name: "to", from: "from", kind: "renamed", hunks: "" },
      { name: "cat.png", kind: "changed", hunks: "", isBinary: true },
    ]);
  });

  it("takes no line of a content for a header", () => {
    const text = part(
      "a/x b/x",
      "@@ -1,2 +1,2 @@",
      " diff --git a/y b/y",
      "+a\rdiff --git a/z b/z",
      "-@@ -1 @@",
    );
    expect(diffParts(text).map(({ name }) => name)).toEqual(["x"]);
    expect(diffParts("")).toEqual([]);
  });

  it("knows no name where the halves differ, and shows nothing of such a file", () => {
    for (const names of ["a/.env b/cat.txt", "a/x", ""]) {
      const [read] = diffParts(part(names, ...HUNK));
      expect(read?.name).toBe("");
    }
  });
});

it("says what happened to a file, and shows neither private nor deleted text", () => {
  const changed = { name: "cat.txt", kind: "changed", hunks: HUNKS } as const;
  expect(partText(changed, false)).toBe(`--- cat.txt (changed)\n${HUNKS}`);
  expect(partText(changed, true)).toBe("--- cat.txt (changed)\n(its content is private)");
  expect(partText({ ...changed, kind: "deleted" }, false)).toBe("--- cat.txt (deleted)");
  expect(partText({ ...changed, hunks: "" }, false)).toBe("--- cat.txt (changed)\n(no text changed)");
  expect(partText({ name: "b", from: "a", kind: "renamed", hunks: "" }, false)).toBe(
    "--- b (renamed from a)",
  );
  expect(partText({ ...changed, name: "" }, true)).toBe(
    "--- (a file with an unreadable name) (changed)\n(its content is private)",
  );
});
