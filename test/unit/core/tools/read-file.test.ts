/** What read_file makes of each kind of file: text and its pages, documents, notebooks, images, and what is none. */
import { describe, expect, it } from "vitest";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { IMAGE_LIMIT } from "../../../../src/core/tools/content/file-content.ts";
import { notebookCells } from "../../../../src/core/tools/notebooks/notebook-cells.ts";
import { modelAt } from "../../../support/connections.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { JUPYTER } from "../../../support/notebooks.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const read = (path: string, options: RunOptions, more: Record<string, unknown> = {}) =>
  runTool("read_file", { path, ...more }, options);

/** A host on which one file is those bytes. */
function withBytes(name: string, bytes: Uint8Array) {
  const memory = memoryHost({ files: { [name]: "?" } });
  const { stat } = memory.host.files;
  memory.host.files.readBytes = async () => bytes;
  memory.host.files.stat = async (path) => {
    const found = await stat(path);
    return found?.kind === "file" ? { ...found, size: bytes.length } : found;
  };
  return memory;
}

const png = new Uint8Array(64);
png.set([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 128, 0, 0, 1,
  224,
]);

describe("text", () => {
  it("comes as it is, and numbered where lines are named", async () => {
    const files = { "a.txt": "one\ntwo\nthree\n" };
    expect((await read("a.txt", { files })).text).toBe("one\ntwo\nthree\n");
    expect((await read("a.txt", { files }, { start_line: 2 })).text).toBe("2 | two\n3 | three");
    expect((await read("a.txt", { files }, { start_line: "2", end_line: "2" })).text).toContain("2 | two");
    expect((await read("a.txt", { files }, { start_line: 9 })).error).toMatch(/has 3 lines/);
    expect((await read("a.txt", { files }, { start_line: 3, end_line: 1 })).error).toMatch(
      /before start_line/,
    );
  });

  it("is paged, and each page names the next until the end", async () => {
    const files = { "a.txt": Array.from({ length: 500 }, (_, n) => `line ${n + 1}\n`).join("") };
    const settings = { context: { maxResultCharacters: 1_000 } };
    let seen = "";
    let start: number | undefined = 1;
    for (let pages = 0; start !== undefined && pages < 50; pages++) {
      const { text } = await read("a.txt", { files, settings }, { start_line: start });
      expect(text.length).toBeLessThan(1_200);
      seen += `${text.replace(/^\(.*\)\n/, "").replaceAll(/^\d+ \| /gm, "")}\n`;
      const next = /continue with start_line (\d+)/.exec(text)?.[1];
      start = next === undefined ? undefined : Number(next);
    }
    expect(seen).toBe(files["a.txt"]);
  });

  it("is bounded even where it is one endless line, of whole characters", async () => {
    const files = { "a.txt": "😀".repeat(5_000) };
    const { text } = await read("a.txt", { files, settings: { context: { maxResultCharacters: 1_001 } } });
    expect(text.length).toBeLessThan(1_300);
    expect(text).toMatch(/line 1 has 10000 characters, only the first 1001 are shown/);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it("says what a model would get wrong: line endings, an empty file", async () => {
    expect((await read("a.txt", { files: { "a.txt": "a\r\nb\r\n" } })).text).toMatch(
      /^\(line endings CRLF\)\n/,
    );
    expect((await read("a.txt", { files: { "a.txt": "a\r\nb\n" } })).text).toMatch(
      /^\(mixed line endings\)\n/,
    );
    expect((await read("a.txt", { files: { "a.txt": "" } })).text).toBe("(the file is empty)");
  });

  it("refuses a path with NUL, a folder, what is not there, and a pipe", async () => {
    const files = { "src/a.txt": "a" };
    expect((await read("a\0.txt", { files })).error).toMatch(/control characters/);
    expect((await read("src", { files })).error).toMatch(/is a folder\. list_files/);
    expect((await read("src/b.txt", { files })).error).toMatch(
      /no file or folder at src\/b\.txt\. In the same folder: a\.txt/,
    );
    const memory = memoryHost({ files });
    memory.host.files.stat = async () => ({ kind: "other", size: 0, version: "" });
    expect((await read("src/a.txt", { memory })).error).toMatch(/pipe, a socket or a device/);
  });
});

describe("documents", () => {
  it("come as their text, paged as text is", async () => {
    const files = { "a.pdf": "the text" };
    const { text } = await read("a.pdf", { files });
    expect(text).toBe("(the text of a pdf document, 8 bytes)\n# pdf\n\nthe text");
    expect((await read("A.XLSX", { files: { "A.XLSX": "x" } })).text).toContain("# xlsx");
  });

  it("say what they are where they cannot be read", async () => {
    const memory = memoryHost({ files: { "a.docx": "x" } });
    const { ToolError } = await import("../../../../src/core/errors.ts");
    memory.host.documents.extract = async () =>
      Promise.reject(new ToolError("It is protected by a password."));
    const { error } = await read("a.docx", { memory });
    expect(error).toBe("a.docx is a docx document (1 bytes). It is protected by a password.");
  });
});

describe("notebooks", () => {
  const notebook = JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: "python" } },
    cells: [
      { cell_type: "markdown", source: ["# Cats\n", "text"] },
      {
        cell_type: "code",
        execution_count: 2,
        source: "print(1)",
        outputs: [
          { output_type: "stream", text: ["1\n"] },
          { output_type: "display_data", data: { "image/png": "AAAA" } },
          { output_type: "error", ename: "ValueError", evalue: "no", traceback: ["..."] },
        ],
      },
    ],
  });

  it("come by their cells with what they printed", async () => {
    const { text } = await read("a.ipynb", { files: { "a.ipynb": notebook } });
    expect(text).toContain("edit_notebook changes a cell by its id");
    expect(text).toContain(
      "## Cell #1 (markdown)\n\n# Cats\ntext\n\n## Cell #2 (code, run 2)\n\n```python\nprint(1)\n```\n\nOutput:\n1\n[image/png]\nValueError: no\n...",
    );
  });

  it("have the ids of their cells, and the images of their output for a model that sees", async () => {
    const data = Buffer.from(png).toString("base64");
    const text = JUPYTER.replace(
      '"outputs": []',
      `"outputs": [{ "output_type": "display_data", "data": { "image/png": ["${data.slice(0, 20)}\\n", "${data.slice(20)}"], "text/plain": "<Figure>" } }]`,
    );
    const files = { "a.ipynb": text };
    const seen = await read("a.ipynb", { files });
    expect(seen.text).toContain("## Cell intro (markdown)");
    expect(seen.text).toContain("## Cell load (code, run 2)");
    expect(seen.text).toMatch(/## Cell empty \(code\)[\s\S]*Output:\n\[image 1\]/);
    expect(seen.output?.parts[1]).toEqual({ type: "image", mimeType: "image/png", data });
    const blind = await read("a.ipynb", { files, seesImages: false });
    expect(blind.text).toContain("[image/png, text/plain]");
    expect(blind.output?.parts).toHaveLength(1);
    // Of a page, only its own.
    expect((await read("a.ipynb", { files }, { start_line: 1, end_line: 4 })).output?.parts).toHaveLength(1);
  });

  it("have bounded output", async () => {
    const text = JUPYTER.replace('"1\\n"', JSON.stringify("x".repeat(50_000)));
    expect((await read("a.ipynb", { files: { "a.ipynb": text } })).text.length).toBeLessThan(5_000);
  });

  it("that are damaged come as the text they are", async () => {
    expect(notebookCells("{}")).toBeUndefined();
    expect((await read("a.ipynb", { files: { "a.ipynb": "{ torn" } })).text).toBe("{ torn");
  });
});

