/**
 * A session of thousands of messages in the panel: quick to open, all of it within reach, on the product's own host.
 * test/browser/transcript and test/unit/core/agent/earlier prove for `npm test` how earlier messages come.
 */

import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../src/shared/message.ts";
import { clickOn } from "../support/pointer.ts";
import { rounds } from "../support/random.ts";
import type { Panel } from "./support/panel-page.ts";
import { RealHost } from "./support/real-host.ts";
import { wheelUp } from "./support/scroll.ts";
import { panelServer } from "./support/suite.ts";

const CREATED_AT = "2025-01-01T00:00:00.000Z";
const WORDS = "Some words that fill a line or two in a narrow panel, and then some more of them. ";

/** A question, an answer with a call, and its result, over and over; `resultSize` characters of each result. */
function conversation(count: number, resultSize: number): Message[] {
  const result = "r".repeat(resultSize);
  return Array.from({ length: count }, (_, index): Message => {
    const turn = Math.floor(index / 3);
    const common = { id: `m${index}`, createdAt: CREATED_AT };
    if (index % 3 === 0) {
      const display = `Question ${turn}`;
      return { ...common, role: "user", display, blocks: [{ type: "text", text: display }] };
    }
    if (index % 3 === 1) {
      const call = { id: `call-${turn}`, name: "read_file", params: { path: `src/file-${turn}.ts` } };
      return {
        ...common,
        role: "assistant",
        blocks: [
          { type: "text", text: `Answer ${turn}. ${WORDS.repeat(1 + (turn % 5))}` },
          { type: "tool-call", ...call },
        ],
      };
    }
    return {
      ...common,
      role: "tool",
      blocks: [
        {
          ...{ type: "tool-result", callId: `call-${turn}`, name: "read_file", label: "read_file" },
          ...{ outcome: "done", parts: [{ type: "text", text: `${turn} ${result}` }] },
        },
      ],
    };
  });
}

let host: RealHost;
let panel: Panel;
let page: Page;
beforeAll(async () => {
  await panelServer();
});
afterEach(async () => {
  expect(panel.complaints).toEqual([]);
  await panel.close();
  await host.close();
});

/** The history of a project with that session, in the panel. */
async function openHistory(messages: readonly Message[]): Promise<string> {
  host = await RealHost.start({ turns: [{ answer: [{ text: "Said anew." }] }] });
  const id = await host.store("The long one", messages);
  panel = await (await panelServer()).open({ host });
  page = panel.page;
  host.notify("history/show", {});
  await page.getByTestId("history-item").waitFor();
  return id;
}

async function openLong(count: number): Promise<void> {
  await openHistory(conversation(count, 300));
  await page.getByTestId("history-item").click();
  await page.getByText(`Answer ${Math.floor((count - 1) / 3)}.`).waitFor();
}

const box = () => page.getByTestId("transcript");
const settledTop = () => box().evaluate((el) => Math.round(el.scrollTop));
/** Pixels from the upper edge to the row; undefined: it is not in sight. */
const inSight = (row: string) =>
  box().evaluate((el, id) => {
    const found = el.querySelector(`[data-row="${id}"]`)?.getBoundingClientRect();
    const edge = el.getBoundingClientRect();
    const isSeen = found && found.bottom > edge.top && found.top < edge.bottom;
    return isSeen ? Math.round(found.top - edge.top) : undefined;
  }, row);
const left = () => host.agent.view.active.chatView.earlier;

/** Milliseconds from a click on the session until its last row was drawn, measured in the page. */
async function timeOpening(last: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const item = document.querySelector<HTMLElement>("[data-testid=history-item]");
    const begin = performance.now();
    const shown = new Promise<void>((resolve) => {
      const look = () => {
        const rows = [...document.querySelectorAll("[data-testid=row]")];
        if (!document.querySelector(".history") && rows.some((row) => row.textContent?.includes(wanted)))
          resolve();
        else requestAnimationFrame(look);
      };
      look();
    });
    item?.click();
    await shown;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begin;
  }, last);
}

describe("a session of thousands of messages", () => {
  it("opens with its newest part, of which little goes to the panel", async () => {
    const count = rounds(1500, 5000);
    await openHistory(conversation(count, 1000));
    const before = host.sent;
    const took = await timeOpening(`Answer ${Math.floor((count - 1) / 3)}.`);
    console.log(
      `${count} messages: ${took.toFixed(0)} ms from the click to the rows, ${host.sent - before} characters`,
    );
    expect(host.sent - before).toBeLessThan(200_000);
    expect(left()).toBeGreaterThan(count - 500);
    // At the end, as every conversation.
    const fromEnd = () => box().evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight);
    await expect.poll(fromEnd).toBeLessThan(3);
  });

  it("opens as quickly where its results are long", async () => {
    const count = rounds(302, 1001);
    await openHistory(conversation(count, 60_000));
    const before = host.sent;
    const took = await timeOpening(`Answer ${Math.floor((count - 1) / 3)}.`);
    console.log(
      `Results of ${count * 20} KB: ${took.toFixed(0)} ms from the click to the rows, ${host.sent - before} characters`,
    );
    expect(host.sent - before).toBeLessThan(200_000);
  });
});

