/** Long turns and rare states. turns.test.ts has how work unfolds and what the strip does. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { id, message, text, user } from "./support/events.ts";
import { drawn, wheelUp } from "./support/scroll.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";
import { work } from "./support/turns.ts";

servePanels();

describe("the work of a finished turn", () => {
  it("reads in three screens after 300 calls, and while it runs", async () => {
    const call = (tool: string, index: number): EventBody[] => {
      const callId = id();
      return [
        { type: "call", messageId: "m", callId, tool, subject: `src/file-${index}.ts` },
        { type: "call-done", callId, outcome: "done", shown: { text: "12" } },
      ];
    };
    host.emit(user("Do it all"), { type: "status", status: "running" });
    for (let index = 0; index < 30; index++) {
      for (let step = 0; step < 8; step++) host.emit(...call("read_file", index * 8 + step));
      host.emit(...call("replace_in_file", index), ...call("write_to_file", index));
    }
    await openPanel({ width: 320, height: 800 });
    await row("tool").last().waitFor();
    const screens = () =>
      page.getByTestId("transcript").evaluate((box) => box.scrollHeight / box.clientHeight);
    // 60 edits and 30 lines of folded work; most of them were not on the page yet.
    expect(await screens()).toBeGreaterThan(2.5);
    expect(await screens()).toBeLessThan(4);
    host.emit(text("All done."), { type: "status", status: "idle" });
    await row("text").getByText("All done.").waitFor();
    await expect.poll(screens).toBeLessThan(1.5);
  });

  // The line of the work comes in above what the user reads: far above it, and near enough to be on the page.
  it.each([
    { paragraphs: 30, up: 600, isOnPage: false },
    { paragraphs: 8, up: 200, isOnPage: true },
  ])(
    "stays open where the user reads in it when the turn ends, after $paragraphs paragraphs",
    async ({ paragraphs, up, isOnPage }) => {
      host.emit({ type: "message", message: message("user", { display: "Long" }) });
      host.emit({ type: "status", status: "running" });
      for (let index = 0; index < paragraphs; index++)
        host.emit(text(`Paragraph ${index}. ${"words ".repeat(40)}`));
      const callId = id();
      host.emit(
        { type: "call", messageId: "m", callId, tool: "read_file", subject: "a.ts" },
        { type: "call-done", callId, outcome: "done" },
      );
      await openPanel({ width: 320, height: 500 });
      await row("text")
        .getByText(`Paragraph ${paragraphs - 1}.`)
        .waitFor();
      await wheelUp(page.getByTestId("transcript"), up);
      await page.getByRole("button", { name: "Jump to latest" }).waitFor();
      const place = () =>
        page.getByTestId("transcript").evaluate((box) => {
          const edge = box.getBoundingClientRect().top;
          const rows = [...box.querySelectorAll("[data-row]")];
          const seen = rows.find((each) => each.getBoundingClientRect().bottom > edge);
          return `${seen?.textContent?.slice(0, 30)} ${Math.round((seen?.getBoundingClientRect().top ?? 0) - edge)}`;
        });
      const before = await place();
      host.emit(text("The end."), { type: "status", status: "idle" });
      await row("text").getByText("The end.").waitFor({ state: "attached" });
      if (isOnPage) await work().waitFor({ state: "attached" });
      await drawn(page);
      expect(await place()).toBe(before);
    },
  );
});

describe("the strip of what a turn changed", () => {
  it.each(["dark", "light"] as const)(
    "whose changes were all undone leaves a result that says so, and is not green (%s)",
    async (theme) => {
      const asked = message("user", { display: "Rename the cat" });
      const mark = { id: asked.id, kind: "message", at: asked.id } as const;
      host.emit(
        { type: "message", message: asked },
        { type: "call", messageId: "m2", callId: "end", tool: "attempt_completion", subject: "" },
        { type: "call-done", callId: "end", outcome: "done" },
        { type: "checkpoint", checkpoint: { ...mark, files: 1 } },
        { type: "status", status: "idle" },
      );
      await openPanel({ theme });
      const title = row("result").locator(".call-title");
      const color = () => title.evaluate((element) => getComputedStyle(element).color);
      await expect.poll(() => row("result").textContent()).toMatch(/^Done\s*$/);
      const green = await color();
      for (const files of [0, 1]) {
        host.emit({ type: "checkpoint", checkpoint: { ...mark, files, undone: true } });
        await expect
          .poll(() => row("result").textContent())
          .toContain("The changes in this turn were undone");
        expect(await color()).not.toBe(green);
      }
      await picture(`turn-undone-${theme}`);
      host.emit({ type: "checkpoint", checkpoint: { ...mark, files: 1 } });
      await expect.poll(() => row("result").textContent()).toMatch(/^Done\s*$/);
      expect(await color()).toBe(green);
    },
  );
});
