/** A link that leads to nothing is named as such, by what reads and by what writes. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

function withLinks() {
  const memory = memoryHost({ files: { "a.txt": "one\n" } });
  const root = memory.host.workspace.root ?? "";
  const links = new Map([
    [join(root, "l.txt"), "nowhere.txt"],
    [join(root, "folder"), "../gone"],
  ]);
  const { readlink } = memory.host.files;
  memory.host.files.readlink = async (path) => links.get(path) ?? readlink(path);
  return memory;
}

const change = "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE";
const patch = "*** Begin Patch\n*** Add File: l.txt\n+two\n*** End Patch";

describe("a link to nothing", () => {
  it.each([
    ["read_file", { path: "l.txt" }],
    ["list_files", { path: "l.txt" }],
    ["search_files", { path: "l.txt", regex: "x" }],
    ["delete_file", { path: "l.txt" }],
    ["write_to_file", { path: "l.txt", content: "two\n" }],
    ["replace_in_file", { path: "l.txt", diff: change }],
    ["apply_patch", { input: patch }],
  ])("is named by %s", async (tool, params) => {
    const memory = withLinks();
    const { error } = await runTool(tool, params, { memory });
    expect(error).toContain("l.txt is a link to nowhere.txt, which does not exist");
    expect(error).not.toContain("In the same folder");
    expect([...memory.files.keys()].map((file) => file.split("/").pop())).toEqual(["a.txt"]);
  });

  it("is named where it is a folder of the path", async () => {
    const said = "folder is a link to ../gone, which does not exist";
    const read = await runTool("read_file", { path: "folder/x.txt" }, { memory: withLinks() });
    expect(read.error).toContain(said);
    const written = await runTool(
      "write_to_file",
      { path: "folder/x.txt", content: "x\n" },
      { memory: withLinks() },
    );
    expect(written.error).toContain(`${said}. Nothing was written.`);
  });

  it("is not seen where there is none", async () => {
    const { error } = await runTool("read_file", { path: "b.txt" }, { memory: withLinks() });
    expect(error).toBe("There is no file or folder at b.txt. In the same folder: a.txt.");
  });
});
