/** A long session on show: its newest part first, and what came before as it is asked for. */
import { afterEach, describe, expect, it } from "vitest";
import { pageBefore } from "../../../../src/core/agent/earlier.ts";
import type { CheckpointView, EventBody } from "../../../../src/shared/event.ts";
import { type Message, toolCalls } from "../../../../src/shared/message.ts";
import { presentationOf } from "../../../../src/shared/tool-presentation.ts";
import {
  applyEvent,
  type ChatView,
  emptyView,
  rowsOf,
  shownPart,
} from "../../../../src/shared/view/reducer.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { conversation } from "../../../support/histories.ts";
import { ownPresentations, viewWithPresentations } from "../../../support/presentations.ts";
import { generator, rounds, seedOf } from "../../../support/random.ts";
import { newSession } from "../sessions/support.ts";

const seed = seedOf("earlier");
const CREATED_AT = "2025-01-01T00:00:00.000Z";
const facts = {
  subject: (call: { id: string }) => `about ${call.id}`,
  presentation: (tool: string) => presentationOf(ownPresentations, tool),
};
const messageEvent = (message: Message): EventBody => ({
  type: "message",
  message,
  subjects: Object.fromEntries(toolCalls(message).map((call) => [call.id, facts.subject(call)])),
});
const whole = (messages: readonly Message[]): ChatView =>
  messages.map(messageEvent).reduce(applyEvent, viewWithPresentations);

describe(`pages of a conversation (NEKODE_SEED=${seed})`, () => {
  it("give the rows that the messages give one after the other, whatever was said", () => {
    const random = generator(seed);
    for (let round = 0; round < rounds(4, 30); round++) {
      const messages = conversation(random, 1 + Math.floor(random() * 900));
      let view = emptyView;
      for (let end = messages.length; end > 0; end = view.earlier) {
        view = applyEvent(view, pageBefore(messages, end, facts));
      }
      expect(rowsOf(view)).toEqual(rowsOf(whole(messages)));
    }
  });

  it("hold what is shown and nothing else, and what is shown of a message makes the same rows", () => {
    const messages = conversation(generator(seed), 300);
    expect(whole(messages.map((message) => shownPart(message, ownPresentations)))).toEqual(whole(messages));
    const sent = JSON.stringify(pageBefore(messages, messages.length, facts));
    for (const unseen of ["secret", "y".repeat(100), "x".repeat(50), "AAAA", "what the model reads"]) {
      expect(sent).not.toContain(unseen);
    }
  });

  it("have the words for the steps of the tasks that a task started", () => {
    const step = { id: "s", tool: "search_files", subject: "neko", state: "done" as const };
    const task = { id: "t", title: "Look", kind: "explore" as const, state: "done" as const, requests: 1 };
    const messages: Message[] = [
      {
        ...{ id: "a", role: "assistant", createdAt: CREATED_AT },
        blocks: [{ type: "tool-call", id: "c", name: "start_task", params: {} }],
      },
      {
        ...{ id: "b", role: "tool", createdAt: CREATED_AT },
        blocks: [
          {
            ...{
              type: "tool-result",
              callId: "c",
              name: "start_task",
              label: "",
              outcome: "done",
              parts: [],
            },
            shown: { task: { ...task, steps: [step], more: 0 } },
          },
        ],
      },
    ];
    expect(Object.keys(pageBefore(messages, 2, facts).faces ?? {}).sort()).toEqual([
      "search_files",
      "start_task",
    ]);
  });

  it("end before they are large, but for one message that is", () => {
    const long = (id: string): Message => ({
      ...{ id, role: "assistant", createdAt: CREATED_AT },
      blocks: [{ type: "text", text: "w".repeat(300_000) }],
    });
    const page = pageBefore(["a", "b", "c", "d"].map(long), 4, facts);
    expect(page.messages.map(({ id }) => id)).toEqual(["c", "d"]);
    expect(page.left).toBe(2);
  });
});

