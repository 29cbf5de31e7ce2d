/** What the user is told of the tasks that no view shows. */
import { afterEach, expect, it } from "vitest";
import type { TaskEvent } from "../../../../src/shared/event.ts";
import { rowsOf } from "../../../../src/shared/view/reducer.ts";
import type { Script, ScriptPart } from "../../../model-server/script.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { listedIn, untilListed } from "../../../support/listed.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const KEEP = { keep: true };
const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const ASK = { tool: "ask_followup_question", params: { question: "Which?", options: ["Red", "Blue"] } };
const write = (path: string) => ({ tool: "write_to_file", params: { path, content: `of ${path}\n` } });
const turn = (text: string, ...answer: ScriptPart[]) => ({ match: { lastUser: text }, answer });
const start = (...turns: Script["turns"]) => startAgent({ script: { turns } });

const listed = () => listedIn(agent.project);
const until = (...expected: string[]) => untilListed(agent.project, ...expected);

const isIdle = (id: string) => (event: TaskEvent) =>
  event.session === id && event.type === "status" && event.status === "idle";

/** Sends a message in a new task, and leaves it. */
async function begin(text: string): Promise<string> {
  const { view } = agent;
  await view.newTask(KEEP);
  await view.send(text);
  const id = view.active.id;
  await view.newTask(KEEP);
  return id;
}

it("what waits for the user comes first, with what it waits for; what works comes last", async () => {
  agent = await start(
    turn("It works", { hold: "on" }, DONE),
    turn("It is done", DONE),
    turn("It asks", ASK),
    { match: { lastUser: "It fails" }, fault: { kind: "status", status: 401 } },
    turn("It writes", write("one.txt")),
  );
  expect(listed()).toEqual([]);
  for (const text of ["It works", "It is done", "It asks", "It fails", "It writes"]) await begin(text);
  await until(
    "It writes: approval",
    "It asks: question",
    "It fails: failed",
    "It is done: done",
    "It works: working",
  );
  const [first] = agent.project.overview.all;
  expect(first?.call).toMatchObject({ tool: "write_to_file", subject: "one.txt", face: { icon: "edit" } });
  agent.server.release("on");
  await until(
    "It writes: approval",
    "It asks: question",
    "It fails: failed",
    "It is done: done",
    "It works: done",
  );
});

it("what ended is listed until a view shows it; a question until it is answered", async () => {
  agent = await start(turn("It is done", DONE), turn("It asks", ASK), turn("Red", { hold: "on" }, DONE));
  const { view } = agent;
  const done = await begin("It is done");
  const asking = await begin("It asks");
  await until("It asks: question", "It is done: done");
  await view.open(done, KEEP);
  expect(listed()).toEqual(["It asks: question"]);
  await view.open(asking, KEEP);
  await view.newTask(KEEP);
  expect(listed()).toEqual(["It asks: question"]);
  await view.open(asking, KEEP);
  await view.send("Red");
  await agent.server.waitForHold("on");
  expect(listed()).toEqual(["It asks: working"]);
  agent.server.release("on");
  await view.active.idle;
  // The view shows how it ended.
  expect(listed()).toEqual([]);
  await view.newTask(KEEP);
  expect(listed()).toEqual([]);
});

it("a session that is opened to be read is not listed", async () => {
  agent = await start(turn("It asks", ASK));
  const { project, view } = agent;
  const id = await begin("It asks");
  await until("It asks: question");
  await project.dismiss(id);
  expect(listed()).toEqual([]);
  await view.open(id, KEEP);
  await view.newTask(KEEP);
  expect(listed()).toEqual([]);
});

it("a stopped task is not listed, and its call is not carried out", async () => {
  agent = await start(turn("It writes", write("one.txt")));
  const { project } = agent;
  const id = await begin("It writes");
  await until("It writes: approval");
  await project.stop(id);
  expect(listed()).toEqual([]);
  expect(agent.files.has("/project/one.txt")).toBe(false);
  await agent.view.open(id, KEEP);
  expect(agent.view.active.chatView.status).toBe("idle");
  expect(agent.calls()).toMatchObject([{ subject: "one.txt", state: "not-run" }]);
});

/** A task that works in the background, with a message in its queue. */
async function workingWithQueue(): Promise<string> {
  agent = await start(turn("It works", { hold: "on" }, DONE));
  const { view } = agent;
  await view.send("It works");
  await agent.server.waitForHold("on");
  await view.send("and then");
  const id = view.active.id;
  await view.newTask(KEEP);
  return id;
}

