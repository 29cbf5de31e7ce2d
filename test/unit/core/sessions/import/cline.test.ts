/** Tasks of Cline 3, Roo Code and Kilo Code, and sessions of Cline 4. */
import { expect, it } from "vitest";
import { readClineSession } from "../../../../../src/core/sessions/import/cline-sdk.ts";
import { readClineTask } from "../../../../../src/core/sessions/import/cline-task.ts";
import { fixture, outline, stored } from "./support.ts";

const json = (name: string): unknown => JSON.parse(fixture(name));

const task = (folder: string, item?: unknown) => ({
  conversation: json(`${folder}/api_conversation_history.json`),
  shown: json(`${folder}/ui_messages.json`),
  metadata: folder === "cline-task" ? json(`${folder}/task_metadata.json`) : undefined,
  item,
});

it("finds the calls in XML that were answered, and leaves other markup in the text", () => {
  const session = readClineTask("cline", "1777716000000", task("cline-task"));
  const shown = outline(session).filter((line) => !line.includes("environment_details"));
  expect(shown).toEqual([
    "user: Find the cat",
    "assistant: I read it. In code, <read_file> is a tag.",
    'assistant calls read_file {"path":"neko.txt"}',
    "tool done: The cat is in the box.",
    'assistant calls replace_in_file {"path":"neko.txt","diff":"<path>not a parameter</path>"}',
    "tool failed: The tool execution failed with the following error:\n<error>\nNo match\n</error>",
    "user: Leave the box",
    "assistant: The cat stays: <b>in</b> the box.",
  ]);
  expect(session).toMatchObject({
    folder: "/home/neko/app",
    startedAt: "2026-05-02T10:00:00.000Z",
    unreadable: 0,
  });
  const { session: own, patch } = stored(session);
  expect(own).toMatchObject({ title: "Find the cat", model: "claude-sonnet-4" });
  // The sum of the requests that it showed.
  expect(patch.totals).toMatchObject({ requests: 2, inputTokens: 275, outputTokens: 30, cachedTokens: 50 });
  expect(patch.totals?.cost).toBeCloseTo(0.03);
});

it("reads Roo Code's native calls, its summary, and the item of the task", () => {
  const session = readClineTask("roo", "0190-roo", task("roo-task", json("roo-task/history_item.json")));
  expect(outline(session).filter((line) => !line.includes("environment_details"))).toEqual([
    "user: Count the cats",
    "assistant thinks: I list them.",
    'assistant calls list_files {"path":"cats"}',
    "tool done: mike\ntama",
    "assistant: Two.",
    "summary of 3: Two cats were counted.",
    "user: And dogs?",
    'assistant calls list_files {"path":"dogs"}',
    // It ended before the result.
    "tool interrupted: The result of this call was not recorded.",
  ]);
  expect(session).toMatchObject({ folder: "/home/neko/roo", title: "Count the cats", unreadable: 1 });
  expect(stored(session).patch.totals).toMatchObject({ inputTokens: 700, cachedTokens: 200, cost: 0.05 });
});

it("leaves out of requests what Cline's requests omitted", () => {
  const item = { conversationHistoryDeletedRange: [1, 2] };
  const lines = outline(readClineTask("cline", "1", task("cline-task", item)));
  expect(lines.filter((line) => line.startsWith("summary"))).toEqual(["summary of 3: none"]);
});

it("reads sessions of Cline 4 with their manifest", () => {
  const session = readClineSession(
    "1777716000000_abcde",
    json("cline-session/messages.json"),
    json("cline-session/manifest.json"),
  );
  expect(outline(session)).toEqual([
    "user: Look at @neko.txt",
    "user (context): /home/neko/app/neko.txt\nThe cat.",
    "assistant thinks: A cat.",
    "assistant: I look.",
    'assistant calls run_commands {"commands":["ls"]}',
    "tool done: neko.txt",
    "summary of 2: A cat was seen.",
    "assistant: It is a cat.",
  ]);
  expect(session).toMatchObject({ folder: "/home/neko/app", title: "A look at the cat", unreadable: 1 });
  expect(stored(session).patch.totals).toMatchObject({ inputTokens: 100, cachedTokens: 80, cost: 0.001 });
});

it.each([
  ["missing", () => readClineTask("cline", "1", { ...task("cline-task"), conversation: undefined })],
  ["not-json", () => readClineTask("cline", "1", { ...task("cline-task"), conversation: {} })],
  ["no-messages", () => readClineTask("cline", "1", { ...task("cline-task"), conversation: [] })],
  ["unknown-version", () => readClineSession("1", { version: 2, messages: [] }, undefined)],
  ["no-messages", () => readClineSession("1", { version: 1, messages: [] }, undefined)],
])("says %s", (code, read) => {
  expect(read).toThrow(expect.objectContaining({ code }));
});