describe("images", () => {
  it("go to a model that sees, with what they are", async () => {
    const { output } = await read("a.png", { memory: withBytes("a.png", png) });
    expect(output?.parts[0]).toEqual({
      type: "text",
      text: "a.png is a PNG image, 640 x 480 pixels, 64 bytes:",
    });
    expect(output?.parts[1]).toMatchObject({ type: "image", mimeType: "image/png" });
    const image = output?.parts[1];
    expect(image?.type === "image" && Buffer.from(image.data, "base64").equals(Buffer.from(png))).toBe(true);
  });

  it("are named to a model that does not see", async () => {
    const { error } = await read("a.png", { memory: withBytes("a.png", png), seesImages: false });
    expect(error).toBe("a.png is a PNG image, 640 x 480 pixels, 64 bytes. You cannot see images.");
  });

  it("are told by their bytes, not by their name, so that an endpoint takes them", async () => {
    const { output } = await read("a.jpg", { memory: withBytes("a.jpg", png) });
    expect(output?.parts[1]).toMatchObject({ mimeType: "image/png" });
    expect((await read("b.png", { files: { "b.png": "not one" } })).text).toBe("not one");
  });

  it("are bounded in size", async () => {
    const memory = withBytes("a.png", new Uint8Array(IMAGE_LIMIT + 1));
    expect((await read("a.png", { memory })).error).toMatch(/limit of 3\.7 MB/);
  });

  it("are offered by what is known of a model's name", () => {
    const profiles = new ModelProfiles();
    const seesImages = (model: string) => profiles.of(modelAt("http://x/v1", model)).seesImages;
    for (const model of [
      "gpt-4o",
      "gpt-5",
      "claude-sonnet-4",
      "gemini-2.5-pro",
      "qwen2.5-vl-7b",
      "llama-3.2-90b-vision",
      "glm-4.5v",
      "pixtral-12b",
      "scripted",
      "gpt-4-turbo",
      "gemma3:12b",
      "gemma-3-27b-it",
    ])
      expect([model, seesImages(model)]).toEqual([model, true]);
    for (const model of [
      "deepseek-chat",
      "qwen3-coder",
      "qwen2.5-72b",
      "gpt-3.5-turbo",
      "o3-mini",
      "codestral",
      "llama-3.3-70b",
      "glm-4.6",
      "gpt-oss-20b",
      "kimi-k2",
      "gpt-4",
      "gpt-4-0613",
      "gemma2:9b",
      "gemma-2-9b-it",
      "gemma",
    ])
      expect([model, seesImages(model)]).toEqual([model, false]);
  });
});
