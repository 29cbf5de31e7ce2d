/** Large conversations and rare ways to scroll. transcript.test.ts has how the end is followed and how the user's place is kept. */
import { describe, expect, it } from "vitest";
import { applyEvent, emptyView } from "../../src/shared/view/reducer.ts";
import { rounds } from "../support/random.ts";
import { session, text, user } from "./support/events.ts";
import { drawn, wheelUp } from "./support/scroll.ts";
import { announcing, host, page, servePanels } from "./support/suite.ts";
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

servePanels();

describe("the transcript", () => {
  it("follows the end while the user is there", async () => {
    host.emit(session(), user("go"));
    await open();
    for (let i = 0; i < 40; i++) {
      host.emit(delta(PARAGRAPH));
      await drawn(page);
    }
    await page.getByTestId("row").last().getByText("Some words").last().waitFor();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  });

  it("keeps the line that is read in place while rows above it get their height", async () => {
    host.emit(session(), ...Array.from({ length: 300 }, (_, i) => text(PARAGRAPH.repeat(1 + (i % 7)))));
    await open();
    await formatted();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    for (let i = 0; i < 8; i++) {
      const moved = await holdMiddle();
      await wheelUp(box(), 600);
      await drawn(page);
      // Positions lie between pixels.
      expect(Math.abs((await moved()) - 600)).toBeLessThanOrEqual(1);
    }
    await box().focus();
    await page.keyboard.press("Home");
    await expect.poll(top).toBe(0);
    await page.getByTestId("row").first().waitFor();
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await page.locator(`[data-row="${host.view.live.at(-1)?.id}"]`).waitFor();
  });

  it("stays where a script or a screen reader scrolls it", async () => {
    host.emit(session(), user("go"), text(PARAGRAPH.repeat(60)));
    await open();
    await formatted();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    await page
      .getByTestId("row")
      .first()
      .evaluate((el) => el.scrollIntoView());
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const there = await top();
    expect(there).toBeLessThan(20);
    host.emit(delta(PARAGRAPH.repeat(5)));
    await drawn(page);
    expect(await top()).toBe(there);
    // And at the end again, it follows again.
    await box().evaluate((el) => el.scrollTo(0, el.scrollHeight));
    await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "detached" });
    host.emit(delta(PARAGRAPH.repeat(5)));
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
  });

  it("keeps the end in sight while the composer grows and shrinks", async () => {
    host.emit(session(), user("go"), text(PARAGRAPH.repeat(60)));
    await open();
    await formatted();
    await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    const write = page.getByTestId("chat-input");
    for (const words of ["a\nb\nc\nd\ne\nf", "a", "a\n".repeat(12), ""]) {
      await write.fill(words);
      await drawn(page);
      await expect.poll(fromEnd).toBeLessThanOrEqual(2);
    }
    await expect.poll(() => page.getByRole("button", { name: "Jump to latest" }).count()).toBe(0);
  });

  it("copies code", async () => {
    host.emit(session(), text("```ts\nconst x = 1;\n```\n"));
    await open();
    // The buttons beside it appear when the pointer reaches the block, and move it away from the pointer.
    await page.locator(".code").hover();
    await page.getByTestId("code-insert").waitFor();
    await page.getByRole("button", { name: "Copy code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const x = 1;");
    await page.locator(".hljs-keyword").waitFor();
  });
});

describe("what is announced", () => {
  it("is forgotten when another task is opened, and said again when it happens again", async () => {
    const heard = () => page.locator(".announcer").textContent();
    host.emit(session(), user("go"));
    await open();
    await announcing();
    host.emit({ type: "notice", id: "n1", code: "stopped" });
    await expect.poll(heard).toBe("Stopped.");
    const first = await page.locator(".announcer span").elementHandle();
    host.emit({ type: "notice", id: "n2", code: "stopped" });
    // Another element: that is what a screen reader notices.
    await expect.poll(() => first?.evaluate((el) => el.isConnected)).toBe(false);
    await expect.poll(heard).toBe("Stopped.");
    host.emit({ type: "session", id: "another", title: "Another" });
    await expect.poll(heard).toBe("");
  });
});

describe("a long conversation", () => {
  it("of thousands of rows has few of them on the page, and typing stays quick while it streams", async () => {
    const questions = rounds(1_000, 5_000);
    host.view = [
      session(),
      ...Array.from({ length: questions }, (_, i) => [
        user(`Question ${i}`),
        text(`Answer **${i}**. ${PARAGRAPH}`),
      ]).flat(),
    ].reduce(applyEvent, emptyView);
    await open();
    await page.getByText(`Answer ${questions - 1}`).waitFor();
    await expect.poll(() => page.getByTestId("row").count()).toBeLessThan(60);
    await page.getByTestId("chat-input").click();
    const work = await countWork();
    const worst = await typingWhile(60, () => host.emit(delta("more words ")));
    console.log(`${questions} questions: slowest of 60 key presses while streaming ${worst.toFixed(0)} ms`);
    const { rowsBack, rowsRemoved, added } = await work();
    expect(rowsBack).toBe(0);
    // Those that the growing row pushed away.
    expect(rowsRemoved).toBeLessThan(40);
    // A row, and for each delta at most its one paragraph.
    expect(added).toBeLessThan(60 * 5);
  });
});