describe("a session of many messages", () => {
  let agent: Agent;
  afterEach(() => agent.close());
  const messages = conversation(generator(7), 1200);
  const first = messages.find(({ display }) => display !== undefined);

  async function openLong(): Promise<void> {
    agent = await startAgent({ script: { turns: [{ answer: [{ text: "Once more." }] }] } });
    const { store, project } = await agent.another();
    const session = newSession();
    await store.import(session, messages, {});
    await project.dispose();
    await agent.view.open(session.id);
  }

  it("opens with its newest part, and comes whole when that is asked for", async () => {
    await openLong();
    expect(agent.view.active.chatView.earlier).toBeGreaterThan(1000);
    expect(agent.rows().length).toBeLessThan(700);
    expect(JSON.stringify(agent.events).length).toBeLessThan(500_000);
    const newest = agent.rows();
    await agent.view.active.showEarlier({});
    expect(agent.rows().slice(agent.view.active.chatView.prepended)).toEqual(newest);
    await agent.view.active.showEarlier({ all: true });
    const without = agent.rows().filter(({ kind }) => kind !== "notice");
    expect(without.map(({ id }) => id)).toEqual(
      rowsOf(whole(messages)).flatMap(({ id, kind }) => (kind === "notice" ? [] : [id])),
    );
    // The panel folded the same events.
    expect(rowsOf(agent.events.reduce(applyEvent, emptyView))).toEqual(agent.rows());
  });

  it("is on show before all of it is read, and answered with all of it", async () => {
    agent = await startAgent({ script: { turns: [{ answer: [{ text: "Once more." }] }] } });
    const { store, project } = await agent.another();
    const session = newSession();
    await store.import(session, messages, {});
    await project.dispose();
    const shown = agent.until(({ type }) => type === "earlier");
    const opening = agent.view.open(session.id);
    await shown;
    const { earlier } = agent.view.active.chatView;
    expect(earlier).toBeGreaterThan(1000);
    // What is said now waits for the rest.
    const sent = agent.view.send("And now?");
    await opening;
    await sent;
    await agent.view.active.idle;
    expect(agent.view.active.chatView.earlier).toBe(earlier);
    const all = (await store.load(session.id))?.messages ?? [];
    expect(all.slice(0, messages.length).map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(all.slice(messages.length).map(({ display }) => display)).toContain("And now?");
    const [words] = first?.blocks ?? [];
    const sentToModel = JSON.stringify(agent.server.chat(1).messages);
    expect(sentToModel).toContain(words?.type === "text" ? `"${words.text}"` : "?");
  });

  it("counts no message that cannot be read", async () => {
    agent = await startAgent({ script: { turns: [] } });
    const { store, project } = await agent.another();
    const session = newSession();
    const said = (index: number): Message => ({
      ...{ id: `s${index}`, role: "user", createdAt: CREATED_AT, display: `${index}`, blocks: [] },
      ...(index % 10 === 9 ? { blocks: [JSON.parse('{ "type": "of a later version" }')] } : {}),
    });
    const all = Array.from({ length: 1000 }, (_, index) => said(index));
    await store.import(session, all, {});
    await project.dispose();
    await agent.view.open(session.id);
    const texts = () => agent.rows().flatMap((row) => (row.kind === "user" ? [row.text] : []));
    const [oldest = ""] = texts();
    const readable = all.filter((_, index) => index % 10 !== 9).map(({ display }) => display);
    expect(agent.view.active.chatView.earlier).toBe(readable.indexOf(oldest));
    await agent.view.active.showEarlier({ all: true });
    expect(texts()).toEqual(readable);
  });

  it("comes as far as a row that somebody looks for", async () => {
    await openLong();
    const call = messages.slice(700).flatMap(toolCalls)[0]?.id ?? "";
    expect(agent.rows().some(({ id }) => id === call)).toBe(false);
    await agent.view.active.showEarlier({ until: call });
    expect(agent.rows().some(({ id }) => id === call)).toBe(true);
    expect(agent.view.active.chatView.earlier).toBeGreaterThan(300);
    const { earlier } = agent.view.active.chatView;
    await agent.view.active.showEarlier({ until: "nothing like it" });
    expect(agent.view.active.chatView.earlier).toBe(earlier);
  });

  it("is edited at a message that is not on show", async () => {
    await openLong();
    await agent.view.editAndResend(first?.id ?? "", "Something else");
    await agent.view.active.idle;
    expect(agent.rows().map((row) => ("text" in row ? row.text : ""))).toContain("Something else");
  });
});

describe("a checkpoint of a message that is not on show", () => {
  const at = (id: string): CheckpointView => ({ id, kind: "message", at: id, files: 1 });
  const said = (id: string): Message => ({
    id,
    role: "user",
    createdAt: CREATED_AT,
    blocks: [],
    display: id,
  });
  const all = Array.from({ length: 500 }, (_, index) => said(`s${index}`));

  it("waits for it, and then moves no row that was on show", () => {
    let view = applyEvent(emptyView, pageBefore(all, 500, facts));
    view = applyEvent(view, { type: "checkpoint", checkpoint: at("s10") });
    expect(rowsOf(view).some(({ kind }) => kind === "checkpoint")).toBe(false);
    const shown = rowsOf(view);
    while (view.earlier > 0) view = applyEvent(view, pageBefore(all, view.earlier, facts));
    view = applyEvent(view, { type: "checkpoint", checkpoint: at("s10") });
    const rows = rowsOf(view);
    expect(rows[11]).toMatchObject({ kind: "checkpoint", id: "checkpoint:s10" });
    expect(rows.slice(view.prepended)).toEqual(shown);
  });
});
