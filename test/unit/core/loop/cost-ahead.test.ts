/** Costs are foreseen: the forecast of a message, the question before an expensive one, the limit of a day, and waits. */
import { afterEach, describe, expect, it } from "vitest";
import { DailySpending } from "../../../../src/core/agent/daily-spending.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { MemoryStorage } from "../sessions/support.ts";

let agent: Agent;
const usage = (promptTokens: number, cachedTokens = 0) => ({
  promptTokens,
  cachedTokens,
  completionTokens: 10,
});
const PRICES = { "default/scripted": { inputPrice: 10, cachedPrice: 1, outputPrice: 30 } };

async function start(
  settings: Record<string, unknown> = {},
  options: Partial<AgentOptions> = {},
): Promise<void> {
  const script = {
    turns: [
      { match: { request: 1 }, answer: [{ text: "猫です。" }], usage: usage(8_000) },
      { times: true as const, answer: [{ text: "猫です。" }], usage: usage(8_200, 8_000) },
    ],
  };
  agent = await startAgent({
    script,
    protocol: "native",
    settings: { models: PRICES, ...settings },
    ...options,
  });
}

async function say(text: string): Promise<unknown> {
  await agent.view.send(text);
  return (await agent.view.active.idle)?.type;
}

const lastNotice = () => {
  const row = agent.rows().at(-1);
  return row?.kind === "notice" ? [row.code, row.values] : [];
};

describe("the forecast of a message", () => {
  afterEach(() => agent.close());

  it("has the tokens and the price, and the cached part once the endpoint reported one", async () => {
    await start();
    const before = agent.view.active.requests.forecast("猫は?");
    expect(before.tokens).toBeGreaterThan(3_000);
    expect(before.cost).toBeCloseTo((before.tokens * 10) / 1_000_000, 9);
    await say("first");
    expect(agent.view.active.requests.forecast("").cachedTokens).toBe(0);
    await say("second");
    const after = agent.view.active.requests.forecast("third");
    expect(after.cachedTokens).toBe(8_210);
    expect(after.tokens).toBeGreaterThan(8_210);
    expect(after.cost).toBeCloseTo((8_210 * 1 + (after.tokens - 8_210) * 10) / 1_000_000, 9);
    expect(agent.view.active.requests.forecast("word ".repeat(4_000)).tokens).toBeGreaterThan(
      after.tokens + 3_000,
    );
    agent.settings.provider.model = "other";
    expect(agent.view.active.requests.forecast("").cachedTokens).toBe(0);
    expect(agent.view.active.requests.forecast("").cost).toBeUndefined();
  });
});

describe("a message that costs more than the threshold", () => {
  afterEach(() => agent.close());

  it("is not sent before the user continues, and each message asks anew", async () => {
    await start({ approval: { askAboveCost: 0.02 } });
    expect(await say("hello")).toBe("limit");
    expect(agent.server.requests).toHaveLength(0);
    expect(lastNotice()[0]).toBe("cost-ahead");
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(agent.server.requests).toHaveLength(1);
    expect(await say("again")).toBe("limit");
    expect(await say("and again, without Continue")).toBe("limit");
    expect(agent.server.requests).toHaveLength(1);
  });

  it("below it is sent", async () => {
    await start({ approval: { askAboveCost: 5 } });
    expect(await say("hello")).toBe("replied");
  });
});

