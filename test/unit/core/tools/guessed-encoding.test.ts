/** A file whose encoding is not certain: the model and the user are told, and nothing doubtful is proposed. */
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

function guessedHost() {
  const memory = memoryHost({ files: { "a.c": "int a = 1;\n", "b.c": "int b = 1;\n" } });
  const { files } = memory.host;
  const { readText } = files;
  Object.assign(files, {
    readText: async (path: string) => ({
      ...(await readText(path)),
      ...(path.endsWith("a.c")
        ? { encoding: "windows1251", alternatives: ["koi8r"] }
        : { encoding: "shiftjis" }),
    }),
    checkText: async (_path: string, original: { alternatives?: string[] }, text: string) => {
      if (original.alternatives && /[^\0-\x7f]/.test(text)) throw new ToolError("not certain");
    },
  });
  return memory;
}

const change = (added: string) => `------- SEARCH\nint a = 1;\n=======\nint a = 2;${added}\n+++++++ REPLACE`;
const patch = [
  ...["*** Begin Patch", "*** Update File: a.c", "@@", "-int a = 1;", "+int a = 2;"],
  ...["*** Update File: b.c", "@@", "-int b = 1;", "+int b = 2;", "*** End Patch"],
].join("\n");

describe("a guess that is not certain", () => {
  it("is told with the text", async () => {
    const { text } = await runTool("read_file", { path: "a.c" }, { memory: guessedHost() });
    expect(text).toMatch(/encoding windows1251, which is a guess: .* ASCII is safe/);
    const known = await runTool("read_file", { path: "b.c" }, { memory: guessedHost() });
    expect(known.text).toContain("encoding shiftjis");
    expect(known.text).not.toContain("guess");
  });

  it("is in the approval", async () => {
    const one = await runTool(
      "replace_in_file",
      { path: "a.c", diff: change("") },
      { memory: guessedHost(), rejected: true },
    );
    const guess = { path: "a.c", encoding: "windows1251", isGuess: true };
    expect(one.invocation?.view?.encodings).toEqual([guess]);
    const both = await runTool("apply_patch", { input: patch }, { memory: guessedHost(), rejected: true });
    expect(both.invocation?.view?.encodings).toEqual([
      guess,
      { path: "b.c", encoding: "shiftjis", isGuess: false },
    ]);
  });

  it.each([
    ["replace_in_file", { path: "a.c", diff: change(" // начало") }],
    ["write_to_file", { path: "a.c", content: "// начало\n" }],
    ["apply_patch", { input: patch.replace("int a = 2;", "int a = 2; // начало") }],
  ])("refuses other text before the user is asked: %s", async (tool, params) => {
    const { error, invocation, memory } = await runTool(tool, params, { memory: guessedHost() });
    expect(error).toContain("not certain");
    expect(invocation).toBeUndefined();
    expect(memory.shown.size).toBe(0);
    expect(memory.files.get("/project/b.c")).toBe("int b = 1;\n");
  });
});
