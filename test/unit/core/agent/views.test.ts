/** Views of one project: sessions that work on when no view shows them, and views that do not disturb each other. */
import { afterEach, expect, it } from "vitest";
import type { Project } from "../../../../src/core/agent/project.ts";
import type { View } from "../../../../src/core/agent/view.ts";
import type { TaskEvent } from "../../../../src/shared/event.ts";
import { rowsOf } from "../../../../src/shared/view/reducer.ts";
import type { ScriptPart } from "../../../model-server/script.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { rounds } from "../../../support/random.ts";

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
const openIn = ({ sessions }: Project) => sessions.map(({ id }) => id);
const texts = (view: View) => JSON.stringify(rowsOf(view.active.chatView));

/** The call of the view's session that waits for approval. */
async function waitingCall(view: View): Promise<string> {
  const isIts = (event: TaskEvent) => event.type === "approval" && event.session === view.active.id;
  if (view.active.approvals.first === undefined) await agent.until(isIts);
  return view.active.approvals.first ?? "";
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
  const { view } = agent;
  await view.send("the first task");
  const firstCall = await agent.asked();
  const firstId = view.active.id;
  const before = view.active.chatView;

  await view.newTask(KEEP);
  expect(view.active.chatView.settled).toEqual([]);
  await view.send("the second task");
  const secondCall = await agent.asked();
  const secondId = view.active.id;
  expect([...openIn(agent.project)].sort()).toEqual([firstId, secondId].sort());
  // The view decides only on what it shows.
  expect(view.active.approve(firstCall)).toBe(false);
  expect(agent.files.has("/project/one.txt")).toBe(false);

  const switched: string[] = [];
  const seen = agent.events.length;
  view.onSwitched(() => switched.push(view.active.id));
  expect(await view.open(firstId, KEEP)).toEqual({});
  expect(switched).toEqual([firstId]);
  expect(view.active.chatView).toEqual(before);
  expect(agent.events.slice(seen).filter(({ type }) => type === "session")).toEqual([]);
  expect(view.active.approve(secondCall)).toBe(false);
  expect(view.active.approve(firstCall)).toBe(true);
  expect((await view.active.idle)?.type).toBe("completed");
  expect(agent.files.get("/project/one.txt")).toBe("of one.txt\n");
  expect(agent.files.has("/project/two.txt")).toBe(false);

  // The first one is done, so it is closed when the view turns away from it.
  await view.open(secondId, KEEP);
  expect(openIn(agent.project)).toEqual([secondId]);
  expect(view.active.approve(secondCall)).toBe(true);
  expect((await view.active.idle)?.type).toBe("completed");
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
  const { view, server } = agent;
  await view.send("the first task");
  await server.waitForHold("one");
  const id = view.active.id;
  expect(await view.send("and then")).toEqual({ queued: true });
  await view.newTask(KEEP);
  server.release("one");
  await idle(id);
  await idle(id);
  await view.open(id, KEEP);
  expect(openIn(agent.project)).toEqual([id]);
  expect(texts(view)).toContain("and then");
  expect(texts(view)).toContain("Then.");
});

/** Turns of the event loop after the end; the more there are, the longer each message's session is. */
const MOMENTS = rounds(24, 60);

it("shows a session whole at whichever moment of its end it is opened again", async () => {
  agent = await startAgent({
    script: { turns: [{ answer: [{ text: "One" }, { hold: "one" }, DONE], times: MOMENTS }] },
  });
  const { view, server } = agent;
  await view.send("a task");
  const id = view.active.id;
  for (let moments = 0; moments < MOMENTS; moments++) {
    await server.waitForHold("one");
    await view.newTask(KEEP);
    const over = idle(id);
    server.release("one");
    await over;
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    await view.open(id, KEEP);
    expect(openIn(agent.project)).toEqual([id]);
    if (moments < MOMENTS - 1) await view.send("more");
  }
  expect(rowsOf(view.active.chatView).filter(({ kind }) => kind === "user")).toHaveLength(MOMENTS);
});