it("messages that were queued outlive a Stop, and dismissing takes none while a view shows the task", async () => {
  const id = await workingWithQueue();
  const { project, view } = agent;
  const idle = agent.until(isIdle(id));
  await project.stop(id);
  await idle;
  expect(listed()).toEqual(["It works: interrupted"]);
  await view.open(id, KEEP);
  expect(view.active.queue.waiting).toMatchObject([{ text: "and then" }]);
  const other = project.newView();
  await other.open(id);
  await view.newTask(KEEP);
  expect(await project.dismiss(id)).toEqual([]);
  await other.dispose();
});

it("a dismissed task returns its queued messages, and is over", async () => {
  const id = await workingWithQueue();
  const { project, view } = agent;
  expect(await project.dismiss(id)).toEqual([]);
  expect(listed()).toEqual(["It works: working"]);
  await project.stop(id);
  expect(await project.dismiss(id)).toMatchObject([{ text: "and then" }]);
  expect(listed()).toEqual([]);
  expect(project.sessions.map((session) => session.id)).toEqual([view.active.id]);
});

it("a task that is deleted while it works is stopped and no longer listed", async () => {
  agent = await start(turn("It works", { hold: "on" }, DONE));
  const { project, view } = agent;
  const id = await begin("It works");
  await agent.server.waitForHold("on");
  expect(await project.deleteSession(id)).toBeGreaterThan(0);
  expect(listed()).toEqual([]);
  expect(project.sessions.map((session) => session.id)).toEqual([view.active.id]);
  expect((await project.history()).map((session) => session.id)).not.toContain(id);
});

it("a branch takes the place of the task that asked", async () => {
  agent = await start(turn("It asks", ASK), turn("instead", DONE));
  const { view } = agent;
  const id = await begin("It asks");
  await until("It asks: question");
  await view.open(id, KEEP);
  const message = rowsOf(view.active.chatView).find(({ kind }) => kind === "user");
  await view.editAndResend(message?.id ?? "", "instead");
  await view.active.idle;
  await view.newTask(KEEP);
  expect(listed()).toEqual([]);
});

it("a new title is the title in the overview", async () => {
  agent = await start(turn("It asks", ASK));
  const id = await begin("It asks");
  await until("It asks: question");
  await agent.project.rename(id, "Which color");
  expect(listed()).toEqual(["Which color: question"]);
});

it("a restart finds all tasks again: the one that was shown, what waits, and what nobody has seen", async () => {
  agent = await start(
    turn("It works", { text: "So far" }, { hold: "on" }, DONE),
    turn("It is done", DONE),
    turn("It asks", ASK),
    turn("It writes", write("one.txt"), DONE),
    turn("Shown", ASK),
  );
  await begin("It works");
  await begin("It is done");
  await begin("It asks");
  const writes = await begin("It writes");
  await agent.view.send("Shown");
  await agent.view.active.idle;
  const shown = agent.view.active.id;
  await agent.server.waitForHold("on");
  const others = ["It writes: approval", "It asks: question", "It is done: done"];
  const [approval = "", question = "", done = ""] = others;
  await until(approval, question, "Shown: question", done, "It works: working");
  for (const id of [shown, shown, ""]) {
    await agent.restart(id);
    expect(agent.view.active.chatView.session?.title).toBe(id === "" ? undefined : "Shown");
    const isListed = id === "" ? ["Shown: question"] : [];
    await until(approval, ...isListed, question, "It works: interrupted", done);
  }
  expect((await agent.project.history()).map(({ title }) => title).sort()).toEqual(
    ["It asks", "It is done", "It works", "It writes", "Shown"].sort(),
  );
  await agent.view.open(writes, KEEP);
  expect(agent.view.active.approve(await agent.asked())).toBe(true);
  await agent.view.active.idle;
  expect(agent.files.get("/project/one.txt")).toBe("of one.txt\n");
  expect(listed()).not.toContain(approval);
});

it("a task that was dismissed, or seen and left, is not found again", async () => {
  agent = await start(turn("It is done", DONE), turn("It asks", ASK));
  const done = await begin("It is done");
  const asks = await begin("It asks");
  await until("It asks: question", "It is done: done");
  await agent.project.dismiss(asks);
  await agent.view.open(done, KEEP);
  await agent.view.newTask(KEEP);
  await agent.restart("");
  const { project } = await agent.another();
  await project.restore("");
  await project.dispose();
  await agent.project.dispose();
  expect(listed()).toEqual([]);
});

it("a user who switches while tasks are found again gets each of them once", async () => {
  agent = await start(turn("It writes", write("one.txt")), turn("It asks", ASK));
  const writes = await begin("It writes");
  await begin("It asks");
  await until("It writes: approval", "It asks: question");
  await agent.restart("");
  await agent.view.open(writes, KEEP);
  await until("It writes: approval", "It asks: question");
  expect(agent.project.sessions.filter(({ id }) => id === writes)).toHaveLength(1);
});
