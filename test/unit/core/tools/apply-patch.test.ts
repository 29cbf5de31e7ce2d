/** Several files by one patch: one approval that names them all, all or nothing, and exact words when a disk fails. */
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "gone\n", "src/c.txt": "c1\nc2\n" };
const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const whole = patch(
  "*** Update File: a.txt",
  " one",
  "-two",
  "+2",
  " three",
  "*** Add File: new/d.txt",
  "+d1",
  "+d2",
  "*** Delete File: b.txt",
  "*** Update File: src/c.txt",
  "*** Move to: src/moved.txt",
  " c1",
  "-c2",
  "+C2",
);

describe("apply_patch", () => {
  it("shows every file with its counts, and changes nothing before it runs", async () => {
    const { invocation, memory } = await runTool(
      "apply_patch",
      { input: whole },
      { files: FILES, rejected: true },
    );
    expect(invocation?.view).toEqual({
      path: "a.txt",
      added: 4,
      removed: 3,
      files: [
        {
          ...{ path: "a.txt", kind: "update", added: 1, removed: 1, at: 0 },
          hunks: { shown: [{ line: 2, removed: ["two"], added: ["2"] }], more: 0 },
        },
        {
          ...{ path: "new/d.txt", kind: "add", added: 2, removed: 0, at: 2 },
          hunks: { shown: [{ line: 1, removed: [], added: ["d1", "d2"] }], more: 0 },
        },
        { path: "b.txt", kind: "delete", added: 0, removed: 1, at: 4 },
        {
          ...{ path: "src/c.txt", kind: "move", added: 1, removed: 1, to: "src/moved.txt", at: 5 },
          hunks: { shown: [{ line: 2, removed: ["c2"], added: ["C2"] }], more: 0 },
        },
      ],
    });
    expect(invocation?.paths.map(({ path, access }) => `${access} ${path}`)).toEqual([
      "write /project/a.txt",
      "write /project/new/d.txt",
      "write /project/b.txt",
      "write /project/src/c.txt",
      "write /project/src/moved.txt",
    ]);
    expect(Object.fromEntries(memory.files)).toEqual(
      Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`/project/${name}`, text])),
    );
    expect(memory.shown.size).toBe(0);
  });

  it("writes all of them, tells the files as they are, and keeps what is gone", async () => {
    const { memory, text, output } = await runTool("apply_patch", { input: whole }, { files: FILES });
    expect(Object.fromEntries(memory.files)).toEqual({
      "/project/a.txt": "one\n2\nthree\n",
      "/project/new/d.txt": "d1\nd2\n",
      "/project/src/moved.txt": "c1\nC2\n",
    });
    expect(text).toContain('<final_file_content path="a.txt">\none\n2\nthree\n');
    expect(text).toContain("src/c.txt was moved to src/moved.txt.");
    expect(text).toContain("b.txt was deleted.");
    expect(output?.removed).toEqual([{ path: "b.txt", content: "gone\n", encoding: "utf8" }]);
    expect(memory.shown.size).toBe(0);
  });

  it("has the numbers of the lines that stand in the patch, not their text", async () => {
    const big = Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join("");
    const input = [
      ...["*** Begin Patch", "*** Update File: big.txt", "@@", " line 99", "-line 100", "+new", "-line 101"],
      ...["+lines", " line 102", "*** Add File: made.txt", "+first", "+second", "*** End Patch"],
    ].join("\n");
    const { text } = await runTool("apply_patch", { input }, { files: { "big.txt": big } });
    expect(text).toBe("big.txt was changed on line 100-101.\n\nThe content was saved to made.txt.");
  });

  const refused: [string, string, RegExp][] = [
    [
      "one hunk does not fit",
      patch("*** Update File: a.txt", "-nowhere", "+x", "*** Delete File: b.txt"),
      /does not fit[\s\S]*Nothing was changed/,
    ],
    [
      "a file to change is not there",
      patch("*** Update File: none.txt", "-x", "+y"),
      /none\.txt does not exist/,
    ],
    ["a file to add is there", patch("*** Add File: a.txt", "+x"), /exists already/],
    [
      "two names are one file",
      patch("*** Update File: a.txt", "-two", "+2", "*** Delete File: ./a.txt"),
      /named twice/,
    ],
    ["it is no patch", "hello", /Begin Patch/],
  ];
  for (const [why, input, said] of refused) {
    it(`refuses everything when ${why}`, async () => {
      const { memory, error } = await runTool("apply_patch", { input }, { files: FILES });
      expect(error).toMatch(said);
      expect(memory.files.get("/project/a.txt")).toBe(FILES["a.txt"]);
      expect(memory.files.size).toBe(3);
      expect(memory.shown.size).toBe(0);
    });
  }

  it("lets the user decide about a new file that may lack code", async () => {
    const added = (...lines: string[]) => patch("*** Add File: e.js", ...lines.map((line) => `+${line}`));
    const omits = { input: added("start();", "// ... rest of the code ...", "end();") };
    const { memory, invocation } = await runTool("apply_patch", omits, { files: FILES });
    expect(invocation).toMatchObject({
      alwaysAsks: true,
      doubt: { code: "may-omit-code", values: ["2", "// ... rest of the code ..."] },
    });
    expect(memory.files.get("/project/e.js")).toContain("// ... rest of the code ...");
    const whole = await runTool("apply_patch", { input: added("start();") }, { files: FILES });
    expect(whole.invocation).not.toHaveProperty("doubt");
  });

  it("mentions a hunk that changes nothing", async () => {
    const input = patch("*** Update File: a.txt", "@@", "-one", "+one", "@@", "-two", "+2");
    const { memory, text } = await runTool("apply_patch", { input }, { files: FILES });
    expect(memory.files.get("/project/a.txt")).toBe("one\n2\nthree\n");
    expect(text).toMatch(/Hunk 1 of 2 for a\.txt \(line 3 of the patch\) was left out/);
  });

  it("refuses everything when one file changed after the proposal", async () => {
    const { memory, error } = await runTool(
      "apply_patch",
      { input: whole },
      { files: FILES, meanwhile: ({ files: now }) => void now.set("/project/src/c.txt", "theirs, longer\n") },
    );
    expect(error).toMatch(/src\/c\.txt changed since the patch was proposed\. Nothing was changed/);
    expect(memory.files.get("/project/a.txt")).toBe(FILES["a.txt"]);
    expect(memory.files.has("/project/b.txt")).toBe(true);
    expect(memory.shown.size).toBe(0);
  });

  it("shows none of its files any more when the first one is written", async () => {
    const memory = memoryHost({ files: FILES });
    const { editor } = memory.host;
    const steps: string[] = [];
    memory.host.editor = {
      ...editor,
      preview(path, original, options) {
        const preview = editor.preview(path, original, options);
        const name = path.slice("/project/".length);
        return {
          ...preview,
          hide: async () => void steps.push(`hide ${name}`),
          async save(...parts) {
            steps.push(`save ${name}`);
            return preview.save(...parts);
          },
        };
      },
    };
    await runTool("apply_patch", { input: whole }, { memory });
    expect(steps).toEqual([
      ...["hide a.txt", "hide new/d.txt", "hide src/c.txt"],
      ...["save a.txt", "save new/d.txt", "save src/c.txt"],
    ]);
  });

  it("says exactly what was written when a write fails in the middle", async () => {
    const memory = memoryHost({ files: FILES });
    const { editor } = memory.host;
    memory.host.editor = {
      ...editor,
      rename: async () => {
        throw new ToolError("The disk is full.");
      },
    };
    const { output, text } = await runTool("apply_patch", { input: whole }, { memory });
    expect(output?.failed).toBe(true);
    expect(text).toContain("Written: a.txt, new/d.txt.");
    expect(text).toContain(
      "Not written: src/c.txt: src/c.txt has its new content, but was not moved to src/moved.txt: The disk is full.",
    );
    expect(text).toContain("Not written either: b.txt.");
    expect(memory.files.get("/project/a.txt")).toBe("one\n2\nthree\n");
    expect(memory.files.get("/project/b.txt")).toBe("gone\n");
  });
});

