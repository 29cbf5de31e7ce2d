/** The conversation: it streams, it stays where the user reads, and nothing in it can reach out. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { rounds } from "../support/random.ts";
import { session, text, user } from "./support/events.ts";
import { drawn, wheelUp } from "./support/scroll.ts";
import { host, page, servePanels } from "./support/suite.ts";
import {
  box,
  countWork,
  delta,
  formatted,
  fromEnd,
  holdMiddle,
  open,
  PARAGRAPH,
  top,
  typingWhile,
} from "./support/transcript.ts";

servePanels({ keepsPanel: true });

const message = (id: string, words: string): EventBody => ({
  type: "message",
  message: { id, role: "assistant", createdAt: "", blocks: [{ type: "text", text: words }] },
});

describe("the transcript", () => {
  it("stays where the user reads, and goes back to the end when asked", async () => {
    host.emit(session(), user("go"), delta(PARAGRAPH.repeat(60)));
    await open();
    await formatted();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await wheelUp(box(), 900);
    const jump = page.getByRole("button", { name: "Jump to latest" });
    await jump.waitFor();
    const moved = await holdMiddle();
    for (let i = 0; i < 20; i++) host.emit(delta(PARAGRAPH));
    host.emit(message("stream", PARAGRAPH.repeat(80)), user("another"), text("answer"));
    // Enough for what is read to grow old, and to be some blocks from the end.
    for (let i = 0; i < 40; i++) host.emit(user(`more ${i}`), text("answer"));
    await expect.poll(() => page.getByText("more 39").count()).toBe(1);
    await drawn(page);
    expect(await moved()).toBe(0);
    await jump.click();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await jump.waitFor({ state: "detached" });
    host.emit(text(PARAGRAPH.repeat(10)));
    await drawn(page);
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  });

  it("never takes a row off the page while the end is followed", async () => {
    host.emit(session(), user("go"), text("before"));
    await open();
    const work = await countWork();
    for (let step = 0; step < 3; step++) {
      for (let i = 0; i < 12; i++) {
        host.emit({ ...delta(PARAGRAPH), messageId: `step-${step}` });
        await drawn(page);
      }
      host.emit(message(`step-${step}`, PARAGRAPH.repeat(30)));
      host.emit({ type: "request", messageId: `step-${step + 1}`, number: step + 2 });
      await drawn(page);
    }
    expect((await work()).rowsRemoved).toBe(0);
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  });

  it("keeps following through a burst, whatever its rows turn out to be", async () => {
    host.emit(session(), user("go"));
    await open();
    for (let i = 0; i < 200; i++) host.emit(delta(`${i}. A line of a fast answer\n`));
    host.emit({ type: "notice", id: "n", code: "stopped" }, { type: "status", status: "idle" });
    await box().getByText("Stopped.").waitFor();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await expect.poll(() => page.getByRole("button", { name: "Jump to latest" }).count()).toBe(0);
  });

  it("is scrolled by keyboard", async () => {
    host.emit(session(), user("go"), text(PARAGRAPH.repeat(60)));
    await open();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(top).toBeLessThan(50);
    host.emit(delta(PARAGRAPH.repeat(5)));
    await drawn(page);
    expect(await top()).toBeLessThan(50);
  });

  it("is read on where it was left, after a reload", async () => {
    host.emit(session(), ...Array.from({ length: 80 }, (_, i) => text(`Row number ${i}. ${PARAGRAPH}`)));
    await open();
    await formatted();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await wheelUp(box(), 1500);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    let seen = await firstSeen();
    // Rows that came near get their height yet; what is read is stored once it stands still.
    await expect
      .poll(async () => {
        seen = await firstSeen();
        const state = await page.evaluate(() => sessionStorage.getItem("state"));
        const { row, offset } = JSON.parse(state ?? "{}").reading ?? {};
        return row === seen?.row && offset === seen?.above;
      })
      .toBe(true);
    await page.reload();
    await page.getByTestId("row").first().waitFor();
    // Rows change their height once more when the Markdown parser has loaded; the place is kept over that, too.
    await formatted();
    await expect.poll(async () => (await firstSeen())?.row).toBe(seen?.row);
    // Rows begin between pixels.
    await expect
      .poll(async () => Math.abs(((await firstSeen())?.above ?? Number.NaN) - (seen?.above ?? 0)))
      .toBeLessThanOrEqual(1);
  });

  it("says everything again after an event was lost", async () => {
    host.emit(session(), user("go"));
    await open();
    const before = host.named("chat/open").length;
    host.lose(delta("lost and "));
    host.emit(delta("found"));
    await page.getByText("lost and found").waitFor();
    expect(host.named("chat/open").length).toBe(before + 1);
  });
});

/** The first row in sight, and how far above the edge it begins. */
function firstSeen(): Promise<{ row: string | undefined; above: number } | null> {
  return box().evaluate((el) => {
    const edge = el.getBoundingClientRect().top;
    for (const row of el.querySelectorAll<HTMLElement>("[data-row]")) {
      const { top, bottom } = row.getBoundingClientRect();
      if (bottom > edge) return { row: row.dataset.row, above: Math.round(edge - top) };
    }
    return null;
  });
}

describe("a long conversation", () => {
  it("of one long message streams without its work growing", async () => {
    host.emit(session(), user("go"));
    await open();
    const piece = `${PARAGRAPH}- a list item with \`code\`\n- another\n\n\`\`\`ts\nconst x = 1;\n\`\`\`\n\n`;
    const whole = rounds(20_000, 200_000);
    let sent = 0;
    // What is counted is a text's own work, not that the parser and the highlighter load.
    host.emit(delta(piece));
    await page.locator(".hljs-keyword").first().waitFor();
    await page.getByTestId("chat-input").click();
    let work = await countWork();
    const early = await typingWhile(20, () => host.emit(delta(piece)));
    const before = await work();
    while (sent < whole) {
      host.emit(delta(piece.repeat(10)));
      sent += piece.length * 10;
      await drawn(page);
    }
    work = await countWork();
    const late = await typingWhile(20, () => host.emit(delta(piece)));
    const after = await work();
    console.log(
      `message of ${whole} characters: slowest key press ${early.toFixed(0)} ms at its start, ${late.toFixed(0)} ms at its end; ` +
        `elements made for 20 pieces: ${before.added} and ${after.added}`,
    );
    expect(after.rowsRemoved).toBe(0);
    expect(after.added).toBeLessThan(before.added * 1.5);
  });
});

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
    await formatted();
    const address = page.url();
    for (const link of await page.getByRole("link").all()) await link.click();
    expect(page.url()).toBe(address);
    // Addresses that the user pressed, and those alone.
    const opened = host.named("host/open-link").map(({ url }) => new URL(url).origin);
    expect(new Set(opened)).toEqual(new Set(["http://evil.example"]));
    expect(host.named("host/open-file")).toEqual([]);
    expect(
      await page.locator("img, iframe, script:not([nonce]), style:not([nonce]), object, embed").count(),
    ).toBe(0);
    await expect.poll(() => page.locator("a[href]").count()).toBe(0);
  });
});