describe("scrolling up in a long session", () => {
  it("reaches the first message, through all that is between", { timeout: 60_000 }, async () => {
    await openLong(rounds(600, 900));
    await box().hover();
    for (let turn = 0; turn < 400 && (await inSight("m0")) === undefined; turn++) {
      await page.mouse.wheel(0, -1200);
      await box().evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    expect(await inSight("m0")).toBeDefined();
    expect(left()).toBe(0);
    await expect.poll(() => page.getByTestId("earlier").count()).toBe(0);
  });

  it("keeps what is read in place while more comes above it", async () => {
    await openLong(900);
    await wheelUp(box(), 700);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const line = await box().evaluateHandle((el) => {
      const { left, top, width, height } = el.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2);
    });
    const at = () =>
      line.evaluate((el) => (el?.isConnected ? Math.round(el.getBoundingClientRect().top) : -1));
    const before = await at();
    const hidden = left();
    await host.agent.view.active.showEarlier({ all: true });
    expect(hidden).toBeGreaterThan(0);
    await page.getByTestId("earlier").waitFor({ state: "detached" });
    // Rows begin between pixels.
    await expect.poll(async () => Math.abs((await at()) - before)).toBeLessThanOrEqual(1);
  });

  it("goes to the very first message on Home, and back on End", async () => {
    await openLong(900);
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(left).toBe(0);
    await expect.poll(() => inSight("m0")).toBeDefined();
    await expect.poll(settledTop).toBe(0);
    await page.keyboard.press("End");
    await expect.poll(() => inSight("call-299")).toBeDefined();
  });

  it("has a button for it, for whoever does not scroll", async () => {
    await openLong(900);
    const hidden = left();
    expect(hidden).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Show earlier messages" }).press("Enter");
    await expect.poll(left).toBeLessThan(hidden);
  });
});

describe("an old message of a long session", () => {
  const rememberedRow = async () =>
    JSON.parse(await page.evaluate(() => sessionStorage.getItem("state") ?? "{}")).reading?.row;

  it("that a search found is what is shown", async () => {
    const messages = conversation(1500, 100);
    const call = messages[301]?.blocks[1];
    if (call?.type === "tool-call") call.params.path = "src/そこにある猫.ts";
    await openHistory(messages);
    await page.getByTestId("history-search").fill("ある猫");
    await page.locator("mark").first().waitFor();
    await page.getByTestId("history-item").click();
    await expect.poll(() => inSight("call-100")).toBeLessThan(5);
    // In the session on show, too.
    await page.getByRole("button", { name: "Jump to latest" }).click();
    host.notify("history/show", {});
    await page.getByTestId("history-search").fill("ある猫");
    await page.locator("mark").first().waitFor();
    await page.getByTestId("history-item").click();
    await expect.poll(() => inSight("call-100")).toBeLessThan(5);
  });

  it("is there again after a reload of the editor, where it was read", async () => {
    await openLong(900);
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(left).toBe(0);
    await expect.poll(rememberedRow).toBe("m0");
    await host.agent.restart();
    expect(left()).toBeGreaterThan(500);
    await page.reload();
    await expect.poll(() => inSight("m0")).toBeDefined();
  });

  it("is remembered where rows have just the height that was kept free for them", async () => {
    await openLong(900);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("[data-row] { height: 60px !important; margin: 0 !important; overflow: hidden }");
      document.adoptedStyleSheets.push(sheet);
    });
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(left).toBe(0);
    await expect.poll(rememberedRow).toBe("m0");
  });

  it("is edited and sent anew", async () => {
    await openLong(900);
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(left).toBe(0);
    const row = page.locator('[data-row="m3"]');
    await clickOn(row, row.getByTestId("edit-message"));
    await page.locator(".message-editor textarea").fill("Another question");
    await page.keyboard.press("Enter");
    await box().getByText("Said anew.").waitFor();
    const texts = await page.getByTestId("row").allTextContents();
    expect(texts.join("|")).toMatch(/Question 0.*Another question.*Said anew/s);
    expect(texts.join("|")).not.toContain("Question 2");
  });
});
