/** Sessions of Claude Code: a tree of JSON lines, of which the path to the last message is the conversation. */
import { expect, it } from "vitest";
import { claudeReader } from "../../../../../src/core/sessions/import/claude-code.ts";
import { fixture, outline, readAll, stored } from "./support.ts";

const ID = "5b1f3f0e-0000-4000-8000-000000000001";
const read = () => readAll(claudeReader(ID), fixture(`claude/${ID}.jsonl`));

it("is the path to the last message, with both results of parallel calls, and without subagents and abandoned answers", () => {
  expect(outline(read())).toEqual([
    "user (context): Caveat: the messages below were generated while running local commands.",
    "user (context): <system-reminder>Today is Friday.</system-reminder>",
    "user: Find the cat in neko.txt",
    'user shows image/png with "Find the cat in neko.txt"',
    "assistant thinks: I read the file first.",
    "assistant: I read the file.",
    'assistant calls Read {"file_path":"/home/neko/app/neko.txt"}',
    'assistant calls Bash {"command":"cat token.txt","description":"Print the token"}',
    "tool done: 1\tThe cat is in the box.",
    "tool failed: [secret removed by Nekode]",
    "assistant: The cat is in the box.",
    "summary of 4: The user looked for a cat. It is in the box.",
    "user: /feed fish",
    "assistant: The cat eats fish.",
  ]);
});

it("has the title, the folder, the model, the times and the tokens, and counts what is missing", () => {
  const session = read();
  // Two lines are damaged. Left out: the abandoned answer, the subagent's, and a kind that is not known.
  expect(session).toMatchObject({ folder: "/home/neko/app", unreadable: 2, leftOut: 3 });
  const { session: own, patch, messages } = stored(session);
  expect(own).toMatchObject({
    title: "A cat and its box",
    model: "claude-opus-4-5",
    startedAt: "2026-05-01T10:00:00.000Z",
    origin: { product: "claude", id: ID, updatedAt: "2026-05-01T10:00:15.000Z" },
  });
  // An answer of several lines repeats its usage.
  expect(patch).toMatchObject({
    endedAt: "2026-05-01T10:00:15.000Z",
    totals: { requests: 3, inputTokens: 345, cachedTokens: 300, cacheWriteTokens: 15, outputTokens: 84 },
  });
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
});

it("continues over a parent that is not there and does not loop over one that is its own", () => {
  const line = (uuid: string, parentUuid: string | null, text: string) =>
    JSON.stringify({ type: "user", uuid, parentUuid, message: { role: "user", content: text } });
  const said = (...lines: string[]) => outline(readAll(claudeReader("x"), lines.join("\n")));
  expect(said(line("a", null, "one"), line("b", "phantom", "two"))).toEqual(["user: one", "user: two"]);
  expect(said(line("a", "b", "one"), line("b", "a", "two"))).toEqual(["user: one", "user: two"]);
  expect(said(line("a", null, "one"), line("a", null, "one"))).toEqual(["user: one"]);
});

it("has no session in lines without a message", () => {
  expect(readAll(claudeReader("x"), '{"type":"summary","summary":"S"}\nnot json\n[]')).toBeUndefined();
});
