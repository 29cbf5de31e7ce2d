/** Seats of one project: sessions that work on when no seat shows them, and seats that do not disturb each other. */
import { afterEach, expect, it } from "vitest";
import type { TaskManager } from "../../../../src/core/agent/manager.ts";
import type { TaskEvent } from "../../../../src/shared/event.ts";
import { rowsOf } from "../../../../src/shared/view/reducer.ts";
import type { ScriptPart } from "../../../model-server/script.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const KEEP = { keep: true };
const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const write = (path: string) => ({ tool: "write_to_file", params: { path, content: `of ${path}\n` } });
const first = (text: string, ...answer: ScriptPart[]) => ({
  match: { firstUser: text, request: 1 },
  answer,
});
const openIn = ({ together }: TaskManager) => together.all.map(({ id }) => id);
const texts = (manager: TaskManager) => JSON.stringify(rowsOf(manager.view));

/** The call of the seat's session that waits for approval. */
async function waitingCall(seat: TaskManager): Promise<string> {
  const isIts = (event: TaskEvent) => event.type === "approval" && event.session === seat.sessionId;
  if (seat.waitingCalls.first === undefined) await agent.until(isIts);
  return seat.waitingCalls.first ?? "";
}

/** The next time that the session is idle. */
const idle = (id: string) =>
  agent.until((event) => event.session === id && event.type === "status" && event.status === "idle");

/** Two tasks that write a file each, and then are done. */
const TWO_TASKS = {
  turns: [
    first("first", { text: "One." }, write("one.txt")),
    first("second", { text: "Two." }, write("two.txt")),
    { answer: [DONE], times: 2 },
  ],
};

it("keeps a session that waits while another one works, and shows it again with all that it has", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { manager } = agent;
  await manager.send("the first task");
  const firstCall = await agent.asked();
  const firstId = manager.sessionId;
  const before = manager.view;

  await manager.newTask(KEEP);
  expect(manager.view.settled).toEqual([]);
  await manager.send("the second task");
  const secondCall = await agent.asked();
  const secondId = manager.sessionId;
  expect([...openIn(manager)].sort()).toEqual([firstId, secondId].sort());
  // The seat decides only on what it shows.
  expect(manager.approve(firstCall)).toBe(false);
  expect(agent.files.has("/project/one.txt")).toBe(false);

  const switched: string[] = [];
  const seen = agent.events.length;
  manager.onSwitched(() => switched.push(manager.sessionId));
  expect(await manager.open(firstId, KEEP)).toEqual({});
  expect(switched).toEqual([firstId]);
  expect(manager.view).toEqual(before);
  expect(agent.events.slice(seen).filter(({ type }) => type === "session")).toEqual([]);
  expect(manager.approve(secondCall)).toBe(false);
  expect(manager.approve(firstCall)).toBe(true);
  expect(await manager.idle).toBe("completed");
  expect(agent.files.get("/project/one.txt")).toBe("of one.txt\n");
  expect(agent.files.has("/project/two.txt")).toBe(false);

  // The first one is done, so it is closed when the seat turns away from it.
  await manager.open(secondId, KEEP);
  expect(openIn(manager)).toEqual([secondId]);
  expect(manager.approve(secondCall)).toBe(true);
  expect(await manager.idle).toBe("completed");
});

it("closes a session in the background once its work is over, its queue included; nothing of it is lost", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("first", { text: "One" }, { hold: "one" }, DONE),
        { match: { lastUser: "and then" }, answer: [{ text: "Then." }, DONE] },
      ],
    },
  });
  const { manager, server } = agent;
  await manager.send("the first task");
  await server.waitForHold("one");
  const id = manager.sessionId;
  expect(await manager.send("and then")).toEqual({ queued: true });
  await manager.newTask(KEEP);
  server.release("one");
  await idle(id);
  await idle(id);
  await manager.open(id, KEEP);
  expect(openIn(manager)).toEqual([id]);
  expect(texts(manager)).toContain("and then");
  expect(texts(manager)).toContain("Then.");
});

it("shows a session whole at whichever moment of its end it is opened again", async () => {
  agent = await startAgent({
    script: { turns: [{ answer: [{ text: "One" }, { hold: "one" }, DONE], times: 60 }] },
  });
  const { manager, server } = agent;
  await manager.send("a task");
  const id = manager.sessionId;
  for (let moments = 0; moments < 60; moments++) {
    await server.waitForHold("one");
    await manager.newTask(KEEP);
    const over = idle(id);
    server.release("one");
    await over;
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    await manager.open(id, KEEP);
    expect(openIn(manager)).toEqual([id]);
    if (moments < 59) await manager.send("more");
  }
  expect(rowsOf(manager.view).filter(({ kind }) => kind === "user")).toHaveLength(60);
});

