/** Finding a text in a session: all of it, as rows show it. */
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../src/shared/message.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { startAgent } from "../../../support/agent.ts";
import { newSession } from "../sessions/support.ts";

const t = translator({});
const createdAt = "2025-01-01T00:00:00.000Z";

function user(id: string, text: string): Message {
  return {
    id,
    createdAt,
    role: "user",
    display: text,
    blocks: [{ type: "text", text: `<task>${text}</task>` }],
  };
}

function said(id: string, text: string): Message {
  return { id, createdAt, role: "assistant", blocks: [{ type: "text", text }] };
}

function read(id: string, path: string, output: string): Message[] {
  const call = { id: `call-${id}`, name: "read_file", params: { path } };
  return [
    { id, createdAt, role: "assistant", blocks: [{ type: "tool-call", ...call }] },
    {
      ...{ id: `${id}-result`, createdAt, role: "tool" },
      blocks: [
        {
          ...{ type: "tool-result", callId: call.id, name: "read_file", label: "read_file", outcome: "done" },
          ...{ parts: [{ type: "text", text: output }], shown: { text: "12" } },
        },
      ],
    },
  ];
}

async function opened(messages: readonly Message[]) {
  const agent = await startAgent({ script: { turns: [] } });
  const { store, project } = await agent.another();
  const session = newSession();
  await store.import(session, messages, {});
  await project.dispose();
  await store.close();
  await agent.view.open(session.id);
  return agent;
}

const conversation = (count: number): Message[] =>
  Array.from({ length: count }, (_, i) => [
    user(`u${i}`, `Question ${i}`),
    said(`a${i}`, `Answer **${i}** here`),
  ]).flat();

describe("finding a text in a session", () => {
  it("finds it in messages that no view has loaded, in order", async () => {
    const agent = await opened([...conversation(600), user("last", "the end")]);
    expect(agent.view.active.chatView.earlier).toBeGreaterThan(900);
    expect(await agent.view.active.texts.find("question 7", t)).toEqual({
      rows: [7, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79].map((n) => ({ row: `u${n}`, count: 1 })).slice(0, 11),
      total: 11,
    });
    const { total, rows } = await agent.view.active.texts.find("QUESTION", t);
    expect(total).toBe(600);
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 600 }, (_, i) => `u${i}`));
    // What was loaded since is found once, as before.
    await agent.view.active.showEarlier({ all: true });
    expect((await agent.view.active.texts.find("question", t)).total).toBe(600);
    await agent.close();
  });

  it("finds what rows show, without signs of Markdown and without what only the model reads", async () => {
    const agent = await opened([
      user("u", "Look at cats.js"),
      said("a", "It **is** a `cat.meow()`.\n\n| name | sound |\n| - | - |\n| cat | *meow* |"),
      ...read("r", "src/cats.js", "hidden from the user"),
    ]);
    const where = async (text: string) => (await agent.view.active.texts.find(text, t)).rows;
    expect(await where("It is a cat")).toEqual([{ row: "a:0", count: 1 }]);
    expect(await where("meow")).toEqual([{ row: "a:0", count: 2 }]);
    expect(await where("cats.js")).toEqual([
      { row: "u", count: 1 },
      { row: "call-r", count: 1 },
    ]);
    expect(await where("Read src")).toEqual([{ row: "call-r", count: 1 }]);
    expect(await where("**")).toEqual([]);
    expect(await where("task>")).toEqual([]);
    expect(await where("hidden")).toEqual([]);
    // What it types means itself.
    expect(await where("meow()")).toEqual([{ row: "a:0", count: 1 }]);
    expect(await where(".*")).toEqual([]);
    expect(await where("  ")).toEqual([]);
    await agent.close();
  });

  it("finds what was said since", async () => {
    const agent = await startAgent({ script: { turns: [{ answer: [{ text: "A *new* answer" }] }] } });
    await agent.view.send("A new question");
    await agent.view.active.idle;
    expect((await agent.view.active.texts.find("new", t)).total).toBe(2);
    expect((await agent.view.active.texts.find("a new answer", t)).total).toBe(1);
    await agent.close();
  });
});

describe("an answer as plain text", () => {
  it("is the last answer, or the row that is named", async () => {
    const agent = await opened([
      user("u", "Go"),
      said("a", "# First\n\nIt **is** so:\n\n```js\na * b\n```"),
      user("u2", "And?"),
      said("b", "- one.\n- `two`"),
      ...read("r", "cats.js", "x"),
    ]);
    const { view } = agent;
    expect(view.active.texts.answer(t)).toEqual({ name: "one.txt", text: "one.\ntwo" });
    expect(view.active.texts.answer(t, "a:0")).toEqual({
      name: "First.txt",
      text: "First\n\nIt is so:\n\na * b",
    });
    expect(view.active.texts.answer(t, "u2")?.text).toBe("And?");
    expect(view.active.texts.answer(t, "call-r")?.text).toContain("Read cats.js");
    expect(view.active.texts.answer(t, "gone")).toBeUndefined();
    await agent.close();
  });
});
