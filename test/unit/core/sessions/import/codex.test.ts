/** Sessions of Codex: rollouts of JSON lines. */
import { expect, it } from "vitest";
import { codexReader } from "../../../../../src/core/sessions/import/codex.ts";
import { fixture, outline, readAll, stored } from "./support.ts";

const NAME = "rollout-2026-05-02T10-00-00-019a2d7a-0000-7000-8000-000000000001";
const read = () => readAll(codexReader(NAME), fixture(`codex/${NAME}.jsonl`));

it("is what was said and done, without instructions, and without the turn that the user took back", () => {
  expect(outline(read())).toEqual([
    "user (context): <environment_context>\n  <cwd>/home/neko/app</cwd>\n</environment_context>",
    "user: Rename the cat",
    'user shows image/png with "Rename the cat"',
    "assistant thinks: **Reading** the file",
    'assistant calls shell {"command":["cat","neko.txt"]}',
    "tool done: The cat is Mike.",
    'assistant calls apply_patch {"input":"*** Begin Patch\\n*** End Patch"}',
    "tool failed: no such file",
    'assistant calls web_search {"type":"search","query":"cat names"}',
    "tool done: ",
    "assistant: Its name is Mike.",
    "summary of 8: The user asked for the name. It is Mike.",
    "user: Call it Tama",
    "assistant: It is Tama now.",
  ]);
});

it("has the id, the folder, the model and the tokens of the last count", () => {
  const session = read();
  expect(session).toMatchObject({
    id: "019a2d7a-0000-7000-8000-000000000001",
    folder: "/home/neko/app",
    unreadable: 1,
    // The two messages of that turn, and an item of a kind that is not known.
    leftOut: 3,
  });
  const { session: own, patch } = stored(session);
  expect(own).toMatchObject({ title: "Rename the cat", model: "gpt-5-codex" });
  expect(patch.totals).toMatchObject({ requests: 1, inputTokens: 900, cachedTokens: 600, outputTokens: 40 });
});

it("reads the first versions, whose lines are the items themselves", () => {
  const lines = [
    { id: "old", timestamp: "2025-06-01T00:00:00Z", instructions: null },
    { record_type: "state" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
    { type: "local_shell_call", call_id: "c", action: { type: "exec", command: ["ls"] } },
    { type: "function_call_output", call_id: "c", output: { content: "neko.txt", success: false } },
  ];
  const session = readAll(codexReader("x"), lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(session).toMatchObject({
    id: "old",
    startedAt: "2025-06-01T00:00:00.000Z",
    unreadable: 0,
    leftOut: 0,
  });
  expect(outline(session)).toEqual([
    "user: Hello",
    'assistant calls shell {"type":"exec","command":["ls"]}',
    "tool failed: neko.txt",
  ]);
});
