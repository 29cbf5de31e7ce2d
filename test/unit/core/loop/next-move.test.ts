/** What a conversation asks for next follows from its messages alone. */
import { describe, expect, it } from "vitest";
import { nextMove } from "../../../../src/core/loop/loop.ts";
import { type Block, type Message, unansweredCalls } from "../../../../src/shared/message.ts";
import { conversation } from "../../../support/histories.ts";
import { generator, seedOf } from "../../../support/random.ts";

const seed = seedOf("next-move");
let ids = 0;
const message = (role: Message["role"], ...blocks: Block[]): Message => ({
  ...{ id: `m${ids++}`, role, blocks },
  createdAt: "2025-01-01T00:00:00.000Z",
});
const TEXT: Block = { type: "text", text: "words" };
const call = (id: string): Block => ({ type: "tool-call", id, name: "read_file", params: {} });
const result = (callId: string): Block => ({
  ...{ type: "tool-result", callId, name: "read_file", label: "read_file", outcome: "done" },
  parts: [],
});
const typesOf = (messages: Message[], unread = false) => nextMove(messages, unread).type;

describe("the next move", () => {
  it("is the model's after what the user said, and after results with the environment first", () => {
    expect(nextMove([message("user", TEXT)], false)).toEqual({ type: "ask", afterResults: false });
    const answered = [message("user", TEXT), message("assistant", call("a")), message("tool", result("a"))];
    expect(nextMove(answered, false)).toEqual({ type: "ask", afterResults: true });
  });

  it("is the calls that have no result, in order, whether or not the answer was cut off", () => {
    const asked = message("assistant", TEXT, call("a"), call("b"), call("c"));
    for (const cut of [asked, { ...asked, interrupted: true }]) {
      const move = nextMove([message("user", TEXT), cut, message("tool", result("a"))], true);
      expect(move.type === "calls" && move.calls.map(({ id }) => id)).toEqual(["b", "c"]);
    }
  });

  it("is the user's after an answer without calls, unless the model has to be corrected", () => {
    const said = [message("user", TEXT), message("assistant", TEXT)];
    expect(typesOf(said)).toBe("rest");
    expect(nextMove(said, true)).toEqual({ type: "correct", why: "malformed-call" });
    const cut = [message("user", TEXT), { ...message("assistant", TEXT), interrupted: true }];
    expect(nextMove(cut, true)).toEqual({ type: "correct", why: "cut-off" });
  });

  it("is the model's once more after an answer without text and calls", () => {
    const thought: Block = { type: "reasoning", text: "Hm." };
    for (const blocks of [[thought], [thought, { ...TEXT, text: " \n" }]])
      expect(nextMove([message("user", TEXT), message("assistant", ...blocks)], false)).toEqual({
        type: "ask",
        afterResults: false,
      });
  });

  it(`changes nothing, and the calls it names are those without results (NEKODE_SEED=${seed})`, () => {
    const messages = conversation(generator(seed), 300);
    for (let end = 1; end <= messages.length; end++) {
      const part = messages.slice(0, end);
      const before = JSON.stringify(part);
      const move = nextMove(part, false);
      expect(JSON.stringify(part)).toBe(before);
      expect(nextMove(JSON.parse(before), false)).toEqual(move);
      expect(move.type === "calls" ? move.calls : []).toEqual(unansweredCalls(part));
      if (move.type === "rest") expect(part.at(-1)?.role).toBe("assistant");
    }
  });
});
