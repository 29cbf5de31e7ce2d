/** How rows form turns, and what is folded away. */
import { describe, expect, it } from "vitest";
import { defaultTools } from "../../../src/core/tools/registry.ts";
import type { EventBody } from "../../../src/shared/event.ts";
import type { CallOutcome, ShownResult } from "../../../src/shared/message.ts";
import { applyEvent, type ChatView, emptyView, rowsOf } from "../../../src/shared/view/reducer.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { workText } from "../../../webview-ui/turns/fold-line.tsx";
import { itemSelector, itemsOf } from "../../../webview-ui/turns/items.ts";
import { layoutOf, turnAt } from "../../../webview-ui/turns/layout.ts";

const t = translator({});
const faces = Object.fromEntries(defaultTools.map(({ name, presentation }) => [name, presentation]));
const START = Date.parse("2026-01-01T00:00:00Z");

/** Builds a view from steps: a user's message, text, or a call with its subject. */
class Conversation {
  view: ChatView = { ...emptyView, faces };
  #count = 0;

  emit(...events: EventBody[]): this {
    this.view = events.reduce(applyEvent, this.view);
    return this;
  }

  #message(role: "user" | "assistant", rest: object): EventBody {
    const createdAt = new Date(START + this.#count * 1_000).toISOString();
    const id = `m${this.#count++}`;
    return { type: "message", message: { id, role, createdAt, blocks: [], ...rest } };
  }

