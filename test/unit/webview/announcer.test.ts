import { describe, expect, it } from "vitest";
import type { EventBody } from "../../../src/shared/event.ts";
import { reasonOf } from "../../../src/shared/reason.ts";
import { applyEvent, emptyView } from "../../../src/shared/view/reducer.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { announcement } from "../../../webview-ui/announcement.ts";

const t = translator({});

/** What is said at each event in turn. */
function said(...events: EventBody[]): string[] {
  let view = emptyView;
  return events.map((event) => {
    const before = view;
    view = applyEvent(view, event);
    return announcement(t, before, view);
  });
}

const delta = (text: string): EventBody => ({
  type: "delta",
  messageId: "m",
  block: 0,
  kind: "text",
  delta: text,
});

describe("what a screen reader hears", () => {
  it("is a streamed answer once, when it is complete", () => {
    expect(
      said(delta("Hel"), delta("lo"), {
        type: "message",
        message: { id: "m", role: "assistant", blocks: [{ type: "text", text: "Hello" }], createdAt: "" },
      }),
    ).toEqual(["", "", "Hello"]);
  });

  it("is an answer without signs of Markdown, with its code named", () => {
    const markdown =
      "## Done\n\nI **changed** `cats.js`, see [line 3](cats.js:3):\n\n```js\na * b\n```\n- one\n- two";
    const text = [{ type: "text" as const, text: markdown }];
    expect(
      said({ type: "message", message: { id: "m", role: "assistant", blocks: text, createdAt: "" } }),
    ).toEqual(["Done\n\nI changed cats.js, see line 3:\n\n(1 line of code)\none\ntwo"]);
  });

  it("is the beginning of a long answer, up to the end of a word", () => {
    const text = [{ type: "text" as const, text: "**some** words and ".repeat(100) }];
    const [words = ""] = said({
      type: "message",
      message: { id: "m", role: "assistant", blocks: text, createdAt: "" },
    });
    expect(words.length).toBeLessThanOrEqual(601);
    expect(words).toMatch(/^some words and some .* (some|words|and)…$/);
  });

  it("is a question once, with what is unseen written out", () => {
    const approval = {
      callId: "c",
      access: "command" as const,
      reason: reasonOf("none"),
      command: "rm\u200b x",
    };
    expect(
      said(
        { type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: "rm" },
        { type: "approval", callId: "c", approval },
        { type: "status", status: "approval" },
      ),
    ).toEqual(["", "Run this command? rm‹U+200B› x", ""]);
  });

  it("is an error, and a notice", () => {
    expect(
      said(
        { type: "error", id: "e", error: { code: "empty-response" } },
        { type: "notice", id: "n", code: "stopped" },
      ),
    ).toEqual(["The model returned an empty response.", "Stopped."]);
  });

  it("is nothing when another conversation is opened", () => {
    expect(said({ type: "session", id: "s", title: "x" })).toEqual([""]);
  });
});
