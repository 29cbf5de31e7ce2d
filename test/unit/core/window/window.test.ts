/** The window: long tasks stay below it, pairs stay whole, prefixes stay the same, and what does not fit is said. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ProviderError } from "../../../../src/core/errors.ts";
import type { Summarize } from "../../../../src/core/window/fit.ts";
import { rounds } from "../../../support/random.ts";
import { type DriverOptions, type Turn, WindowDriver } from "./window-driver.ts";

/** The same at every run; the seed is part of a failure's message. */
/** Not `generator`: what the tests expect was counted with these numbers. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const words =
  "file reads value returns 関数 読み込み const await 設定 error window その結果 {} => 42 path/to".split(" ");

function prose(next: () => number, length: number): string {
  let text = "";
  while (text.length < length) text += `${words[Math.floor(next() * words.length)]} `;
  return text;
}

function turnOf(next: () => number, n: number): Turn {
  const kind = next();
  const size = Math.floor(next() ** 5 * 40_000) + 50;
  if (kind < 0.5) {
    const path = `src/file${Math.floor(next() * 20)}.ts`;
    return { tool: "read_file", params: { path }, result: prose(next, size), text: `Step ${n}.` };
  }
  if (kind < 0.8) {
    const command = `npm test -- ${n}`;
    return { tool: "execute_command", params: { command }, result: `Exit code 0.\n${prose(next, size)}` };
  }
  const params = { path: `src/new${n}.ts`, content: prose(next, size) };
  return { tool: "write_to_file", params, result: "The content was saved." };
}

/** Each message of the last request, short enough to be shown when two differ. */
const digests = (driver: WindowDriver) =>
  driver.wire.map((message) => {
    const text = JSON.stringify(message);
    return `${message.role} ${text.length} ${createHash("sha1").update(text).digest("hex").slice(0, 8)}`;
  });

const details = (n: number) =>
  `<environment_details>\n# Current Time\n2026/1/1 ${n}\n\n# Current Mode\nACT MODE\n</environment_details>`;

function start(options: DriverOptions): WindowDriver {
  const driver = new WindowDriver(options);
  driver.user("<task>\n設定画面を直して、テストを通してください。\n</task>", details(0));
  return driver;
}

const SUMMARY = "## Task\n設定画面を直す。\n\n## Pending\n- テストを通す。\n";

const condensing: Summarize = async () => SUMMARY;
const refusing: Summarize = async () => Promise.reject(new ProviderError({ code: "server-error" }));

describe.each(["native", "xml"] as const)("a task of many turns under %s", (protocol) => {
  it.each([
    ["condensing by the model", { summarize: condensing }, rounds(60, protocol === "native" ? 1_000 : 60)],
    ["without any summary", {}, rounds(40, 200)],
    ["without usage", { factor: 0, summarize: condensing }, rounds(40, 100)],
    ["an endpoint that counts half as much again", { factor: 1.5 }, rounds(40, 100)],
  ] as const)(
    "%s: each request is below 32,000 tokens and none is refused",
    async (_name, options, turns) => {
      const seed = 7;
      const next = random(seed);
      const driver = start({ window: 32_000, protocol, ...options });
      const factor = "factor" in options && options.factor > 0 ? options.factor : 1;
      let largest = 0;
      for (let n = 1; n <= turns; n++) {
        await driver.turn(turnOf(next, n), details(n));
        largest = Math.max(largest, driver.tokens);
        expect(JSON.stringify(driver.wire[1]), `seed ${seed}, turn ${n}`).toContain("設定画面を直して");
      }
      expect(largest * factor).toBeLessThanOrEqual(32_000);
      expect(largest * factor).toBeGreaterThan(15_000);
    },
  );
});

describe("an answer stays with its question", () => {
  /** What the user asked, by the number in it, and which answers are there. */
  const numbers = (driver: WindowDriver, what: string) => {
    const text = JSON.stringify(driver.wire.slice(1));
    return new Set([...text.matchAll(new RegExp(`${what} number (\\d+)`, "g"))].map(([, n]) => Number(n)));
  };

  it.each([
    ["pruned", {}],
    ["condensed", { summarize: condensing }],
  ] as const)("in a conversation of questions that is %s", async (_, options) => {
    const seed = 11;
    const next = random(seed);
    const driver = start({ window: 16_000, ...options });
    await driver.reply("Which settings?");
    let left = 0;
    for (let n = 1; n <= 60; n++) {
      driver.user(`Question number ${n}? ${prose(next, 200 + next() * 2_000)}`, details(n));
      await driver.reply(`Answer number ${n}. ${prose(next, 200 + next() * 6_000)}`);
      const [questions, answers] = [numbers(driver, "Question"), numbers(driver, "Answer")];
      left = Math.max(left, n - questions.size);
      for (const answer of answers) expect(questions, `seed ${seed}, after ${n}`).toContain(answer);
    }
    expect(left).toBeGreaterThan(20);
  });

  it.each([
    ["pruned", {}],
    ["condensed", { summarize: condensing }],
  ] as const)("in one long turn that is %s: what was asked is repeated", async (_, options) => {
    const next = random(12);
    const driver = start({ window: 32_000, ...options });
    await driver.reply("Which settings?");
    driver.user("Question number 1? 全部です。", details(0));
    for (let n = 1; n <= rounds(60, 120); n++) {
      await driver.turn(turnOf(next, n), details(n));
      expect(numbers(driver, "Question"), `turn ${n}`).toContain(1);
    }
    const text = JSON.stringify(driver.wire);
    expect(text).toContain("The following answers this user message");
    // It is repeated once, and no longer when the user has said something else.
    expect(text.match(/Question number 1/g)).toHaveLength(1);
  });
});

