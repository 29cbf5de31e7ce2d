/**
 * A session of 5,000 messages in the built panel, in a real browser, on the product's own host: opening it, finding in
 * it, scrolling through it, and moving from message to message; and the same in a short session for comparison.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildPanel, type Panel, startPanelServer } from "../../browser/support/panel-page.ts";
import { RealHost } from "../../browser/support/real-host.ts";
import type { LongSession } from "../report.ts";
import { installClock, type Scrolled, scrollThrough, timed } from "./clock.ts";
import { answerRow, COMMON, conversation, PER_TURN, questionRow, RARE } from "./content.ts";

const ROUNDS = 5;
/** Rounds of scrolling, which take longer. */
const SCROLLS = 3;
/** Pixels a frame, 36,000 a second: as fast as the scroll bar is dragged. */
const STEP = 600;
const JUMPS = 20;

interface Sample {
  title: string;
  prefix: string;
  turns: number;
}

const LONG: Sample = { title: "The long one", prefix: "l", turns: 417 };
const SHORT: Sample = { title: "The short one", prefix: "s", turns: 12 };

/** What is measured, with the figure to reach in milliseconds. */
const TARGETS = {
  "opened for the first time in a window": 500,
  "opened again": 500,
  "find: the first letter of a word": 500,
  "find: its last letter": 100,
  "find: on to a match that is not loaded": 1_000,
  "find: on to one that is loaded and not on the page": 100,
  "Home: to the very first message": 1_000,
  "End: back to the last": 100,
  "from message to message": 50,
} as const;
type Measured = keyof typeof TARGETS;
const MEASURED = Object.keys(TARGETS) as Measured[];