it("stops the session that it leaves without `keep`", async () => {
  agent = await startAgent({ script: { turns: [first("first", { text: "One" }, { hold: "one" }, DONE)] } });
  const { manager, server } = agent;
  await manager.send("the first task");
  await server.waitForHold("one");
  const id = manager.sessionId;
  await manager.newTask();
  expect(openIn(manager)).not.toContain(id);
  expect(agent.events.some((event) => event.type === "notice" && event.code === "stopped")).toBe(true);
});

it("seats have sessions of their own, and the end of one seat is not the end of another's work", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { manager } = agent;
  const other = manager.another();
  await manager.send("the first task");
  const firstCall = await agent.asked();
  await other.send("the second task");
  const secondCall = await waitingCall(other);
  expect(other.sessionId).not.toBe(manager.sessionId);
  expect(other.approve(firstCall)).toBe(false);
  expect(other.approve(secondCall)).toBe(true);
  expect(await other.idle).toBe("completed");
  expect(manager.view.status).toBe("approval");
  await other.dispose();
  expect(openIn(manager)).toEqual([manager.sessionId]);
  expect(manager.approve(firstCall)).toBe(true);
  expect(await manager.idle).toBe("completed");
});

it("two seats can show one session, which works on when one of them leaves", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { manager } = agent;
  await manager.send("the first task");
  const call = await agent.asked();
  const other = manager.another();
  await other.open(manager.sessionId);
  expect(other.view).toBe(manager.view);
  await other.newTask();
  expect(manager.view.status).toBe("approval");
  await other.open(manager.sessionId);
  await other.dispose();
  expect(manager.view.status).toBe("approval");
  expect(manager.approve(call)).toBe(true);
  expect(await manager.idle).toBe("completed");
});

it("a task that hands over in the background goes on there, and the seat keeps what it shows", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("first", { tool: "new_task", params: { context: "The rest of the work." } }),
        { match: { firstUser: "The rest of the work." }, answer: [{ text: "The rest." }, DONE] },
      ],
    },
  });
  const { manager } = agent;
  await manager.send("the first task");
  const call = await agent.asked();
  const id = manager.sessionId;
  const other = manager.another();
  await other.open(id);
  await manager.newTask(KEEP);
  const shown = manager.sessionId;
  expect(other.approve(call)).toBe(true);
  await agent.until((event) => event.type === "call-done" && event.session !== id);
  await agent.until((event) => event.type === "status" && event.status === "idle" && event.session !== id);
  expect(manager.sessionId).toBe(shown);
  expect(manager.view.settled).toEqual([]);
  const titles = (await manager.history()).map(({ title }) => title);
  expect(titles).toContain("The rest of the work.");
});

it("a seat that ends with `keep` leaves a session that works to the background, and one with messages in its queue open", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("goes on", { text: "One" }, { hold: "works" }, DONE),
        first("is stopped", { text: "Two" }, { hold: "stops" }, DONE),
      ],
    },
  });
  const { manager, server } = agent;
  const [works, stops] = [manager.another(), manager.another()];
  await works.send("it goes on");
  await server.waitForHold("works");
  const [worksId, over] = [works.sessionId, idle(works.sessionId)];
  await stops.send("it is stopped");
  await server.waitForHold("stops");
  const stopsId = stops.sessionId;
  await stops.send("not sent");
  await stops.stop();
  await works.dispose(KEEP);
  await stops.dispose(KEEP);
  const states = () => manager.together.overview.all.map(({ id, state }) => [id, state]);
  expect(states()).toEqual([
    [stopsId, "interrupted"],
    [worksId, "working"],
  ]);
  server.release("works");
  await over;
  await expect.poll(states).toEqual([
    [stopsId, "interrupted"],
    [worksId, "done"],
  ]);
  await manager.open(stopsId, KEEP);
  expect(manager.queued.map(({ text }) => text)).toEqual(["not sent"]);
});

it("seats that open one session at the same time show the same one", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { manager } = agent;
  await manager.send("the first task");
  manager.approve(await agent.asked());
  await manager.idle;
  const id = manager.sessionId;
  await manager.newTask(KEEP);
  const others = [manager.another(), manager.another()];
  await Promise.all([...others, manager].map((seat) => seat.open(id, KEEP)));
  expect(openIn(manager)).toEqual([id]);
  expect(others.map(({ view }) => view === manager.view)).toEqual([true, true]);
});

