/** What rows show of searches and listings: which hits, in what order and how many. */
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { shownHits } from "../../../../src/core/tools/content/found-hits.ts";
import type { HitList } from "../../../../src/shared/message.ts";
import { startAgent } from "../../../support/agent.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

const { workspace } = memoryHost().host;

function listed(hits: Parameters<typeof shownHits>[2], root = workspace.root ?? ""): HitList {
  const { hits: list } = shownHits(workspace, root, hits);
  if (!list) throw new Error("nothing is listed");
  return list;
}

async function hitsOf(name: string, params: Record<string, unknown>, files: Record<string, string>) {
  const { output, error } = await runTool(name, params, { files });
  expect(error).toBe("");
  return output?.shown?.hits;
}

describe("the list", () => {
  it("has at most 50 hits, in the order in which they were found, and counts the others", () => {
    const hits = Array.from({ length: 70 }, (_, index) => ({ path: "z.ts", line: 70 - index, text: "x" }));
    const { found, more } = listed(hits);
    expect(found).toEqual(hits.slice(0, 50));
    expect(more).toBe(20);
    expect(listed(hits.slice(0, 50)).more).toBe(0);
  });

  it("cuts a text to 200 characters, not in the middle of one, and drops the spaces around it", () => {
    const long = listed([{ path: "a", line: 1, text: `\t ${"x".repeat(198)}\u{1f431}${"y".repeat(300)}` }]);
    expect(long.found[0]?.text).toBe(`${"x".repeat(198)}…`);
    expect(listed([{ path: "a", line: 1, text: ` ${"x".repeat(200)}\n` }]).found[0]?.text).toHaveLength(200);
  });

  it("is bounded as a whole, also where paths are long", () => {
    const path = `${"folder/".repeat(140)}a.ts`;
    const { found, more } = listed(Array.from({ length: 50 }, (_, line) => ({ path, line, text: "" })));
    expect(JSON.stringify(found).length).toBeLessThan(14_000);
    expect(found.length).toBeGreaterThan(5);
    expect(found.length + more).toBe(50);
  });

  it("names paths as links do: relative to the workspace, and absolute outside of it", () => {
    const below = join(workspace.root ?? "", "src");
    expect(listed([{ path: "a/b.ts" }, { path: "in/" }], below).found).toEqual([
      { path: "src/a/b.ts" },
      { path: "src/in/" },
    ]);
    expect(listed([{ path: "b.ts" }], "/elsewhere").found).toEqual([{ path: "/elsewhere/b.ts" }]);
  });
});

describe("the tools", () => {
  it("a search lists the lines that match by file, and a search without a match nothing", async () => {
    const files = { "src/a.ts": "one\n  cat();\n", "src/b.ts": "cat\ncat\n" };
    expect(await hitsOf("search_files", { path: "src", regex: "cat" }, files)).toEqual({
      found: [
        { path: "src/a.ts", line: 2, text: "cat();" },
        { path: "src/b.ts", line: 1, text: "cat" },
        { path: "src/b.ts", line: 2, text: "cat" },
      ],
      more: 0,
    });
    expect(await hitsOf("search_files", { path: "src", regex: "dog" }, files)).toBeUndefined();
  });

  it("a listing lists the entries, folders first", async () => {
    const files = { "src/a.ts": "", "src/in/b.ts": "" };
    expect(await hitsOf("list_files", { path: "src" }, files)).toEqual({
      found: [{ path: "src/in/" }, { path: "src/a.ts" }],
      more: 0,
    });
  });

  it("definitions are listed with their lines, of a file and of a folder", async () => {
    const files = {
      "src/a.py": "class Cat:\n  def meow(self):\n    pass\n",
      "src/b.py": "def f():\n  pass\n",
    };
    const a = [
      { path: "src/a.py", line: 1, text: "class Cat:" },
      { path: "src/a.py", line: 2, text: "def meow(self):" },
    ];
    const name = "list_code_definition_names";
    expect(await hitsOf(name, { path: "src/a.py" }, files)).toEqual({ found: a, more: 0 });
    expect(await hitsOf(name, { path: "src" }, files)).toEqual({
      found: [...a, { path: "src/b.py", line: 1, text: "def f():" }],
      more: 0,
    });
  });
});

it("is there after a reload, and in no request", async () => {
  const agent = await startAgent({
    script: {
      scope: "server",
      turns: [
        { match: { request: 1 }, answer: [{ tool: "search_files", params: { path: ".", regex: "cat" } }] },
        { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] },
      ],
    },
    files: { "a.ts": "const cat = 1;\n" },
  });
  onTestFinished(() => agent.close());
  await agent.view.send("Find it");
  await agent.view.active.idle;
  const expected = { found: [{ path: "a.ts", line: 1, text: "const cat = 1;" }], more: 0 };
  expect(agent.calls()[0]?.shown?.hits).toEqual(expected);
  await agent.restart();
  expect(agent.calls()[0]?.shown?.hits).toEqual(expected);
  expect(agent.server.requests).toHaveLength(2);
  expect(JSON.stringify(agent.server.chat(2))).not.toContain('"hits"');
});