describe("environment details come only when something is new", () => {
  it.each([
    ["pruned", "native", {}],
    ["condensed", "xml", { summarize: condensing }],
  ] as const)("in a task that is %s, the newest ones stay (%s)", async (_, protocol, options) => {
    const next = random(13);
    const driver = start({ window: 32_000, protocol, ...options });
    let newest = 0;
    for (let n = 1; n <= rounds(60, 120); n++) {
      if (n % 40 === 1) newest = n;
      await driver.turn(turnOf(next, n), n === newest ? details(n) : "");
      await driver.request();
      expect(JSON.stringify(driver.wire), `turn ${n}`).toContain(`2026/1/1 ${newest}\\n`);
    }
  });
});

describe("the prefix", () => {
  it("of each request equals the one before, byte for byte, over 50 turns", async () => {
    const next = random(3);
    const driver = start({ window: 400_000 });
    let before: string[] = [];
    for (let n = 1; n <= 50; n++) {
      await driver.turn(turnOf(next, n), details(n));
      const pieces = digests(driver);
      expect(pieces.slice(0, before.length)).toEqual(before);
      before = pieces;
    }
  });

  it("changes only at steps that made much room, and those are few", async () => {
    const next = random(4);
    const driver = start({ window: 32_000, summarize: condensing });
    let before: string[] = [];
    let breaks = 0;
    for (let n = 1; n <= rounds(80, 200); n++) {
      await driver.turn(turnOf(next, n), details(n));
      const pieces = digests(driver);
      if (pieces.slice(0, before.length).join() !== before.join()) breaks++;
      before = pieces;
    }
    const steps = driver.messages.filter((message) =>
      message.blocks.some((block) => block.type === "window"),
    );
    expect(breaks).toBeLessThanOrEqual(steps.length);
    expect(breaks).toBeLessThan(40);
  });

  it("is the same after a restart", async () => {
    const next = random(5);
    const driver = start({ window: 32_000, summarize: condensing });
    for (let n = 1; n <= 60; n++) await driver.turn(turnOf(next, n), details(n));
    const before = digests(driver);
    driver.restarted();
    await driver.turn(turnOf(next, 61), details(61));
    const after = digests(driver);
    expect(after.slice(0, before.length)).toEqual(before);
  });
});

