/** Finding a text in the conversation: by key, in all of the session, and back to where one was. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { text, user } from "./support/events.ts";
import { count, field, find, marks, open, PARAGRAPH } from "./support/find.ts";
import { page as fakePage, focused, input, servePanels } from "./support/suite.ts";

servePanels();

function command(callId: string, name: string, output: string): EventBody[] {
  return [
    { type: "call", messageId: callId, callId, tool: "search_files", subject: name },
    { type: "call-done", callId, outcome: "done", shown: { text: "3", output } },
  ];
}

describe("Ctrl+F", () => {
  it("counts and marks all matches, and goes from one to the next by each key", async () => {
    await open([
      user("Where is the cat?"),
      text(`A **cat** is ${PARAGRAPH.repeat(12)} the Cat.`),
      user("cat"),
    ]);
    await input().focus();
    await find("cat");
    // The first one of the first row in sight.
    await expect.poll(() => count(fakePage)).toBe("2 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "cat", seen: true });
    await fakePage.keyboard.press("Enter");
    await expect.poll(() => count(fakePage)).toBe("3 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "Cat", seen: true });
    await fakePage.keyboard.press("F3");
    await expect.poll(() => count(fakePage)).toBe("4 of 4");
    await fakePage.keyboard.press("F3");
    await expect.poll(() => count(fakePage)).toBe("1 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "cat", seen: true });
    await fakePage.keyboard.press("Shift+Enter");
    await expect.poll(() => count(fakePage)).toBe("4 of 4");
    await fakePage.keyboard.press("Shift+F3");
    await expect.poll(() => count(fakePage)).toBe("3 of 4");
    await fakePage.getByRole("button", { name: "Previous match" }).click();
    await expect.poll(() => count(fakePage)).toBe("2 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "cat", seen: true });
    await field(fakePage).fill("the zebra");
    await expect.poll(() => count(fakePage)).toBe("No results");
    expect(await marks(fakePage)).toEqual({ all: 0, current: "", seen: false });
  });

  it("goes back to where one was on Escape, with the focus", async () => {
    await open([user("The first"), text(PARAGRAPH.repeat(40)), user("The last")]);
    const box = fakePage.getByTestId("transcript");
    const fromEnd = () => box.evaluate((el) => Math.round(el.scrollHeight - el.scrollTop - el.clientHeight));
    await expect.poll(fromEnd).toBeLessThan(3);
    await input().focus();
    await find("the first");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 1, current: "The first", seen: true });
    expect(await fromEnd()).toBeGreaterThan(500);
    await fakePage.keyboard.press("Escape");
    await expect.poll(fromEnd).toBeLessThan(3);
    await expect.poll(focused).toBe("chat-input");
    await expect.poll(() => field(fakePage).count()).toBe(0);
    expect(await fakePage.evaluate(() => CSS.highlights.size)).toBe(0);
    // Who has scrolled on since stays there.
    await find("the first");
    await expect.poll(async () => (await marks(fakePage)).seen).toBe(true);
    await box.hover();
    await fakePage.mouse.wheel(0, 300);
    await expect.poll(() => box.evaluate((el) => Math.round(el.scrollTop))).toBeGreaterThan(200);
    const top = () => box.evaluate((el) => Math.round(el.scrollTop));
    const there = await top();
    await field(fakePage).press("Escape");
    await field(fakePage).waitFor({ state: "detached" });
    expect(await top()).toBe(there);
  });

  it("opens the fold that contains the match, and scrolls inside it", async () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `line ${i}: ${i === 150 ? "the needle" : "hay"}`,
    ).join("\n");
    await open([user("Search"), ...command("s", "needle in .", lines), text(PARAGRAPH.repeat(20))]);
    expect(await fakePage.getByText("line 150").count()).toBe(0);
    await find("the needle");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 1, current: "the needle", seen: true });
    const inside = await fakePage.evaluate(() => {
      const [range] = CSS.highlights.get("nekode-find-current") ?? [];
      if (!(range instanceof Range)) return false;
      const box = range.startContainer.parentElement?.closest("pre")?.getBoundingClientRect();
      const { top, bottom } = range.getBoundingClientRect();
      return box !== undefined && top >= box.top && bottom <= box.bottom;
    });
    expect(inside).toBe(true);
  });
});
