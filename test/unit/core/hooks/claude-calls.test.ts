/** Our calls as scripts for Claude Code expect them. */
import { expect, it } from "vitest";
import { claudeCalls } from "../../../../src/core/hooks/claude-calls.ts";

const place = {
  workspace: { root: "/project", roots: [{ name: "project", path: "/project" }], trusted: true },
  shell: "bash" as const,
};
const seen = (name: string, params: Record<string, unknown>) =>
  claudeCalls({ name, params }, place).map(({ tool, input }) => [tool, input]);

it.each([
  ["execute_command", { command: "git push", timeout: 5 }, "Bash", { command: "git push", timeout: 5_000 }],
  [
    "read_file",
    { path: "a/../b.ts", start_line: 3, end_line: 5 },
    "Read",
    { file_path: "/project/b.ts", offset: 3, limit: 3 },
  ],
  ["write_to_file", { path: "b.ts", content: "x" }, "Write", { file_path: "/project/b.ts", content: "x" }],
  [
    "search_files",
    { path: ".", regex: "x", file_pattern: "*.ts" },
    "Grep",
    { pattern: "x", path: "/project", glob: "*.ts" },
  ],
  ["list_files", { path: "src", recursive: true }, "Glob", { pattern: "**/*", path: "/project/src" }],
  ["web_fetch", { url: "https://x.dev" }, "WebFetch", { url: "https://x.dev" }],
  [
    "start_task",
    { description: "Find it\nnow", kind: "explore" },
    "Agent",
    { description: "Find it", subagent_type: "explore" },
  ],
  ["use_mcp_tool", { server_name: "s", tool_name: "t", arguments: { a: 1 } }, "mcp__s__t", { a: 1 }],
  ["delete_file", { path: "it's.ts" }, "Bash", { command: "rm '/project/it'\\''s.ts'" }],
])("%s", (name, params, tool, input) => {
  expect(seen(name, params)).toEqual([[tool, expect.objectContaining(input)]]);
});

it("an edit has the texts of its blocks", () => {
  const diff = ["------- SEARCH", "old", "=======", "new", "+++++++ REPLACE"].join("\n");
  const input = { file_path: "/project/a.ts", old_string: "old", new_string: "new", replace_all: false };
  expect(seen("replace_in_file", { path: "a.ts", diff })).toEqual([["Edit", input]]);
});

it("a patch is one call for each change of a file, so that no file passes a hook unseen", () => {
  const input = [
    ...["*** Begin Patch", "*** Update File: a.ts", "*** Move to: .env", "@@", " same", "-old", "+new"],
    ...["*** Add File: b.ts", "+added", "*** Delete File: c.ts", "*** End Patch"],
  ].join("\n");
  expect(seen("apply_patch", { input })).toEqual([
    [
      "Edit",
      { file_path: "/project/a.ts", old_string: "same\nold", new_string: "same\nnew", replace_all: false },
    ],
    ["Write", { file_path: "/project/.env", content: "same\nnew" }],
    ["Write", { file_path: "/project/b.ts", content: "added" }],
    ["Bash", { command: "rm '/project/c.ts'", description: "" }],
  ]);
});

it("a changed input becomes our parameters again", () => {
  const [call] = claudeCalls({ name: "execute_command", params: { command: "ls" } }, place);
  expect(call?.restore?.({ command: "ls -a", description: "x" })).toEqual({ command: "ls -a" });
});

it("a tool of a server has its server's name and its own arguments", () => {
  const facts = { name: "s__t", params: { a: 1 }, server: { name: "s", tool: "t" } };
  expect(claudeCalls(facts, place)).toMatchObject([{ tool: "mcp__s__t", input: { a: 1 } }]);
});
