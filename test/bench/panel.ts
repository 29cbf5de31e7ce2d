import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { EventBody } from "../../src/shared/event.ts";
import { applyEvent } from "../../src/shared/view/reducer.ts";
import { session, text, user } from "../browser/support/events.ts";
import { FakeHost } from "../browser/support/fake-host.ts";
import { buildPanel, startPanelServer } from "../browser/support/panel-page.ts";
import { viewWithPresentations } from "../support/presentations.ts";
import type { Typing } from "./report.ts";

/** Key presses while something streams, and lines a second of it: one batch of events a frame, as the host sends them. */
const PRESSES = 100;
const LINES_PER_SECOND = 1_000;
const FRAME_MS = 16;

/** Paragraphs of eight lines. */
const line = (n: number) =>
  `Line ${n}: some words with \`code\` that fill a line of a narrow panel.\n${n % 8 === 7 ? "\n" : ""}`;

const answer = (delta: string): EventBody => ({
  type: "delta",
  messageId: "stream",
  block: 0,
  kind: "text",
  delta,
});

/** One event of a frame's lines, as the host's event stream merges them. */
const streams: Record<string, (delta: string) => EventBody> = {
  "an answer": answer,
  "one endless paragraph": (delta) => answer(delta.replaceAll("\n", " ")),
  "a command's output": (delta) => ({ type: "output", callId: "run", delta }),
};

/** Typing in the built panel, in a real browser, beside a transcript of so many rows. */
export async function panelTyping(): Promise<{ text: string; typing: Typing[] }> {
  const folder = await mkdtemp(join(tmpdir(), "nekode-panel-"));
  await buildPanel(folder);
  const server = await startPanelServer(folder);
  const typing: Typing[] = [];
  try {
    for (const rows of [2, 5_000]) {
      for (const [what, event] of Object.entries(streams)) {
        const host = new FakeHost();
        const said = Array.from({ length: rows / 2 }, (_, i) => [
          user(`Question ${i}`),
          text(`Answer **${i}**.`),
        ]);
        const running: EventBody = {
          type: "call",
          messageId: "m",
          callId: "run",
          tool: "execute_command",
          subject: "npm test",
        };
        host.view = [session(), ...said.flat(), running].reduce(applyEvent, viewWithPresentations);
        const { page, close } = await server.open({ host });
        typing.push(await typeWhile(`${what}, ${rows} rows before it`, page, host, event));
        await close();
      }
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  const lines = typing.map(
    ({ name, worstMs, p95Ms, slow, presses }) =>
      `  ${name}: 95 % within ${p95Ms} ms, slowest ${worstMs} ms, ${slow} of ${presses} took 50 ms or longer`,
  );
  const head = `typing while ${LINES_PER_SECOND} lines a second stream (< 50 ms; browser's own event timing, steps of 8 ms)`;
  return { text: [head, ...lines].join("\n"), typing };
}

async function typeWhile(
  name: string,
  page: Page,
  host: FakeHost,
  event: (delta: string) => EventBody,
): Promise<Typing> {
  await page.getByTestId("row").last().waitFor();
  await page.getByTestId("chat-input").click();
  const stop = new AbortController();
  const streaming = stream(host, event, stop.signal);
  await page.evaluate(() => {
    const durations = new Map<number, number>();
    Reflect.set(window, "durations", durations);
    new PerformanceObserver((list) => {
      for (const { name, startTime, duration } of list.getEntries()) {
        if (name === "keydown" || name === "keypress" || name === "input") {
          durations.set(startTime, Math.max(durations.get(startTime) ?? 0, duration));
        }
      }
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (let i = 0; i < PRESSES; i++) await page.keyboard.press(i % 8 === 7 ? "Space" : "x", { delay: 10 });
  stop.abort();
  await streaming;
  const durations: number[] = await page.evaluate(
    () =>
      new Promise((resolve) => {
        // Entries are handed over after the paint that they end with.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve([...Reflect.get(window, "durations").values()])),
        );
      }),
  );
  // What is not reported took less than the threshold.
  const all = [...Array.from({ length: Math.max(0, PRESSES - durations.length) }, () => 8), ...durations];
  all.sort((a, b) => a - b);
  return {
    name,
    worstMs: all.at(-1) ?? 0,
    p95Ms: all[Math.floor(all.length * 0.95)] ?? 0,
    slow: all.filter((ms) => ms >= 50).length,
    presses: PRESSES,
  };
}

/** Sends what is due by the clock, so that a late frame brings more lines rather than fewer. */
async function stream(
  host: FakeHost,
  event: (delta: string) => EventBody,
  signal: AbortSignal,
): Promise<void> {
  const from = performance.now();
  let sent = 0;
  try {
    for await (const _ of setInterval(FRAME_MS, undefined, { signal })) {
      const due = Math.floor(((performance.now() - from) * LINES_PER_SECOND) / 1000);
      let lines = "";
      while (sent < due) lines += line(sent++);
      if (lines !== "") host.emit(event(lines));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