it("all seats that show a session follow it to the task that it hands over to, and leave it when it is deleted", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("first", { tool: "new_task", params: { context: "The rest of the work." } }),
        { match: { firstUser: "The rest of the work." }, answer: [{ text: "The rest." }, DONE] },
      ],
    },
  });
  const { manager } = agent;
  const other = manager.another();
  await other.send("the first task");
  const call = await waitingCall(other);
  const id = other.sessionId;
  await manager.open(id, KEEP);
  expect(manager.approve(call)).toBe(true);
  await agent.until((event) => event.type === "status" && event.status === "idle" && event.session !== id);
  expect(texts(manager)).toContain("The rest.");
  expect(other.view).toBe(manager.view);
  const next = other.sessionId;
  await manager.deleteSession(next);
  expect([manager.view.session, other.view.session]).toEqual([null, null]);
  expect(openIn(manager).sort()).toEqual([manager.sessionId, other.sessionId].sort());
});

it("what waited in the queues of several tasks waits there again after a restart, and nothing is sent", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("first", { text: "One" }, { hold: "one" }, DONE),
        first("second", { text: "Two" }, { hold: "two" }, DONE),
      ],
    },
  });
  const ids: string[] = [];
  for (const [name, hold] of [
    ["first", "one"],
    ["second", "two"],
  ] as const) {
    await agent.manager.newTask(KEEP);
    await agent.manager.send(`the ${name} task`);
    await agent.server.waitForHold(hold);
    ids.push(agent.manager.sessionId);
  }
  const before = agent.server.requests.length;
  await agent.restart("", (id) => ({ queued: [{ text: `after ${ids.indexOf(id)}`, images: [] }] }));
  const { manager } = agent;
  await expect
    .poll(() => manager.together.overview.all.map(({ state }) => state))
    .toEqual(["interrupted", "interrupted"]);
  for (const [index, id] of ids.entries()) {
    await manager.open(id, KEEP);
    expect(manager.queued.map(({ text }) => text)).toEqual([`after ${index}`]);
    expect(manager.view.queue.map(({ text }) => text)).toEqual([`after ${index}`]);
  }
  expect(agent.server.requests).toHaveLength(before);
});

it("a restored call that has no need to ask is answered, and the next request waits for the user", async () => {
  agent = await startAgent({
    approval: { edit: true },
    script: {
      turns: [
        { match: { request: 1 }, answer: [{ text: "I write." }, write("one.txt")] },
        { match: { lastUser: "go on" }, times: 2, answer: [DONE] },
        { match: { request: 2 }, answer: [{ hold: "later" }, { text: "Later." }] },
      ],
    },
  });
  await agent.manager.send("the first task");
  await agent.server.waitForHold("later");
  const { sessionId } = agent.manager;
  await agent.manager.pause();
  // As a kill leaves it between the message and its call. What that would write is there already: another task was faster.
  const { manager, store } = await agent.another();
  const messages = (await store.load(sessionId))?.messages.slice(0, 2) ?? [];
  const start = {
    id: "cut",
    title: "cut off",
    projectPath: "/project",
    model: "scripted",
    mode: "act" as const,
  };
  const again = messages.map((message) => ({ ...message, id: `again-${message.id}` }));
  await store.import({ ...start, startedAt: "2026-01-01T00:00:00.000Z" }, again, {});
  const before = agent.server.requests.length;
  await manager.open("cut", KEEP);
  await manager.idle;
  expect(agent.server.requests).toHaveLength(before);
  expect(texts(manager)).toContain(`"note":"unchanged"`);
  expect(rowsOf(manager.view).at(-1)).toMatchObject({ kind: "notice", code: "interrupted" });
  await manager.send("go on");
  expect(await manager.idle).toBe("completed");

  // A message that is sent while the restored call is still answered continues the task too.
  const more = messages.map((message) => ({ ...message, id: `more-${message.id}` }));
  await store.import({ ...start, id: "cut-2", startedAt: "2026-01-01T00:00:00.000Z" }, more, {});
  await manager.open("cut-2", KEEP);
  expect(await manager.send("go on")).toEqual({ queued: true });
  const ends: unknown[] = [];
  for (let end = await manager.idle; end !== undefined; end = await manager.idle) ends.push(end);
  expect(ends).toEqual(["failed", "completed"]);
  await manager.dispose();
});
