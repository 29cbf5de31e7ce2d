/** Complete content: what is taken off it, and what is asked about it. */
import { describe, expect, it } from "vitest";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

/** A file on disk that begins with a byte order mark, which is not part of its text. */
function marked(text: string) {
  const memory = memoryHost({ files: { "a.cs": text } });
  const { readText } = memory.host.files;
  memory.host.files.readText = async (path) => ({ ...(await readText(path)), bom: true });
  return memory;
}

describe("the byte order mark", () => {
  it.each(["using Y;\n", "\ufeffusing Y;\n", "\ufeff\ufeffusing Y;\n"])(
    "stays the only one: %j",
    async (content) => {
      const memory = marked("using X;\n");
      await runTool("write_to_file", { path: "a.cs", content }, { memory });
      expect(memory.files.get("/project/a.cs")).toBe("using Y;\n");
    },
  );

  it("is the only one of REPLACE and of an added line", async () => {
    const diff = "------- SEARCH\nusing X;\n=======\n\ufeffusing Y;\n+++++++ REPLACE\n";
    const input = "*** Begin Patch\n*** Update File: a.cs\n@@\n-using X;\n+\ufeffusing Y;\n*** End Patch";
    for (const [tool, params] of [
      ["replace_in_file", { path: "a.cs", diff }],
      ["apply_patch", { input }],
    ] as const) {
      const memory = marked("using X;\n");
      await runTool(tool, params, { memory });
      expect(memory.files.get("/project/a.cs")).toBe("using Y;\n");
    }
  });

  it("is that of the content in a new file", async () => {
    const { memory } = await runTool("write_to_file", { path: "n.cs", content: "\ufeff\ufeffa\n" });
    expect(memory.files.get("/project/n.cs")).toBe("\ufeffa\n");
  });

  it("alone is no change", async () => {
    const memory = marked("using X;\n");
    const { error } = await runTool(
      "write_to_file",
      { path: "a.cs", content: "\ufeffusing X;\n" },
      { memory },
    );
    expect(error).toContain("already has exactly this content");
  });
});

describe("a line that may stand for omitted code", () => {
  const content = "start();\n// ... rest of the code ...\nend();\n";

  it("is for the user to decide in a new file", async () => {
    const { invocation } = await runTool("write_to_file", { path: "n.js", content });
    expect(invocation).toMatchObject({
      alwaysAsks: true,
      doubt: { code: "may-omit-code", values: ["2", "// ... rest of the code ..."] },
    });
  });

  it("is refused in a file that exists", async () => {
    const files = { "a.js": "start();\nmiddle();\nend();\n" };
    const { memory, error } = await runTool("write_to_file", { path: "a.js", content }, { files });
    expect(error).toContain("Line 2 of the content is a placeholder for omitted code");
    expect(memory.files.get("/project/a.js")).toBe(files["a.js"]);
  });

  it("is an example inside a fence of Markdown", async () => {
    const text = `# Use\n\n\`\`\`js\n${content}\`\`\`\n`;
    const { memory, invocation } = await runTool("write_to_file", { path: "README.md", content: text });
    expect(invocation).not.toHaveProperty("doubt");
    expect(memory.files.get("/project/README.md")).toBe(text);
  });
});
