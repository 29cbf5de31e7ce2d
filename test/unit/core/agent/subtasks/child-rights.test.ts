/** A task that another task started: its questions are the other's, it is allowed no more than the other, and ends with it. */
import { afterEach, describe, expect, it } from "vitest";
import type { TaskEvent } from "../../../../../src/shared/event.ts";
import type { CallRow } from "../../../../../src/shared/view/reducer.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const explore = (description: string) => ({ tool: "start_task", params: { description, kind: "explore" } });
const read = (path: string) => ({ tool: "read_file", params: { path } });
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });
const NAMES = ["alpha", "beta"];
const files = Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `content of ${name}\n`]));
const turns = [
  {
    match: { firstUser: "look at all", request: 1 },
    answer: NAMES.map((name) => explore(`Look at ${name}`)),
  },
  { match: { firstUser: "look at all", request: 2 }, answer: [done("Both are known.")] },
  ...NAMES.flatMap((name) => [
    { match: { firstUser: `Look at ${name}`, request: 1 }, answer: [read(`${name}.txt`)] },
    { match: { firstUser: `Look at ${name}`, request: 2 }, answer: [done(`Report on ${name}.`)] },
  ]),
];

const start = async (options: Partial<AgentOptions> = {}) => {
  agent = await startAgent({ files, script: { turns }, ...options });
};
const started = (): CallRow[] => agent.calls().filter(({ tool }) => tool === "start_task");
/** By their tasks' titles: which of two tasks at once asks first depends on the machine. */
const waiting = (): CallRow[] =>
  agent
    .calls()
    .filter(({ state }) => state === "approval")
    .sort((one, other) => titleOf(one).localeCompare(titleOf(other)));
const titleOf = ({ approval }: CallRow): string => approval?.task?.title ?? "";
/** Resolves when so many calls wait in the session on screen. */
const untilWaiting = async (count: number) => {
  while (waiting().length < count) await agent.until(({ type }) => type === "approval" || type === "status");
};
const ASKS = { approval: { read: false } };

describe("what it asks", () => {
  it("is asked in the session that started it, with whose it is, and answered there", async () => {
    await start(ASKS);
    await agent.view.send("look at all");
    await untilWaiting(2);
    expect(agent.view.active.chatView.status).toBe("approval");
    expect(waiting().map(({ approval, subject }) => [approval?.task?.title, subject])).toEqual([
      ["Look at alpha", "alpha.txt"],
      ["Look at beta", "beta.txt"],
    ]);
    expect(started().map(({ task }) => task?.state)).toEqual(["approval", "approval"]);
    expect(agent.project.overview.all.map(({ title, state }) => [title, state])).toEqual([
      ["look at all", "approval"],
    ]);
    const [first, second] = waiting();
    // An answer to one is none to the other.
    expect(agent.view.active.reject(first?.id ?? "", "not that one")).toBe(true);
    expect(agent.view.active.approve(first?.id ?? "")).toBe(false);
    await untilWaiting(1);
    expect(waiting().map(({ id }) => id)).toContain(second?.id);
    expect(agent.view.active.approve(second?.id ?? "")).toBe(true);
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(waiting()).toEqual([]);
    expect(started().map(({ shown }) => shown?.task?.steps.map(({ state }) => state))).toEqual([
      ["rejected"],
      ["done"],
    ]);
    // The model that started it can neither see nor answer the question.
    const said = agent.server.requests.map(({ text }) => text);
    expect(said.some((text) => text.includes("not that one"))).toBe(true);
    expect(said.at(-1)).not.toContain("not that one");
  });

  it("is not asked any more once the user allowed it in the session that started it", async () => {
    await start({ ...ASKS, settings: { tasks: { maxRunning: 1 } } });
    await agent.view.send("look at all");
    await untilWaiting(1);
    await agent.view.active.changePermission({ classes: { read: true } });
    for (const { id } of waiting()) agent.view.active.approve(id);
    expect((await agent.view.active.idle)?.type).toBe("completed");
  });
});