describe("delete_file", () => {
  it("shows how many lines go, deletes, and keeps the content", async () => {
    const { memory, invocation, output, text } = await runTool(
      "delete_file",
      { path: "a.txt" },
      { files: FILES },
    );
    expect(invocation?.view).toEqual({ path: "a.txt", added: 0, removed: 3 });
    expect(text).toBe("a.txt was deleted.");
    expect(memory.files.has("/project/a.txt")).toBe(false);
    expect(output?.removed).toEqual([{ path: "a.txt", content: FILES["a.txt"], encoding: "utf8" }]);
  });

  it("refuses folders, what is not there, and what changed since", async () => {
    expect((await runTool("delete_file", { path: "src" }, { files: FILES })).error).toMatch(/is a folder/);
    expect((await runTool("delete_file", { path: "none" }, { files: FILES })).error).toMatch(
      /no file or folder at none/,
    );
    const { error, memory } = await runTool(
      "delete_file",
      { path: "a.txt" },
      {
        files: FILES,
        meanwhile: ({ files: now }) => void now.set("/project/a.txt", "theirs, longer than before\n"),
      },
    );
    expect(error).toMatch(/changed meanwhile/);
    expect(memory.files.has("/project/a.txt")).toBe(true);
  });
});

describe("new_rule", () => {
  for (const named of ["testing", "testing.md", ".nekode/rules/testing.md", "./.nekode/rules/testing.MD"]) {
    it(`writes ${named} where rules are, and always asks`, async () => {
      const { memory, invocation } = await runTool("new_rule", { path: named, content: "# Tests" });
      expect(invocation).toMatchObject({
        alwaysAsks: true,
        view: { path: ".nekode/rules/testing.md" },
      });
      expect(memory.files.get("/project/.nekode/rules/testing.md")).toBe("# Tests\n");
    });
  }

  for (const named of ["../x.md", "a/b.md", ".nekode/rules/../../x", "", ".hidden", "C:\\x"]) {
    it(`refuses ${JSON.stringify(named)}`, async () => {
      const { memory, error } = await runTool("new_rule", { path: named, content: "# Tests" });
      expect(error).toMatch(/is not the name of a rule/);
      expect(memory.files.size).toBe(0);
    });
  }
});
