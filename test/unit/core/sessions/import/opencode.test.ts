/** Sessions of opencode, in the form of its export. */
import { expect, it } from "vitest";
import { readOpencode } from "../../../../../src/core/sessions/import/opencode.ts";
import { fixture, outline, stored } from "./support.ts";

const read = () => readOpencode(JSON.parse(fixture("opencode/session.json")));

it("is what was said and done up to the message that the user went back to", () => {
  expect(outline(read())).toEqual([
    "user: Who is home?",
    "user (context): Called the Read tool",
    'user shows image/png with "Who is home?"',
    "user (context): [neko.txt]",
    "assistant thinks: I ask the shell.",
    'assistant calls bash {"command":"ls"}',
    'assistant calls edit {"filePath":"neko.txt"}',
    'assistant calls bash {"command":"sleep 9"}',
    "assistant: Mike is home.",
    "tool done: mike",
    "tool failed: No match",
    "tool interrupted: The result of this call was not recorded.",
    "summary of 2: Mike was found.",
    "user: Good.",
    "assistant: Yes.",
  ]);
});

it("has the title, the folder, the model, the tokens and the costs", () => {
  // Left out: a part of a kind that is not known, and the message that was taken back.
  expect(read()).toMatchObject({ folder: "/home/neko/app", unreadable: 1, leftOut: 2 });
  const { session, patch } = stored(read());
  expect(session).toMatchObject({
    title: "Cats of the house",
    model: "gpt-5",
    startedAt: "2026-05-04T10:00:00.000Z",
  });
  expect(patch.totals).toMatchObject({ inputTokens: 91, cachedTokens: 40, outputTokens: 10, cost: 0.02 });
});