export async function longSession(): Promise<{ text: string; longSession: LongSession }> {
  const folder = await mkdtemp(join(tmpdir(), "nekode-long-"));
  await buildPanel(folder);
  const server = await startPanelServer(folder);
  const host = await RealHost.start({ turns: [] });
  try {
    const ids = new Map<Sample, string>();
    for (const sample of [SHORT, LONG])
      ids.set(sample, await host.store(sample.title, conversation(sample.prefix, sample.turns)));
    /** A window that was just opened, with that session on show. */
    const openWindow = async (shown: Sample): Promise<Panel> => {
      await host.agent.view.open(ids.get(shown) ?? "");
      await host.agent.restart();
      const panel = await server.open({ host });
      await panel.page.locator(`[data-row="${answerRow(shown.prefix, shown.turns - 1)}"]`).waitFor();
      await installClock(panel.page);
      return panel;
    };
    const [long, short] = [new Times(), new Times()];
    const [up, down, plain] = [new Scrolls(), new Scrolls(), new Scrolls()];
    for (let round = 0; round < ROUNDS; round++) {
      await measureIn(await openWindow(SHORT), host, LONG, SHORT, long);
      await measureIn(await openWindow(LONG), host, SHORT, LONG, short);
      if (round >= SCROLLS) continue;
      const panel = await openWindow(LONG);
      await leaveEnd(panel.page);
      up.add(await scrollThrough(panel.page, -STEP));
      down.add(await scrollThrough(panel.page, STEP));
      plain.add(await scrollPlain(panel.page));
      await panel.close();
    }
    const times = MEASURED.map((name) => ({
      ...{ name, target: `< ${TARGETS[name].toLocaleString("en")} ms` },
      ...{ ms: long.median(name), bestMs: long.best(name), shortMs: short.median(name) },
    }));
    const scrolls = [
      { name: "from the end to the start, which loads all of it", ...up.median() },
      { name: "from the start to the end, all loaded", ...down.median() },
      { name: "a page of plain paragraphs", ...plain.median() },
    ];
    const measured = {
      messages: LONG.turns * PER_TURN,
      shortMessages: SHORT.turns * PER_TURN,
      times,
      scrolls,
    };
    return { text: textOf(measured), longSession: measured };
  } finally {
    await host.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(page: Page, host: RealHost, { title, prefix, turns }: Sample): Promise<number> {
  host.notify("history/show", {});
  const item = page.getByTestId("history-item").filter({ hasText: title });
  await item.waitFor();
  return timed(page, { row: answerRow(prefix, turns - 1) }, () => item.click());
}

async function measureIn(
  panel: Panel,
  host: RealHost,
  sample: Sample,
  other: Sample,
  times: Times,
): Promise<void> {
  const { page } = panel;
  times.add("opened for the first time in a window", await open(page, host, sample));
  await open(page, host, other);
  times.add("opened again", await open(page, host, sample));
  await measureFind(page, sample, times);
  await open(page, host, other);
  await open(page, host, sample);
  await measureMoves(page, sample, times);
  if (panel.complaints.length > 0) throw new Error(panel.complaints.join("\n"));
  await panel.close();
}

async function measureFind(page: Page, { prefix, turns }: Sample, times: Times): Promise<void> {
  await page.keyboard.press("Control+f");
  await page.locator("[data-testid=find-input]:focus").waitFor();
  // It selects what it contains in the frame after it has the focus.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  const type = (text: string) => timed(page, { text }, () => page.keyboard.press(text.at(-1) ?? ""));
  times.add("find: the first letter of a word", await type(COMMON.slice(0, 1)));
  for (let length = 2; length <= COMMON.length; length++) await type(COMMON.slice(0, length));
  times.add("find: its last letter", await type(RARE));
  const next = (match: string) => timed(page, { match }, () => page.keyboard.press("Enter"));
  times.add("find: on to a match that is not loaded", await next(questionRow(prefix, 0)));
  const middle = answerRow(prefix, Math.floor(turns / 2));
  times.add("find: on to one that is loaded and not on the page", await next(middle));
  await page.keyboard.press("Escape");
}

/** All is loaded before the moves from message to message, which then have the most to look at. */
async function measureMoves(page: Page, { prefix, turns }: Sample, times: Times): Promise<void> {
  await page.getByTestId("transcript").focus();
  const press = (key: string, row: string) => timed(page, { row }, () => page.keyboard.press(key));
  times.add("Home: to the very first message", await press("Home", questionRow(prefix, 0)));
  times.add("End: back to the last", await press("End", answerRow(prefix, turns - 1)));
  for (let jump = 0; jump < JUMPS; jump++) {
    const moved = timed(page, { moved: true }, () => page.keyboard.press("Alt+ArrowUp"));
    times.add("from message to message", await moved);
  }
}

/** Scrolling by script alone does not leave the end while the content changes. */
async function leaveEnd(page: Page): Promise<void> {
  await page.getByTestId("transcript").focus();
  await page.keyboard.press("PageUp");
  await page.getByRole("button", { name: "Jump to latest" }).waitFor();
}

/** A page of its own, as long as the conversation, with nothing on it but text: what this browser can do here. */
async function scrollPlain(panel: Page): Promise<Scrolled> {
  const page = await panel.context().newPage();
  const paragraphs = Array.from(
    { length: 4_000 },
    (_, i) => `<p>${i}. ${"Some words of a line. ".repeat(6)}</p>`,
  );
  const style = "height: 600px; overflow: auto";
  await page.setContent(`<div data-testid="transcript" style="${style}">${paragraphs.join("")}</div>`);
  const scrolled = await scrollThrough(page, STEP);
  await page.close();
  return scrolled;
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

class Times {
  readonly #of = new Map<Measured, number[]>();

  add(what: Measured, ms: number): void {
    this.#of.set(what, [...(this.#of.get(what) ?? []), ms]);
  }

  best(what: Measured): number {
    return Math.min(...(this.#of.get(what) ?? []));
  }

  median(what: Measured): number {
    return middle(this.#of.get(what) ?? []);
  }
}

class Scrolls {
  readonly #all: Scrolled[] = [];

  add(scrolled: Scrolled): void {
    this.#all.push(scrolled);
  }

  median(): Scrolled {
    const of = (key: keyof Scrolled) => middle(this.#all.map((each) => each[key]));
    return { framesPerSecond: of("framesPerSecond"), longestMs: of("longestMs"), elements: of("elements") };
  }
}

function textOf({ messages, shortMessages, times, scrolls }: LongSession): string {
  const lines = times.map(
    ({ name, ms, bestMs, shortMs, target }) =>
      `  ${name}: ${ms.toFixed(0)} ms (best ${bestMs.toFixed(0)}), ${(ms / shortMs).toFixed(1)} times the ${shortMs.toFixed(0)} ms of the short one (${target})`,
  );
  const scrolled = scrolls.map(
    ({ name, framesPerSecond, longestMs, elements }) =>
      `  ${name}: ${framesPerSecond.toFixed(0)} frames a second, the longest ${longestMs.toFixed(0)} ms, ${elements} elements at most`,
  );
  const head = `a session of ${messages} messages, beside one of ${shortMessages}`;
  return [head, ...lines, "scrolling in it", ...scrolled].join("\n");
}