  user(text: string): this {
    return this.emit({ type: "status", status: "waiting" }, this.#message("user", { display: text }));
  }

  text(text: string): this {
    return this.emit(
      { type: "request", messageId: `m${this.#count}`, number: 1 },
      this.#message("assistant", { blocks: [{ type: "text", text }] }),
    );
  }

  call(
    tool: string,
    subject: string,
    outcome: CallOutcome = "done",
    exitCode?: number,
    more?: ShownResult,
  ): this {
    const id = `c${this.#count}`;
    return this.emit(
      { type: "request", messageId: `m${this.#count}`, number: 1 },
      { type: "call", messageId: `m${this.#count}`, callId: id, tool, subject },
      {
        ...this.#message("assistant", { blocks: [{ type: "tool-call", id, name: tool, params: {} }] }),
        subjects: { [id]: subject },
      } as EventBody,
      {
        type: "call-done",
        callId: id,
        outcome,
        shown: { ...(exitCode === undefined ? {} : { exitCode }), ...more },
      },
    );
  }

  /** A call that has begun. */
  begin(tool: string, subject: string, ...then: EventBody[]): this {
    const id = `c${this.#count++}`;
    const messageId = `m${id}`;
    return this.emit({ type: "call", messageId, callId: id, tool, subject }, ...then);
  }

  idle(): this {
    return this.emit({ type: "status", status: "idle" });
  }

  /** What is on the page, one line each. */
  page(...open: string[]): string[] {
    const items = itemsOf(this.view, new Set(open), 0, rowsOf(this.view).length);
    return items.map((item) => {
      if (item.kind === "fold") return `${item.open ? "v" : ">"} ${workText(t, item.fold.counts)}`;
      if (item.kind === "strip") return `strip ${item.turn.changed?.files}`;
      const { row } = item;
      if (row.kind === "call") return `${row.tool} ${row.subject}`;
      return "text" in row ? `${row.kind}: ${row.text}` : row.kind;
    });
  }
}

const worked = () =>
  new Conversation()
    .user("Rename it")
    .call("read_file", "a.ts")
    .call("read_file", "b.ts")
    .call("read_file", "a.ts")
    .text("Now the edit.")
    .call("replace_in_file", "a.ts")
    .call("execute_command", "npm test", "done", 1)
    .text("Done.");

describe("a finished turn", () => {
  it("shows the question, one line for the work, and the answer", () => {
    const conversation = worked().idle();
    expect(conversation.page()).toEqual([
      "user: Rename it",
      "> Explored 2 files, edited 1, ran 1 command, 1 failed",
      "text: Done.",
    ]);
    expect(layoutOf(conversation.view).turns[0]?.work?.seconds).toBe(7);
  });

  it("opens to its rows, in which successive calls of one kind are one line", () => {
    expect(worked().idle().page("turn:m0")).toEqual([
      "user: Rename it",
      "v Explored 2 files, edited 1, ran 1 command, 1 failed",
      "> Explored 2 files",
      "text: Now the edit.",
      "replace_in_file a.ts",
      "execute_command npm test",
      "text: Done.",
    ]);
    expect(worked().idle().page("turn:m0", "group:c1").slice(2, 6)).toEqual([
      "v Explored 2 files",
      "read_file a.ts",
      "read_file b.ts",
      "read_file a.ts",
    ]);
  });

  it("keeps its rows while it runs, and where no answer follows the work", () => {
    const running = ["user: Rename it", "> Explored 2 files", "text: Now the edit."];
    expect(worked().page().slice(0, 3)).toEqual(running);
    const stopped = worked().call("read_file", "c.ts").idle();
    expect(stopped.page().slice(0, 3)).toEqual(running);
    expect(stopped.page().at(-1)).toBe("read_file c.ts");
  });

  it("groups what is read and searched while it runs, until something asks", () => {
    const conversation = new Conversation()
      .user("Look")
      .call("read_file", "a.ts")
      .call("search_files", "cat")
      .begin("read_file", "b.ts");
    conversation.emit({ type: "status", status: "running" });
    expect(conversation.page()).toEqual(["user: Look", "> Explored 1 file, searched once"]);
    expect(layoutOf(conversation.view).turns[0]?.groups).toEqual([
      { id: "group:c1", from: 1, to: 4, counts: { read: 1, search: 1 }, isBusy: true },
    ]);
    const approval = {
      callId: "c3",
      access: "read",
      reason: { code: "outside-workspace", values: [] },
    } as const;
    conversation.emit({ type: "approval", callId: "c3", approval });
    expect(conversation.page()).toEqual([
      "user: Look",
      "read_file a.ts",
      "search_files cat",
      "read_file b.ts",
    ]);
  });

  it("says that it works before the first of many is read", () => {
    const conversation = new Conversation().user("Look");
    for (const name of ["a.ts", "b.ts", "c.ts"]) conversation.begin("read_file", name);
    const [group] = layoutOf(conversation.view).turns[0]?.groups ?? [];
    expect(group && workText(t, group.counts, group.isBusy)).toBe("Working…");
  });

  it("keeps a single step as it is", () => {
    const page = new Conversation().user("Look").call("read_file", "a.ts").text("It is fine.").idle().page();
    expect(page).toEqual(["user: Look", "read_file a.ts", "text: It is fine."]);
  });

  it("does not count what failed as an edit", () => {
    const page = new Conversation()
      .user("Edit")
      .call("replace_in_file", "a.ts", "failed")
      .call("replace_in_file", "a.ts")
      .text("Done.")
      .idle()
      .page();
    expect(page[1]).toBe("> Edited 1 file");
  });

  it.each<[string, (conversation: Conversation) => Conversation, string]>([
    ["a rejected edit", (each) => each.call("write_to_file", "a.ts", "rejected"), "1 rejected"],
    ["a refused edit", (each) => each.call("write_to_file", "a.ts", "failed"), "1 failed"],
    ["a rejected command", (each) => each.call("execute_command", "npm i", "rejected"), "1 rejected"],
    ["a call after a rejected one", (each) => each.call("execute_command", "npm i", "not-run"), "1 not run"],
    [
      "a command that was refused",
      (each) => each.call("execute_command", "rm -rf /", "failed", undefined, { note: "refused" }),
      "1 failed",
    ],
    [
      "a command that was stopped",
      (each) => each.call("execute_command", "sleep 9", "interrupted"),
      "Ran 1 command, 1 failed",
    ],
    ["a file that could not be read", (each) => each.call("read_file", "none.ts", "failed"), "1 failed"],
    [
      "a file that was as it should become",
      (each) => each.call("write_to_file", "a.ts", "done", undefined, { note: "unchanged" }),
      "Changed nothing",
    ],
    [
      "the same beside an edit",
      (each) =>
        each
          .call("write_to_file", "a.ts", "done", undefined, { note: "unchanged" })
          .call("write_to_file", "b.ts"),
      "Edited 1 file",
    ],
    [
      "one page, looked at in many ways",
      (each) =>
        each
          .call("browser_action", "launch http://localhost:3000/")
          .call("browser_action", "click 10,20")
          .call("browser_action", "close")
          .call("browser_action", "launch http://localhost:3000/")
          .call("web_fetch", "http://localhost:3000/"),
      "Opened 1 web page",
    ],
    [
      "two pages",
      (each) => each.call("web_fetch", "https://a.example/").call("web_fetch", "https://b.example/"),
      "Opened 2 web pages",
    ],
  ])("says what became of %s", (_, work, said) => {
    const page = work(new Conversation().user("Do").text("I will.")).text("Done.").idle().page();
    expect(page[1]).toBe(`> ${said}`);
  });

  it("tells the time without waiting for the user", () => {
    const conversation = new Conversation()
      .user("Do")
      .call("write_to_file", "a.ts", "done", undefined, { waitedMs: 1_500 })
      .call("write_to_file", "b.ts", "rejected", undefined, { waitedMs: 2_000 })
      .call("read_file", "c.ts")
      .text("Done.")
      .idle();
    expect(layoutOf(conversation.view).turns[0]?.work?.seconds).toBeUndefined();
    conversation
      .user("Again")
      .text("x")
      .call("execute_command", "npm test", "done", 0, { waitedMs: 2_000 })
      .text("y")
      .idle();
    expect(layoutOf(conversation.view).turns[1]?.work?.seconds).toBe(1);
  });

  it("shows what it changed after its answer instead of after the question", () => {
    const checkpoint = { id: "m0", kind: "message", at: "m0", files: 2 } as const;
    const conversation = worked().emit({ type: "checkpoint", checkpoint });
    expect(conversation.page()).toContain("checkpoint");
    conversation.idle();
    expect(conversation.page()).not.toContain("checkpoint");
    expect(conversation.page().at(-1)).toBe("strip 2");
  });
});

describe("a task of 300 calls", () => {
  const long = () => {
    const conversation = new Conversation().user("Do it all");
    for (let index = 0; index < 100; index++) {
      conversation.call("read_file", `${index}.ts`).call("replace_in_file", `${index}.ts`);
      conversation.call("execute_command", `test ${index}`);
      if (index % 10 === 4) conversation.text(`Step ${index}.`);
    }
    return conversation.text("All done.");
  };

  it("is three lines when it is finished", () => {
    expect(long().idle().page()).toEqual([
      "user: Do it all",
      "> Explored 100 files, edited 100, ran 100 commands",
      "text: All done.",
    ]);
  });

  it("is laid out by a delta without a look at the settled rows", () => {
    const conversation = long().emit({ type: "request", messageId: "new", number: 1 });
    const { view } = conversation;
    layoutOf(view);
    let reads = 0;
    const settled = new Proxy(view.settled as readonly unknown[], {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key, receiver);
      },
    }) as ChatView["settled"];
    const watched = { ...view, settled };
    layoutOf(watched);
    reads = 0;
    for (let index = 0; index < 100; index++) {
      conversation.view = { ...watched, live: conversation.view.live };
      conversation.emit({ type: "delta", messageId: "new", block: 0, kind: "text", delta: "word " });
      layoutOf(conversation.view);
    }
    expect(reads).toBeLessThan(1_000);
  });
});

