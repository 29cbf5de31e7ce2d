/** How many tasks work at once. */
import { afterEach, describe, expect, it } from "vitest";
import { TurnSlots } from "../../../../src/core/agent/project/turn-slots.ts";
import { Interrupt } from "../../../../src/core/errors.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { ofSession } from "../../../support/events.ts";
import { untilListed } from "../../../support/listed.ts";

const never = new AbortController().signal;

describe("slots", () => {
  const waited: string[] = [];
  const take = (slots: TurnSlots, id: string, signal = never) =>
    slots.take(id, signal, () => waited.push(id));
  const idle = (slots: TurnSlots, id: string) =>
    slots.fold({ ...ofSession({ type: "status", status: "idle" }), session: id });
  afterEach(() => waited.splice(0));

  it("are given in order, and each is given once", async () => {
    const slots = new TurnSlots(() => 2);
    await take(slots, "a");
    await take(slots, "b");
    // It has one already.
    await take(slots, "a");
    const got: string[] = [];
    const later = ["c", "d"].map((id) => take(slots, id).then(() => got.push(id)));
    idle(slots, "x");
    expect(waited).toEqual(["c", "d"]);
    idle(slots, "a");
    await later[0];
    expect(got).toEqual(["c"]);
    slots.fold({ ...ofSession({ type: "status", status: "approval" }), session: "c" });
    await later[1];
    expect(got).toEqual(["c", "d"]);
  });

  it("that nobody waits for any more go to the next", async () => {
    const slots = new TurnSlots(() => 1);
    await take(slots, "a");
    const stop = new AbortController();
    const stopped = take(slots, "b", stop.signal);
    const next = take(slots, "c");
    stop.abort();
    await expect(stopped).rejects.toThrow(Interrupt);
    idle(slots, "a");
    await next;
    await expect(take(slots, "d", AbortSignal.abort())).rejects.toThrow(Interrupt);
  });

  it("are unlimited with 0, and more when the limit is raised", async () => {
    let limit = 1;
    const slots = new TurnSlots(() => limit);
    await take(slots, "a");
    const second = take(slots, "b");
    limit = 0;
    await take(slots, "c");
    await second;
    expect(waited).toEqual(["b"]);
  });
});

describe("tasks beyond the limit", () => {
  let agent: Agent;
  afterEach(async () => {
    expect(agent.server.refusals).toEqual([]);
    await agent.close();
  });
  const DONE = { tool: "attempt_completion", params: { result: "Done." } };
  const KEEP = { keep: true };
  const until = (expected: string[]) => untilListed(agent.project, ...expected);
  const turn = (text: string, ...answer: object[]) => ({ match: { firstUser: text }, answer }) as never;
  const begin = async (text: string) => {
    await agent.view.newTask(KEEP);
    await agent.view.send(text);
  };

  it("wait, send nothing, and go on when another one is done or waits for the user", async () => {
    const write = { tool: "write_to_file", params: { path: "a.txt", content: "a\n" } };
    agent = await startAgent({
      settings: { tasks: { maxRunning: 1 } },
      script: {
        turns: [
          turn("Task one", { hold: "one" }, DONE),
          { match: { firstUser: "Task two", request: 1 }, answer: [write] },
          turn("Task three", { hold: "three" }, DONE),
          turn("Task two", DONE),
        ],
      },
    });
    for (const text of ["Task one", "Task two", "Task three"]) await begin(text);
    await agent.server.waitForHold("one");
    await until(["Task one: working", "Task two: queued", "Task three: queued"]);
    expect(agent.view.active.chatView.status).toBe("queued");
    expect(agent.server.requests).toHaveLength(1);
    agent.server.release("one");
    await agent.server.waitForHold("three");
    await until(["Task two: approval", "Task one: done", "Task three: working"]);
    // Approved, it has to wait for its next request.
    const two = agent.project.sessions.find(({ chatView }) => chatView.session?.title === "Task two");
    const call = two?.approvals.first ?? "";
    expect(agent.project.decide(two?.id ?? "", call, true)).toBe(true);
    await until(["Task one: done", "Task three: working", "Task two: queued"]);
    agent.server.release("three");
    await until(["Task one: done", "Task two: done"]);
  });

  it("are stopped while they wait, without a request", async () => {
    agent = await startAgent({
      settings: { tasks: { maxRunning: 1 } },
      script: { turns: [turn("Task one", { hold: "one" }, DONE)] },
    });
    await begin("Task one");
    await agent.server.waitForHold("one");
    await begin("Task two");
    await until(["Task one: working", "Task two: queued"]);
    await agent.view.stop();
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(agent.server.requests).toHaveLength(1);
  });

  it.each([
    ["a wish to condense", "/compact"],
    ["a question to several models", "@default/scripted @default/other Which one?"],
  ])("wait with %s too, and send nothing if they are stopped meanwhile", async (_, text) => {
    agent = await startAgent({
      settings: { tasks: { maxRunning: 1 } },
      script: { turns: [turn("Task one", { hold: "one" }, DONE), turn("Task two", { text: "Two." })] },
    });
    await begin("Task two");
    await agent.view.active.idle;
    const two = agent.view.active.id;
    await begin("Task one");
    await agent.server.waitForHold("one");
    await agent.view.open(two, KEEP);
    const before = agent.server.requests.length;
    await agent.view.send(text);
    await expect.poll(() => agent.view.active.chatView.status).toBe("queued");
    await agent.view.stop();
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(agent.view.active.chatView.settled.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(agent.server.requests).toHaveLength(before);
  });

  it("do not wait for the title of another one, which does not wait for them", async () => {
    agent = await startAgent({
      settings: { tasks: { maxRunning: 1 }, titles: { fromModel: true } },
      protocol: "native",
      script: {
        turns: [
          { match: { system: "Write a title" }, answer: [{ hold: "title" }, { text: "A title" }] },
          { match: { system: "Write a title" }, times: true, answer: [{ text: "Another" }] },
          turn("Task one", { text: "One." }),
          turn("Task two", { hold: "two" }, { text: "Two." }),
        ],
      },
    });
    // A view keeps the task open that is to be named.
    const other = agent.project.newView();
    await other.send("Task one");
    await agent.server.waitForHold("title");
    await begin("Task two");
    await agent.server.waitForHold("two");
    const titled = agent.until(({ type, session }) => type === "title" && session === other.active.id);
    agent.server.release("title");
    expect(await titled).toMatchObject({ title: "A title" });
    agent.server.release("two");
  });
});
