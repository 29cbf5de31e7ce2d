/** The model names a task after its first turn, if the user allows the extra request. */
import { afterEach, describe, expect, it } from "vitest";
import { DailySpending } from "../../../../src/core/agent/daily-spending.ts";
import { titleFrom } from "../../../../src/core/agent/extras/session-title.ts";
import type { ScriptTurn } from "../../../model-server/script.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { MemoryStorage } from "../sessions/support.ts";

let agent: Agent;

const usage = { promptTokens: 100, completionTokens: 10, cost: 0.25 };
const asksForTitle = { system: "Write a title" };
const named = (answer: ScriptTurn["answer"]): ScriptTurn => ({
  match: asksForTitle,
  times: true,
  answer,
  usage,
});
const TITLE = named([{ text: '"**猫の一覧を直す**"\n' }]);

async function start(title: ScriptTurn, on = true): Promise<DailySpending> {
  const { host } = memoryHost();
  const spending = new DailySpending(new MemoryStorage(), host.clock, host.log);
  const turns: ScriptTurn[] = [title, { times: true, answer: [{ text: "直しました。" }], usage }];
  const settings = on ? { titles: { fromModel: true } } : {};
  agent = await startAgent({ script: { turns }, protocol: "native", settings, spending });
  return spending;
}

async function say(text: string): Promise<void> {
  await agent.view.send(text);
  expect((await agent.view.active.idle)?.type).toBe("replied");
}

const storedTitle = async () => (await agent.project.history())[0]?.title;
const titled = () => agent.until(({ type }) => type === "title");
const counted = (requests: number) =>
  agent.until((event) => event.type === "totals" && event.totals.requests === requests);

describe("the title of a task", () => {
  afterEach(async () => {
    expect(agent.server.refusals).toEqual([]);
    await agent.close();
  });

  it("is the first line of the message and causes no request, unless the user allows it", async () => {
    await start(TITLE, false);
    await say("猫の一覧が出ません\nsecond line");
    await agent.view.newTask();
    expect(agent.server.requests).toHaveLength(1);
    expect(await storedTitle()).toBe("猫の一覧が出ません");
  });

  it("is the model's after the first turn only, and its cost counts in the task and the day", async () => {
    const spending = await start(TITLE);
    const [event, count] = [titled(), counted(2)];
    await say(`cats ${"x".repeat(5_000)}`);
    expect(await event).toMatchObject({ title: "猫の一覧を直す" });
    await count;
    expect(await storedTitle()).toBe("猫の一覧を直す");
    expect(agent.view.active.chatView.totals).toMatchObject({ requests: 2, cost: 0.5, contextTokens: 110 });
    expect((await spending.today()).cost).toBeCloseTo(0.5);
    expect(agent.server.chat(2).tools ?? []).toEqual([]);
    expect(agent.server.requests[1]?.text.length).toBeLessThan(3_500);
    await say("and more");
    await agent.view.newTask();
    expect(agent.server.requests).toHaveLength(3);
    expect(agent.view.active.requests.sentPerTurn).toBeUndefined();
  });

  it("that the user writes meanwhile stays", async () => {
    await start(named([{ hold: "title" }, { text: "The model's" }]));
    const held = agent.server.waitForHold("title");
    const count = counted(2);
    await say("cats");
    await held;
    await agent.project.rename(agent.view.active.id, "Mine");
    agent.server.release("title");
    await count;
    expect(await storedTitle()).toBe("Mine");
  });

  it("stays if the request fails, which is logged", async () => {
    await start({ match: asksForTitle, times: true, fault: { kind: "status", status: 401 } });
    const logged = new Promise<string>((resolve) => {
      agent.host.log.error = (text) => resolve(text);
    });
    await say("cats");
    expect(agent.view.active.requests.sentPerTurn).toBe(
      Buffer.byteLength(agent.server.requests[0]?.text ?? ""),
    );
    expect(await logged).toBe("the model gave the task no title");
    expect(await storedTitle()).toBe("cats");
    expect(agent.view.active.chatView.totals.requests).toBe(1);
  });
});

it.each([
  ["<think>hm</think>\n# Fix the list\nmore", "Fix the list"],
  ["「猫」", "猫"],
  ["---", ""],
  ["x".repeat(70), `${"x".repeat(59)}…`],
])("reads %j", (answer, title) => {
  expect(titleFrom(answer)).toBe(title);
});