it("stops the session that it leaves without `keep`", async () => {
  agent = await startAgent({ script: { turns: [first("first", { text: "One" }, { hold: "one" }, DONE)] } });
  const { view, server } = agent;
  await view.send("the first task");
  await server.waitForHold("one");
  const id = view.active.id;
  await view.newTask();
  expect(openIn(agent.project)).not.toContain(id);
  expect(agent.events.some((event) => event.type === "notice" && event.code === "stopped")).toBe(true);
});

it("views have sessions of their own, and the end of one view is not the end of another's work", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { project, view } = agent;
  const other = project.newView();
  await view.send("the first task");
  const firstCall = await agent.asked();
  await other.send("the second task");
  const secondCall = await waitingCall(other);
  expect(other.active.id).not.toBe(view.active.id);
  expect(other.active.approve(firstCall)).toBe(false);
  expect(other.active.approve(secondCall)).toBe(true);
  expect((await other.active.idle)?.type).toBe("completed");
  expect(view.active.chatView.status).toBe("approval");
  await other.dispose();
  expect(openIn(agent.project)).toEqual([view.active.id]);
  expect(view.active.approve(firstCall)).toBe(true);
  expect((await view.active.idle)?.type).toBe("completed");
});

it("two views can show one session, which works on when one of them leaves", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { project, view } = agent;
  await view.send("the first task");
  const call = await agent.asked();
  const other = project.newView();
  await other.open(view.active.id);
  expect(other.active.chatView).toBe(view.active.chatView);
  await other.newTask();
  expect(view.active.chatView.status).toBe("approval");
  await other.open(view.active.id);
  await other.dispose();
  expect(view.active.chatView.status).toBe("approval");
  expect(view.active.approve(call)).toBe(true);
  expect((await view.active.idle)?.type).toBe("completed");
});

it("a task that hands over in the background goes on there, and the view keeps what it shows", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("first", { tool: "new_task", params: { context: "The rest of the work." } }),
        { match: { firstUser: "The rest of the work." }, answer: [{ text: "The rest." }, DONE] },
      ],
    },
  });
  const { project, view } = agent;
  await view.send("the first task");
  const call = await agent.asked();
  const id = view.active.id;
  const other = project.newView();
  await other.open(id);
  await view.newTask(KEEP);
  const shown = view.active.id;
  expect(other.active.approve(call)).toBe(true);
  await agent.until((event) => event.type === "call-done" && event.session !== id);
  await agent.until((event) => event.type === "status" && event.status === "idle" && event.session !== id);
  expect(view.active.id).toBe(shown);
  expect(view.active.chatView.settled).toEqual([]);
  const titles = (await project.history()).map(({ title }) => title);
  expect(titles).toContain("The rest of the work.");
});

it("a view that ends with `keep` leaves a session that works to the background, and one with messages in its queue open", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("goes on", { text: "One" }, { hold: "works" }, DONE),
        first("is stopped", { text: "Two" }, { hold: "stops" }, DONE),
      ],
    },
  });
  const { project, view, server } = agent;
  const [works, stops] = [project.newView(), project.newView()];
  await works.send("it goes on");
  await server.waitForHold("works");
  const [worksId, over] = [works.active.id, idle(works.active.id)];
  await stops.send("it is stopped");
  await server.waitForHold("stops");
  const stopsId = stops.active.id;
  await stops.send("not sent");
  await stops.stop();
  await works.dispose(KEEP);
  await stops.dispose(KEEP);
  const states = () => project.overview.all.map(({ id, state }) => [id, state]);
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
  await view.open(stopsId, KEEP);
  expect(view.active.queue.waiting.map(({ text }) => text)).toEqual(["not sent"]);
});

it("views that open one session at the same time show the same one", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { project, view } = agent;
  await view.send("the first task");
  view.active.approve(await agent.asked());
  await view.active.idle;
  const id = view.active.id;
  await view.newTask(KEEP);
  const others = [project.newView(), project.newView()];
  await Promise.all([...others, view].map((each) => each.open(id, KEEP)));
  expect(openIn(agent.project)).toEqual([id]);
  expect(others.map(({ active }) => active.chatView === view.active.chatView)).toEqual([true, true]);
});