it("an exception of the session that started it holds for it", async () => {
  await start({ approval: { read: true } });
  await agent.view.active.changePermission({ exceptions: { read_file: false } });
  await agent.view.send("look at all");
  await untilWaiting(2);
  expect(waiting()).toHaveLength(2);
  await agent.view.stop();
});

it("what the session that started it no longer allows asks from then on, whatever its own session allows", async () => {
  const held = turns.map((turn) =>
    turn.match.request === 1 && turn.match.firstUser !== "look at all"
      ? { ...turn, answer: [{ hold: "reading" }, ...turn.answer] }
      : turn,
  );
  await start({ script: { turns: held } });
  await agent.view.send("look at all");
  await agent.server.waitForHold("reading");
  const { id: sessionId } = agent.view.active;
  await agent.view.active.changePermission({ classes: { read: false } });
  const [first] = started();
  await agent.view.open(first?.task?.id ?? "", { keep: true });
  await agent.view.active.changePermission({ classes: { read: true } });
  await agent.view.open(sessionId, { keep: true });
  for (const _ of NAMES) agent.server.release("reading");
  await untilWaiting(2);
  expect(waiting()).toHaveLength(2);
  await agent.view.stop();
});

describe("Stop", () => {
  const held = turns.map((turn) =>
    turn.match.firstUser.startsWith("Look at") && turn.match.request === 2
      ? { ...turn, answer: [{ text: "So far" }, { hold: "reports" }, ...turn.answer] }
      : turn,
  );

  it("stops the family, and nothing is requested after", async () => {
    await start({ script: { turns: held } });
    await agent.view.send("look at all");
    await agent.server.waitForHold("reports");
    await agent.server.waitForRequest(5);
    await agent.view.stop();
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(agent.project.sessions).toHaveLength(1);
    expect(agent.server.requests).toHaveLength(5);
    expect(started().map(({ state, shown }) => [state, shown?.task?.state])).toEqual([
      ["interrupted", "interrupted"],
      ["interrupted", "interrupted"],
    ]);
    expect(agent.view.active.chatView.totals.requests).toBeGreaterThanOrEqual(3);
  });

  it("of one task lets the others work on, and its caller learns how far it came", async () => {
    await start({ script: { turns: held } });
    await agent.view.send("look at all");
    await agent.server.waitForRequest(5);
    const id = started()[0]?.task?.id ?? "";
    await agent.project.stop(id);
    // The server may not know yet that the first one is gone.
    for (const _ of NAMES) agent.server.release("reports");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(started().map(({ shown }) => shown?.task?.state)).toEqual(["stopped", "done"]);
    expect(agent.server.requests.at(-1)?.text).toContain("was stopped by the user before it was done");
    expect(agent.server.requests.at(-1)?.text).toContain("Report on beta.");
  });
});

it("the limits are those of the whole family", async () => {
  await start({ approval: { maxRequests: 4 } });
  await agent.view.send("look at all");
  expect((await agent.view.active.idle)?.type).toBe("limit");
  expect(agent.server.requests).toHaveLength(4);
  const states = started().map(({ shown }) => shown?.task?.state);
  expect(states.filter((state) => state === "limit")).toHaveLength(1);
  await agent.view.active.retry();
  expect((await agent.view.active.idle)?.type).toBe("completed");
});

it("what it costs is counted once, in its own session and in the one that started it", async () => {
  const priced = turns.map((turn) => ({ ...turn, usage: { cost: 0.01 } }));
  await start({ script: { turns: priced } });
  await agent.view.send("look at all");
  await agent.view.active.idle;
  expect(agent.view.active.chatView.totals.requests).toBe(6);
  expect(agent.view.active.chatView.totals.cost).toBeCloseTo(0.06);
  const stored = await agent.project.history();
  expect(stored.map(({ title, cost }) => [title, Math.round(cost * 100)]).sort()).toEqual([
    ["Look at alpha", 2],
    ["Look at beta", 2],
    ["look at all", 6],
  ]);
});

