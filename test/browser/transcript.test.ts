/** The conversation: it streams, it stays where the person reads, and nothing in it can reach out. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyEvent, emptyView } from "../../src/shared/view.ts";
import { session, text, user } from "./support/events.ts";
import { FakeHost } from "./support/fake-host.ts";
import { type Panel, type PanelServer, startPanelServer } from "./support/panel-page.ts";

let server: PanelServer;
let host: FakeHost;
let panel: Panel;
let page: Page;
beforeAll(async () => {
  server = await startPanelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  host = new FakeHost();
});
afterEach(async () => {
  expect(panel.complaints).toEqual([]);
  expect(panel.strayRequests).toEqual([]);
  await panel.close();
});

async function open(): Promise<void> {
  panel = await server.open({ host });
  page = panel.page;
  await page.getByTestId("row").first().waitFor();
}

const box = () => page.getByTestId("transcript");
const fromEnd = () => box().evaluate((el) => Math.round(el.scrollHeight - el.scrollTop - el.clientHeight));
const top = () => box().evaluate((el) => Math.round(el.scrollTop));
const paragraph = "Some words that fill a line or two in a narrow panel, and then some more of them.\n\n";
const delta = (words: string) =>
  ({ type: "delta", messageId: "stream", block: 0, kind: "text", delta: words }) as const;

/** Once the page has drawn what it was sent before. */
async function drawn(): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
}

/** Scrolls as a wheel does, to its end: Chromium takes some frames for it. */
async function wheel(pixels: number): Promise<void> {
  await box().hover();
  const ended = box().evaluate(
    (el) => new Promise((resolve) => el.addEventListener("scrollend", () => resolve(null), { once: true })),
  );
  await page.mouse.wheel(0, pixels);
  await ended;
}

