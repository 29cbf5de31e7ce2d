import { describe, expect, test } from "vitest";
import { nearestNames, resolveToolName } from "../../../../src/core/assistant/tool-names.ts";
import { parseAssistantMessage } from "../../../../src/core/assistant/xml/xml-protocol.ts";
import { defaultTools, ToolRegistry } from "../../../../src/core/tools/registry.ts";

const KNOWN = [
  "read_file",
  "write_to_file",
  "replace_in_file",
  "list_files",
  "search_files",
  "list_code_definition_names",
  "execute_command",
  "attempt_completion",
];

const registry = new ToolRegistry();
const named = (...names: string[]) => defaultTools.filter(({ name }) => names.includes(name));

describe("tool names", () => {
  test.each([
    ["read_file", "read_file"],
    ["Read_File", "read_file"],
    ["READFILE", "read_file"],
    ["read-file", "read_file"],
    ["readFile", "read_file"],
    ["executeCommand", "execute_command"],
    ["functions.read_file", "read_file"],
    ["default_api:readFile", "read_file"],
    ["writeFile", "write_to_file"],
    ["editFile", "write_to_file"],
    ["list", "list_files"],
    ["searchInDirectory", "search_files"],
  ])("%s is %s", (name, tool) => {
    expect(registry.find(name)?.name).toBe(tool);
  });

  test("nebula's parameters become ours", () => {
    const map = (name: string, params: Record<string, unknown>) => registry.canonical(name, params).params;
    expect(map("editFile", { path: "a", new_content: "x" })).toEqual({ path: "a", content: "x" });
    expect(map("searchInDirectory", { directory: "src", keyword: "f(x)[0].*" })).toEqual({
      path: "src",
      regex: "f\\(x\\)\\[0\\]\\.\\*",
    });
    expect(map("writeFile", { path: "a", content: "x" })).toEqual({ path: "a", content: "x" });
  });

  test("a tool of its own name goes before nebula's", () => {
    const [tool] = named("search_files");
    const own = new ToolRegistry([...defaultTools, ...(tool ? [{ ...tool, name: "list" }] : [])]);
    expect(own.find("list")?.name).toBe("list");
    expect(own.canonical("list", {})).toEqual({ name: "list", params: {} });
    expect(new ToolRegistry(named("read_file")).find("list")).toBeUndefined();
  });

  test.each([
    ["read_fle", "read_file"],
    ["raed_file", "read_file"],
    ["write_file", "write_to_file"],
    ["search", "search_files"],
    ["run_command", "execute_command"],
    ["attempt_complete", "attempt_completion"],
  ])("%s is none, and %s is the nearest", (name, nearest) => {
    const resolved = resolveToolName(name, KNOWN);
    expect("suggestions" in resolved && resolved.suggestions[0]).toBe(nearest);
  });

  test("nothing is near to a name of another kind, nor to a megabyte", () => {
    expect(resolveToolName("weather", KNOWN)).toEqual({ suggestions: [] });
    expect(nearestNames("x".repeat(1_000_000), KNOWN)).toEqual([]);
    expect(resolveToolName("", KNOWN)).toEqual({ suggestions: [] });
  });

  test("two tools that differ in case only are not confused", () => {
    expect(resolveToolName("READ", ["read", "Read"])).toMatchObject({ suggestions: expect.any(Array) });
    expect(resolveToolName("Read", ["read", "Read"])).toEqual({ name: "Read" });
  });
});

describe("nebula's tools under the XML protocol", () => {
  test("are parsed when they are given to the parser", () => {
    const tools = new ToolRegistry(named("write_to_file")).grammar();
    const message = "<editFile><path>a</path><new_content>\n  x\n</new_content></editFile>";
    expect(parseAssistantMessage(message, tools)).toEqual([
      { type: "tool", name: "editFile", params: { path: "a", new_content: "  x" }, partial: false },
    ]);
    expect(tools.map((tool) => tool.name)).toEqual(["write_to_file", "writeFile", "editFile"]);
  });
});