describe("a restart", () => {
  it("asks again what waited, and the task goes on where it was", async () => {
    await start(ASKS);
    await agent.view.send("look at all");
    await untilWaiting(2);
    const { id: sessionId } = agent.view.active;
    const sent = agent.server.requests.length;
    await agent.restart();
    expect(agent.view.active.id).toBe(sessionId);
    await untilWaiting(2);
    // Nothing runs by itself, and no task is shown as one of its own.
    expect(agent.server.requests).toHaveLength(sent);
    expect(agent.project.overview.all.map(({ id }) => id)).toEqual([sessionId]);
    for (const { id } of waiting()) agent.view.active.approve(id);
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(started().map(({ shown }) => shown?.task)).toMatchObject([
      { title: "Look at alpha", state: "done", requests: 2, steps: [{ state: "done" }] },
      { title: "Look at beta", state: "done", requests: 2, steps: [{ state: "done" }] },
    ]);
    expect(agent.server.requests).toHaveLength(6);
    expect(agent.view.active.chatView.totals.requests).toBe(6);
    expect(await agent.project.history()).toHaveLength(3);
  });

  it("holds those that worked until the user decides on one that asks", async () => {
    const held = turns.map((turn) =>
      turn.match.firstUser === "Look at beta" && turn.match.request === 1
        ? { ...turn, answer: [{ hold: "beta" }, ...turn.answer], times: 2 }
        : turn,
    );
    await start({ ...ASKS, script: { turns: held } });
    await agent.view.send("look at all");
    await untilWaiting(1);
    await agent.server.waitForHold("beta");
    await agent.restart();
    await untilWaiting(1);
    while (started()[1]?.task?.state !== "held") await agent.until(({ type }) => type === "child");
    expect(started()[0]?.task?.state).toBe("approval");
    expect(agent.server.requests).toHaveLength(3);
    agent.view.active.approve(waiting()[0]?.id ?? "");
    for (const _ of NAMES) agent.server.release("beta");
    await agent.until(({ type }) => type === "approval");
    agent.view.active.approve(waiting()[0]?.id ?? "");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(started().map(({ shown }) => shown?.task?.state)).toEqual(["done", "done"]);
  });

  it("in the middle of their requests continues them when the user does, and doubles nothing", async () => {
    const script = {
      turns: turns.map((turn) =>
        turn.match.firstUser.startsWith("Look at") && turn.match.request === 2
          ? { ...turn, answer: [{ hold: "reports" }, ...turn.answer], times: 2 }
          : turn,
      ),
    };
    await start({ script });
    await agent.view.send("look at all");
    await agent.server.waitForRequest(5);
    await agent.restart();
    const sent = agent.server.requests.length;
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(started().map(({ state, shown }) => [state, shown?.task?.title])).toEqual([
      ["interrupted", "Look at alpha"],
      ["interrupted", "Look at beta"],
    ]);
    expect(agent.server.requests).toHaveLength(sent);
    await agent.view.active.retry();
    for (const _ of [...NAMES, ...NAMES]) agent.server.release("reports");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(started().map(({ shown }) => shown?.task?.state)).toEqual(["done", "done"]);
    expect(await agent.project.history()).toHaveLength(3);
  });

  it("and a message instead ends them, with what they are called", async () => {
    const script = {
      turns: [
        ...turns.slice(0, 1),
        { match: { firstUser: "look at all" }, answer: [done("Never mind.")] },
        { answer: [{ hold: "for ever" }, done("never")] },
      ],
    };
    await start({ script });
    await agent.view.send("look at all");
    await agent.server.waitForRequest(3);
    await agent.restart();
    const ids = started().map(({ shown }) => shown?.task?.id);
    await agent.view.send("leave it");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    for (const id of ids) expect(agent.server.requests.at(-1)?.text).toContain(`(session ${id})`);
    expect(agent.server.requests.at(-1)?.text).toContain("was interrupted and did not end");
  });
});

it("every event names the session that it is of, and the view is made of them", async () => {
  await start(ASKS);
  const events: TaskEvent[] = [];
  agent.project.onEvent((event) => events.push(event));
  await agent.view.send("look at all");
  await untilWaiting(2);
  for (const { id } of waiting()) agent.view.active.approve(id);
  await agent.view.active.idle;
  expect(new Set(events.map(({ session }) => session))).toEqual(new Set([agent.view.active.id]));
});