it("all views that show a session follow it to the task that it hands over to, and leave it when it is deleted", async () => {
  agent = await startAgent({
    script: {
      turns: [
        first("first", { tool: "new_task", params: { context: "The rest of the work." } }),
        { match: { firstUser: "The rest of the work." }, answer: [{ text: "The rest." }, DONE] },
      ],
    },
  });
  const { project, view } = agent;
  const other = project.newView();
  await other.send("the first task");
  const call = await waitingCall(other);
  const id = other.active.id;
  await view.open(id, KEEP);
  expect(view.active.approve(call)).toBe(true);
  await agent.until((event) => event.type === "status" && event.status === "idle" && event.session !== id);
  expect(texts(view)).toContain("The rest.");
  expect(other.active.chatView).toBe(view.active.chatView);
  const next = other.active.id;
  await project.deleteSession(next);
  expect([view.active.chatView.session, other.active.chatView.session]).toEqual([null, null]);
  expect(openIn(agent.project).sort()).toEqual([view.active.id, other.active.id].sort());
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
    await agent.view.newTask(KEEP);
    await agent.view.send(`the ${name} task`);
    await agent.server.waitForHold(hold);
    ids.push(agent.view.active.id);
  }
  const before = agent.server.requests.length;
  await agent.restart("", (id) => ({ queued: [{ text: `after ${ids.indexOf(id)}`, images: [] }] }));
  const { project, view } = agent;
  await expect
    .poll(() => project.overview.all.map(({ state }) => state))
    .toEqual(["interrupted", "interrupted"]);
  for (const [index, id] of ids.entries()) {
    await view.open(id, KEEP);
    expect(view.active.queue.waiting.map(({ text }) => text)).toEqual([`after ${index}`]);
    expect(view.active.chatView.queue.map(({ text }) => text)).toEqual([`after ${index}`]);
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
  await agent.view.send("the first task");
  await agent.server.waitForHold("later");
  const { id: sessionId } = agent.view.active;
  await agent.view.active.dispose();
  // As a kill leaves it between the message and its call. What that would write is there already: another task was faster.
  const { project, view, store } = await agent.another();
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
  await view.open("cut", KEEP);
  await view.active.idle;
  expect(agent.server.requests).toHaveLength(before);
  expect(texts(view)).toContain(`"note":"unchanged"`);
  expect(rowsOf(view.active.chatView).at(-1)).toMatchObject({ kind: "notice", code: "interrupted" });
  await view.send("go on");
  expect((await view.active.idle)?.type).toBe("completed");

  // A message that is sent while the restored call is still answered continues the task too.
  const more = messages.map((message) => ({ ...message, id: `more-${message.id}` }));
  await store.import({ ...start, id: "cut-2", startedAt: "2026-01-01T00:00:00.000Z" }, more, {});
  await view.open("cut-2", KEEP);
  expect(await view.send("go on")).toEqual({ queued: true });
  const ends: unknown[] = [];
  for (let end = (await view.active.idle)?.type; end !== undefined; end = (await view.active.idle)?.type)
    ends.push(end);
  expect(ends).toEqual(["failed", "completed"]);
  await project.dispose();
});

it("a view reports the events of the session that it shows, and no others", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { project, view } = agent;
  const other = project.newView();
  const seen = new Set<string>();
  view.onEvent(({ session }) => seen.add(session));
  await view.send("the first task");
  await agent.asked();
  expect([...seen]).toEqual([view.active.id]);
  await other.send("the second task");
  const call = await waitingCall(other);
  expect([...seen]).toEqual([view.active.id]);
  await view.open(other.active.id, KEEP);
  seen.clear();
  expect(other.active.approve(call)).toBe(true);
  await view.active.idle;
  expect([...seen]).toEqual([other.active.id]);
});

it("a session that is loaded anew replaces itself in every view that shows it", async () => {
  agent = await startAgent({ script: TWO_TASKS });
  const { project, view } = agent;
  await view.send("the first task");
  view.active.approve(await agent.asked());
  await view.active.idle;
  const before = view.active;
  const other = project.newView();
  await other.open(before.id);
  const switched: string[] = [];
  other.onSwitched(() => switched.push(other.active.id));
  await view.open(before.id, { takeOver: true });
  expect(view.active).not.toBe(before);
  expect(other.active).toBe(view.active);
  expect(switched).toEqual([before.id]);
  expect(openIn(project)).toEqual([before.id]);
});