describe("the transcript", () => {
  it("follows the end while the person is there", async () => {
    host.emit(session(), user("go"));
    await open();
    for (let i = 0; i < 40; i++) {
      host.emit(delta(paragraph));
      await drawn();
    }
    await page.getByTestId("row").last().getByText("Some words").last().waitFor();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  });

  it("stays where the person reads, and goes back to the end when asked", async () => {
    host.emit(session(), user("go"), delta(paragraph.repeat(60)));
    await open();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await wheel(-900);
    const jump = page.getByRole("button", { name: "Jump to the latest" });
    await jump.waitFor();
    await drawn();
    const before = await top();
    for (let i = 0; i < 20; i++) host.emit(delta(paragraph));
    host.emit(user("another"), text("answer"));
    await drawn();
    await drawn();
    expect(await top()).toBe(before);
    await jump.click();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await jump.waitFor({ state: "detached" });
    host.emit(text(paragraph.repeat(10)));
    await drawn();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  });

  it("is scrolled by keyboard", async () => {
    host.emit(session(), user("go"), text(paragraph.repeat(60)));
    await open();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(top).toBeLessThan(50);
    host.emit(delta(paragraph.repeat(5)));
    await drawn();
    expect(await top()).toBeLessThan(50);
  });

  it("is read on where it was left, after a reload", async () => {
    host.emit(session(), ...Array.from({ length: 80 }, (_, i) => text(`Row number ${i}. ${paragraph}`)));
    await open();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await wheel(-1500);
    await page.getByRole("button", { name: "Jump to the latest" }).waitFor();
    await drawn();
    const seen = await firstSeen();
    await page.reload();
    await page.getByTestId("row").first().waitFor();
    await drawn();
    // Rows change their height once more when the Markdown parser has loaded; the place is kept over that, too.
    await expect.poll(async () => Math.abs((await firstSeen()) - seen)).toBeLessThanOrEqual(4);
  });

  it("says everything again after an event was lost", async () => {
    host.emit(session(), user("go"));
    await open();
    host.lose(delta("lost and "));
    host.emit(delta("found"));
    await page.getByText("lost and found").waitFor();
    expect(host.named("chat/open").length).toBe(2);
  });

  it("copies code", async () => {
    host.emit(session(), text("```ts\nconst x = 1;\n```\n"));
    await open();
    await page.getByRole("button", { name: "Copy code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const x = 1;");
    await page.locator(".hljs-keyword").waitFor();
  });
});

/** Number of the first row in sight. */
async function firstSeen(): Promise<number> {
  const edge = (await box().boundingBox())?.y ?? 0;
  for (const row of await page.getByTestId("row").all()) {
    const place = await row.boundingBox();
    if (place && place.y + place.height > edge) {
      return Number(/Row number (\d+)/.exec((await row.textContent()) ?? "")?.[1]);
    }
  }
  throw new Error("no row is in sight");
}

describe("a long conversation", () => {
  it("of 10,000 rows has few of them on the page, and typing stays quick while it streams", async () => {
    host.view = [
      session(),
      ...Array.from({ length: 5_000 }, (_, i) => [
        user(`Question ${i}`),
        text(`Answer **${i}**. ${paragraph}`),
      ]).flat(),
    ].reduce(applyEvent, emptyView);
    await open();
    await page.getByText("Answer 4999").waitFor();
    expect(await page.getByTestId("row").count()).toBeLessThan(60);
    await page.getByTestId("chat-input").click();
    const worst = await typingWhile(page, 60, () => host.emit(delta("more words ")));
    console.log(`10,000 rows: slowest of 60 key presses while streaming ${worst.toFixed(0)} ms`);
    // Far above what is measured on an idle machine: a regression to work over the whole transcript takes seconds.
    expect(worst).toBeLessThan(500);
  });

  it("of one message of 200 KB streams without its work growing", async () => {
    host.emit(session(), user("go"));
    await open();
    const piece = `${paragraph}- a list item with \`code\`\n- another\n\n\`\`\`ts\nconst x = 1;\n\`\`\`\n\n`;
    let sent = 0;
    await page.getByTestId("chat-input").click();
    const early = await typingWhile(page, 20, () => host.emit(delta(piece)));
    while (sent < 200_000) {
      host.emit(delta(piece.repeat(10)));
      sent += piece.length * 10;
      await drawn();
    }
    const late = await typingWhile(page, 20, () => host.emit(delta(piece)));
    console.log(
      `200 KB message: slowest key press ${early.toFixed(0)} ms at its start, ${late.toFixed(0)} ms at its end`,
    );
    expect(late).toBeLessThan(500);
  });
});

/** Types while events arrive; milliseconds from the slowest key press to the frame that showed it. */
async function typingWhile(page: Page, presses: number, between: () => void): Promise<number> {
  await page.evaluate(() => {
    const delays: number[] = [];
    Reflect.set(window, "delays", delays);
    document.querySelector("[data-testid=chat-input]")?.addEventListener("keydown", (event) => {
      requestAnimationFrame(() => delays.push(performance.now() - event.timeStamp));
    });
  });
  for (let i = 0; i < presses; i++) {
    between();
    await page.keyboard.press("x");
  }
  await drawn();
  return page.evaluate(() => Math.max(...(Reflect.get(window, "delays") as number[])));
}

describe("hostile text", () => {
  const hostile = [
    '<img src="http://evil.example/1.png"><script>fetch("http://evil.example/2")</script>',
    "![pixel](http://evil.example/3.png)",
    "![pixel][ref]\n\n[ref]: http://evil.example/4.png",
    "[a](javascript:alert(1)) [b](command:workbench.action.quit) [c](data:text/html,x) [d](//evil.example/5)",
    "<http://evil.example/6> http://evil.example/7",
    '<iframe src="http://evil.example/8"></iframe><link rel=prefetch href="http://evil.example/9">',
    "<style>@import 'http://evil.example/10'; * { display: none }</style>",
    "| ![x](http://evil.example/11) |\n| - |\n| <svg onload=alert(1)> |",
    '```html\n<img src="http://evil.example/12" onerror=alert(1)>\n```',
  ].join("\n\n");

  it("makes no request, runs nothing and navigates nowhere", async () => {
    host.emit(session(), user(hostile), text(hostile));
    host.emit({
      type: "error",
      id: "e",
      error: { code: "bad-request", subject: "<img src=x>", detail: hostile },
    });
    await open();
    await page.getByText("pixel").first().waitFor();
    const address = page.url();
    for (const link of await page.getByRole("link").all()) await link.click();
    expect(page.url()).toBe(address);
    // Addresses that the person pressed, and those alone.
    const opened = host.named("host/open-link").map(({ url }) => new URL(url).origin);
    expect(new Set(opened)).toEqual(new Set(["http://evil.example"]));
    expect(host.named("host/open-file")).toEqual([]);
    expect(
      await page.locator("img, iframe, script:not([nonce]), style:not([nonce]), object, embed").count(),
    ).toBe(0);
    expect(await page.locator("a[href]").count()).toBe(0);
  });
});
