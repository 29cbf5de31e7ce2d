/** The tool around the edit engine: what the engine needs to know of the file, and what the model learns. */
import { describe, expect, it } from "vitest";
import { runTool } from "./run-tool.ts";

const block = (search: string, replace: string) =>
  `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`;

describe("replace_in_file", () => {
  it("takes a divider for an underline by the name of the file", async () => {
    const diff = block("one", "Chapter\n=======");
    const written = async (path: string) => {
      const { memory } = await runTool("replace_in_file", { path, diff }, { files: { [path]: "one\n" } });
      return memory.files.get(`/project/${path}`);
    };
    expect(await written("a.md")).toBe("Chapter\n=======\n");
    expect(await written("a.txt")).toBe("Chapter\n");
  });

  it("says that there is no file before what is wrong with the blocks, and names the files beside it", async () => {
    const refusal = async (diff: string) => {
      const files = { "src/cats.ts": "one\n", "src/dogs.ts": "one\n" };
      return (await runTool("replace_in_file", { path: "src/cat.ts", diff }, { files })).error;
    };
    const where =
      "There is no file or folder at src/cat.ts. In the same folder: cats.ts, dogs.ts. write_to_file creates a new file.\n";
    expect(await refusal(block("one", "two"))).toMatch(new RegExp(`^${where}The block does not fit`));
    expect(await refusal("------- SEARCH\n=======\ntwo\n")).toMatch(
      new RegExp(`^${where}The block .* no .*REPLACE line`),
    );
  });

  it("mentions a block that changes nothing", async () => {
    const diff = block("one", "one") + block("two", "2");
    const { memory, text } = await runTool(
      "replace_in_file",
      { path: "a.txt", diff },
      { files: { "a.txt": "one\ntwo\n" } },
    );
    expect(memory.files.get("/project/a.txt")).toBe("one\n2\n");
    expect(text).toMatch(/<\/final_file_content>[^<]*Block 1 of 2 was left out: it changes nothing\.$/s);
  });
});