describe("the items of a range of rows", () => {
  it("are the same array while a delta changes other rows", () => {
    const conversation = worked().emit({ type: "request", messageId: "new", number: 1 });
    const select = itemSelector(new Set(), () => [0, 3]);
    const before = select(conversation.view);
    conversation.emit({ type: "delta", messageId: "new", block: 0, kind: "text", delta: "More." });
    expect(select(conversation.view)).toBe(before);
    conversation.user("Next");
    expect(select(conversation.view)).not.toBe(before);
  });

  it("make up the whole page, whatever the size of the ranges", () => {
    const conversation = worked().idle().user("Again").call("read_file", "x.ts").text("So.").idle();
    const whole = itemsOf(conversation.view, new Set(["turn:m0"]), 0, 100);
    for (const size of [1, 2, 3, 7]) {
      const parts = Array.from({ length: 20 }, (_, index) =>
        itemsOf(conversation.view, new Set(["turn:m0"]), index * size, (index + 1) * size),
      );
      expect(parts.flat()).toEqual(whole);
    }
  });

  it("find the turn of each row", () => {
    const { view } = worked().idle().user("Again").text("So.").idle();
    const layout = layoutOf(view);
    const ids = rowsOf(view).map((_, index) => turnAt(layout, index)?.id);
    expect(ids.at(0)).toBe("m0");
    expect(ids.at(-1)).toBe(layout.turns[1]?.id);
    expect(turnAt(layout, ids.length)).toBeUndefined();
  });
});

it("a call of an answer that failed has not run, until it runs when the user retries", () => {
  const call: EventBody = { type: "call", messageId: "a", callId: "c", tool: "read_file", subject: "a.ts" };
  const failed: EventBody = {
    type: "error",
    id: "e",
    error: { code: "response-too-large", detail: "128 tool calls" },
  };
  const conversation = new Conversation().user("Read it").emit(call);
  const state = () => rowsOf(conversation.view).flatMap((row) => (row.kind === "call" ? [row.state] : []));
  expect(state()).toEqual(["streaming"]);
  conversation.emit(failed).idle();
  expect(state()).toEqual(["not-run"]);
  conversation.emit({ type: "call-running", callId: "c" });
  expect(state()).toEqual(["running"]);
});