describe("the limit of a day", () => {
  afterEach(() => agent.close());

  it("counts all sessions of the machine, also after a restart, and asks", async () => {
    const storage = new MemoryStorage();
    const { host } = memoryHost();
    const spending = new DailySpending(storage, host.clock, host.log);
    await start({ approval: { maxCostPerDay: 0.15 } }, { spending });
    expect(await say("one")).toBe("replied");
    await spending.flush();
    const cost = agent.view.active.chatView.totals.cost ?? 0;
    expect(cost).toBeGreaterThan(0.08);
    expect(await new DailySpending(storage, host.clock, host.log).today()).toEqual({
      cost: expect.closeTo(cost, 9),
      requests: 1,
    });
    spending.add({ cost: 0.1, requests: 0 });
    expect(await say("two")).toBe("limit");
    expect(lastNotice()).toEqual(["day-cost-limit", ["0.18"]]);
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
  });

  it("counts requests too, whatever they cost, and those of earlier versions as none", async () => {
    const storage = new MemoryStorage();
    const { host } = memoryHost();
    const now = host.clock.now();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].join("-");
    await storage.replace("spending.json", new TextEncoder().encode(`{"version":1,"day":"${day}","cost":3}`));
    const spending = new DailySpending(storage, host.clock, host.log);
    await start({ approval: { maxRequestsPerDay: 2 } }, { spending });
    expect(await say("one")).toBe("replied");
    expect(await say("two")).toBe("replied");
    expect(await say("three")).toBe("limit");
    expect(lastNotice()).toEqual(["day-request-limit", ["2"]]);
    expect(agent.server.requests).toHaveLength(2);
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(await spending.today()).toMatchObject({ requests: 3 });
  });

  it("writes requests without a cost only where they are limited, and in the end", async () => {
    const storage = new MemoryStorage();
    const { host } = memoryHost();
    let isLimited = false;
    const spending = new DailySpending(storage, host.clock, host.log, () => isLimited);
    await start({}, { spending });
    spending.add({ cost: 0, requests: 1 });
    expect(await spending.today()).toEqual({ cost: 0, requests: 1 });
    expect(await storage.read("spending.json")).toBeUndefined();
    isLimited = true;
    spending.add({ cost: 0, requests: 1 });
    await spending.flush();
    expect(await new DailySpending(storage, host.clock, host.log).today()).toEqual({ cost: 0, requests: 2 });
  });

  it("ends with the day", async () => {
    const storage = new MemoryStorage();
    const { host } = memoryHost();
    let now = new Date("2026-01-01T12:00:00Z");
    const spending = new DailySpending(storage, { ...host.clock, now: () => now }, host.log);
    spending.add({ cost: 1, requests: 2 });
    await spending.flush();
    expect(await spending.today()).toEqual({ cost: 1, requests: 2 });
    now = new Date("2026-01-02T12:00:00Z");
    expect(await spending.today()).toEqual({ cost: 0, requests: 0 });
    await start();
  });

  it("a damaged file counts as nothing, and is logged", async () => {
    const storage = new MemoryStorage();
    await storage.replace("spending.json", new TextEncoder().encode('{"version":1,'));
    const { host } = memoryHost();
    const logged: string[] = [];
    const log = { ...host.log, error: (text: string) => void logged.push(text) };
    const spending = new DailySpending(storage, host.clock, log);
    expect(await spending.today()).toEqual({ cost: 0, requests: 0 });
    spending.add({ cost: 0.5, requests: 1 });
    await spending.flush();
    expect(await spending.today()).toEqual({ cost: 0.5, requests: 1 });
    expect(logged.length).toBeGreaterThan(0);
    await start();
  });
});

describe("the wait before a retry", () => {
  afterEach(() => agent.close());

  it("is ended by Retry now", async () => {
    const fault = { kind: "status" as const, status: 429, retryAfter: 600, times: 1 };
    agent = await startAgent({
      script: { turns: [{ fault, answer: [{ text: "猫です。" }] }] },
      protocol: "native",
    });
    const waits = agent.until((event) => event.type === "status" && event.status === "retrying");
    await agent.view.send("hello");
    await waits;
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(agent.server.requests).toHaveLength(2);
  });
});

describe("what the prompt cache saves", () => {
  afterEach(() => agent.close());

  it("is counted by the prices, and what a break of it costs is said", async () => {
    await start();
    await say("first");
    expect(agent.view.active.chatView.totals.saved).toBeUndefined();
    await say("second");
    expect(agent.view.active.chatView.totals.saved).toBeCloseTo((8_000 * 9) / 1_000_000, 9);
    agent.settings.preferredLanguage = "日本語";
    await say("third");
    const [broken] = agent.view.active.chatView.totals.prefixBreaks ?? [];
    expect(broken?.cost).toBeCloseTo(((broken?.tokens ?? 0) * 9) / 1_000_000, 9);
    const row = agent.rows().find((each) => each.kind === "notice" && each.code === "prefix-broken");
    expect(row?.kind === "notice" && Number(row.values?.[2])).toBeCloseTo(broken?.cost ?? 0, 4);
  });
});