describe("making room", () => {
  const big = (mark: string) => `${mark}\n${"A line of text that says something. ".repeat(300)}`;
  const sent = (driver: WindowDriver) => JSON.stringify(driver.wire);

  it("begins with earlier reads of a file that was read again", async () => {
    const driver = start({ window: 21_500 });
    await driver.turn({ tool: "read_file", params: { path: "a.ts" }, result: big("first read of a") });
    await driver.turn({ tool: "read_file", params: { path: "b.ts" }, result: big("only read of b") });
    for (let n = 0; n < 3; n++) {
      await driver.turn({
        tool: "read_file",
        params: { path: "./a.ts" },
        result: big(`later read ${n} of a`),
      });
    }
    await driver.request();
    expect(sent(driver)).not.toContain("first read of a");
    expect(sent(driver)).toContain("only read of b");
    expect(sent(driver)).toContain("later read 2 of a");
    const kept = JSON.stringify(driver.messages);
    expect(kept).toContain("first read of a");
  });

  it("a saved edit counts as a later read", async () => {
    const driver = start({ window: 20_000 });
    await driver.turn({ tool: "read_file", params: { path: "a.ts" }, result: big("before the edit") });
    for (let n = 0; n < 4; n++) {
      const result = `Saved.\n<final_file_content path="a.ts">\n${big(`state ${n}`)}\n</final_file_content>`;
      await driver.turn({ tool: "replace_in_file", params: { path: "a.ts", diff: "x" }, result });
    }
    await driver.request();
    expect(sent(driver)).not.toContain("before the edit");
    expect(sent(driver)).toContain("state 3");
    expect(sent(driver)).toContain("Saved.");
  });

  it("one result of a single 5 MB line is cut for the request, and the task lives", async () => {
    const driver = start({ window: 32_000 });
    const params = { command: "cat bundle.js" };
    await driver.turn({ tool: "execute_command", params, result: "x1Y2".repeat(1_250_000) });
    await driver.request();
    expect(driver.tokens).toBeLessThan(32_000);
    expect(sent(driver)).toContain("characters left out");
  });

  it("several large results of the newest turn are made to fit", async () => {
    const driver = start({ window: 16_000 });
    for (let n = 0; n < 6; n++) {
      await driver.turn({ tool: "read_file", params: { path: `${n}.ts` }, result: prose(random(n), 40_000) });
    }
    await driver.request();
    expect(driver.tokens).toBeLessThan(16_000);
  });

  it("a summary that is not smaller keeps everything, and is not asked for at every request", async () => {
    const driver = start({ window: 32_000, summarize: async () => prose(random(1), 400_000) });
    let n = 0;
    while (driver.summaries === 0) {
      await driver.turn({
        tool: "list_files",
        params: { path: `${n++}` },
        result: "short",
        text: prose(random(n), 1_500),
      });
    }
    expect(driver.messages.some((message) => message.blocks.some((block) => block.type === "window"))).toBe(
      false,
    );
    await driver.turn({ tool: "list_files", params: { path: "again" }, result: "short" });
    await driver.turn({ tool: "list_files", params: { path: "again" }, result: "short" });
    expect(driver.summaries).toBe(1);
    expect(driver.events).toContainEqual(
      expect.objectContaining({ type: "notice", code: "condense-failed" }),
    );
    expect(sent(driver)).not.toMatch(/omitted (?:here|to save context)/);
  });

  it.each([
    ["that is far too long", async () => prose(random(1), 26_000), 32_000, 2_500, 3],
    ["that never comes", async () => "", 32_000, 2_500, 3],
    ["that the endpoint refuses", refusing, 32_000, 2_500, 3],
    // The tools alone fill two thirds of it, so each step of the work brings it to the brim.
    ["in a window that hardly holds the tools", condensing, 6_600, 600, 30],
  ] as const)(
    "a summary %s is not asked for again and again",
    async (_name, summarize, window, size, most) => {
      const driver = start({ window, summarize });
      const next = random(11);
      for (let n = 1; n <= rounds(80, 200); n++) {
        const text = `words of step ${n}: ${prose(next, size)}`;
        await driver.turn({ tool: "list_files", params: { path: `${n}` }, result: "short", text });
        expect(driver.tokens).toBeLessThanOrEqual(window);
      }
      expect(driver.summaries).toBeGreaterThan(0);
      expect(driver.summaries).toBeLessThanOrEqual(most);
    },
  );

  it("a summary is not asked for where it could stand for nothing", async () => {
    const driver = start({ window: 16_000, summarize: condensing });
    await driver.turn({ tool: "list_files", params: { path: "." }, result: "short" });
    driver.user(prose(random(1), 27_500));
    await driver.request();
    expect(driver.tokens).toBeGreaterThan(10_300);
    expect(driver.summaries).toBe(0);
  });

  it("a summary stands for the middle: the task and the last steps stay", async () => {
    const driver = start({ window: 32_000, summarize: condensing });
    let n = 0;
    const wordy = () => ({
      tool: "list_files",
      params: { path: `step-${n}` },
      result: "short",
      text: `words of step ${n++}: ${prose(random(n), 1_500)}`,
    });
    while (!sent(driver).includes("## Pending")) await driver.turn(wordy());
    expect(JSON.stringify(driver.wire[1])).toMatch(/設定画面を直して.*condensed.*## Pending/s);
    expect(sent(driver)).not.toContain("words of step 0");
    expect(sent(driver)).toContain(`words of step ${n - 2}`);
  });
});

describe("what cannot fit is said", () => {
  async function refusal(driver: WindowDriver): Promise<ProviderError> {
    const error = await driver.request().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ProviderError);
    return error as ProviderError;
  }

  it("the instructions alone", async () => {
    const driver = start({ window: 8_000, system: prose(random(1), 60_000) });
    expect((await refusal(driver)).view).toMatchObject({ code: "context-length", subject: "instructions" });
  });

  it("the newest message", async () => {
    const driver = new WindowDriver({ window: 8_000, protocol: "xml" });
    driver.user(prose(random(2), 80_000));
    expect((await refusal(driver)).view).toMatchObject({ code: "context-length", subject: "message" });
  });
});
