/** Names whose letters are stored decomposed, as on macOS: every tool finds the file, and none makes a second one. */
import { describe, expect, it } from "vitest";
import { runTool } from "./run-tool.ts";

const nfd = (text: string) => text.normalize("NFD");
const NAMES = ["\u304c.txt", "caf\u00e9/d\u00e9j\u00e0.txt", "src/\ud55c\uae00.txt"];

describe.each(NAMES)("%s", (composed) => {
  const stored = nfd(composed);
  const place = `/project/${stored}`;
  const options = () => ({ files: { [stored]: "one\n" } });

  it("is read", async () => {
    const { text } = await runTool("read_file", { path: composed }, options());
    expect(text).toContain("one");
  });

  it.each([
    ["write_to_file", { path: composed, content: "two\n" }],
    ["replace_in_file", { path: composed, diff: "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n" }],
    [
      "apply_patch",
      { input: `*** Begin Patch\n*** Update File: ${composed}\n@@\n-one\n+two\n*** End Patch` },
    ],
  ])("is what %s changes", async (tool, params) => {
    const { memory, invocation } = await runTool(tool, params, options());
    expect([...memory.files]).toEqual([[place, "two\n"]]);
    expect(invocation?.paths.map(({ path }) => path)).toEqual([place]);
  });

  it("is deleted", async () => {
    const { memory } = await runTool("delete_file", { path: composed }, options());
    expect(memory.files.size).toBe(0);
  });

  it("is not replaced by a file that is moved there or added", async () => {
    const files = { ...options().files, "a.txt": "a\n" };
    const input = (line: string) => ({ input: `*** Begin Patch\n${line}\n*** End Patch` });
    const move = `*** Update File: a.txt\n*** Move to: ${composed}`;
    for (const line of [move, `*** Add File: ${composed}\n+x`]) {
      const { memory, error } = await runTool("apply_patch", input(line), { files });
      expect(error).toContain("exists already");
      expect(memory.files.size).toBe(2);
    }
  });
});

it("a name that exists as written is that file", async () => {
  const name = NAMES[0] ?? "";
  const { memory } = await runTool(
    "write_to_file",
    { path: name, content: "two\n" },
    { files: { [name]: "one\n", [nfd(name)]: "other\n" } },
  );
  expect(memory.files.get(`/project/${name}`)).toBe("two\n");
  expect(memory.files.get(`/project/${nfd(name)}`)).toBe("other\n");
});

it("a new file has the name as written, in a folder that exists", async () => {
  const { memory } = await runTool(
    "write_to_file",
    { path: "caf\u00e9/\u00e0.txt", content: "two\n" },
    { files: { [nfd("caf\u00e9/b.txt")]: "one\n" } },
  );
  expect(memory.files.get(`/project/${nfd("caf\u00e9")}/\u00e0.txt`)).toBe("two\n");
});
