/** A turn in the panel: its work in one line, and what it changed in a strip. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { id, message, text, user } from "./support/events.ts";
import { scenes } from "./support/scenes.ts";
import { drawn, wheelUp } from "./support/scroll.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

const work = () => page.getByTestId("work");
const strip = () => page.getByTestId("review-strip");
const kinds = () =>
  page.getByTestId("row").evaluateAll((rows) => rows.map((each) => each.getAttribute("data-kind")));

async function openTurn(): Promise<string> {
  scenes.turn?.(host);
  await openPanel({ width: 320 });
  await strip().waitFor();
  return host.view.settled[0]?.id ?? host.view.live[0]?.id ?? "";
}

describe("the work of a finished turn", () => {
  it("is one line that opens to its rows by mouse and by keyboard", async () => {
    await openTurn();
    await expect.poll(() => work().textContent()).toBe("Explored 3 files, edited 1, ran 1 command · 41 s");
    expect(await kinds()).toEqual(["user", "text", "checkpoint"]);
    await work().click();
    const command = row("command").getByRole("button", { name: "npm test" });
    await expect.poll(async () => (await command.boundingBox())?.height).toBeLessThanOrEqual(22);
    expect(await row("command").locator("pre").count()).toBe(0);
    await command.press("Enter");
    await row("command").locator("pre").getByText("npm test").waitFor();
    await expect
      .poll(() => work().allTextContents())
      .toEqual(["Explored 3 files, edited 1, ran 1 command · 41 s", "Explored 3 files"]);
    await work().nth(1).press("Enter");
    await row("tool").nth(2).waitFor();
    await expect.poll(() => work().nth(1).getAttribute("aria-expanded")).toBe("true");
    await work().first().press("Space");
    await expect.poll(kinds).toEqual(["user", "text", "checkpoint"]);
  });

  it("stays as the user unfolded it after a reload, with what they opened in it", async () => {
    await openTurn();
    await work().click();
    await row("command").getByRole("button", { name: "npm test" }).press("Enter");
    await row("command").locator("pre").getByText("npm test").waitFor();
    await page.reload();
    await row("command").locator("pre").getByText("npm test").waitFor();
    await expect.poll(() => work().first().getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => work().nth(1).getAttribute("aria-expanded")).toBe("false");
    await row("command").getByRole("button", { name: "npm test" }).press("Enter");
    await work().first().click();
    await expect.poll(kinds).toEqual(["user", "text", "checkpoint"]);
    await page.reload();
    await work().waitFor();
    await expect.poll(kinds).toEqual(["user", "text", "checkpoint"]);
    await work().click();
    await row("command").getByRole("button", { name: "npm test" }).waitFor();
    expect(await row("command").locator("pre").count()).toBe(0);
  });

  it("keeps the line where it was pressed at the end of the conversation, and follows the end again from there", async () => {
    host.emit(user("Do it"), { type: "status", status: "running" });
    for (let index = 0; index < 40; index++) {
      const callId = id();
      host.emit(
        {
          type: "call",
          messageId: "m",
          callId,
          tool: index % 2 ? "read_file" : "replace_in_file",
          subject: `${index}.ts`,
        },
        { type: "call-done", callId, outcome: "done" },
      );
    }
    const answer = Array.from({ length: 6 }, (_, index) => `Paragraph ${index}.`).join("\n\n");
    host.emit(text(answer), { type: "status", status: "idle" });
    await openPanel({ width: 320, height: 500 });
    const top = async () => Math.round((await work().first().boundingBox())?.y ?? -1);
    await work().waitFor();
    const before = await top();
    await work().click();
    await row("tool").first().waitFor();
    await drawn(page);
    expect(await top()).toBe(before);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    await work().first().press("Enter");
    await expect.poll(() => row("tool").count()).toBe(0);
    await drawn(page);
    host.emit(user("More"), text("Words. ".repeat(400)));
    await expect
      .poll(() =>
        page.getByTestId("transcript").evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop),
      )
      .toBeLessThan(17);
  });

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
  it("lists the files with their lines, and asks the host for what is pressed", async () => {
    const turn = await openTurn();
    await strip().getByText("neko.txt").waitFor();
    await expect.poll(() => strip().locator(".strip-title").textContent()).toContain("4 files changed");
    await expect.poll(() => strip().locator(".strip-title .changes").textContent()).toContain("+52");
    await strip().getByRole("button", { name: "Review changes in neko.txt" }).click();
    expect(await host.called("turn/review")).toEqual({ id: turn, path: "neko.txt" });
    await strip().getByRole("button", { name: "Undo changes in gone.ts" }).click();
    expect(await host.called("turn/undo")).toEqual({ id: turn, path: "gone.ts" });
    await page.getByTestId("undo-turn").click();
    expect(await host.called("turn/undo", 2)).toEqual({ id: turn });
    await expect.poll(() => strip().locator("[data-undone=true]").textContent()).toContain("Undone");
  });

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

  it("closes when the user keeps the changes, also after a reload", async () => {
    const turn = await openTurn();
    await page.getByTestId("keep").click();
    expect(await host.called("turn/keep")).toEqual({ id: turn });
    await expect.poll(() => page.getByTestId("keep").count()).toBe(0);
    await page.reload();
    await strip().waitFor();
    expect(await page.getByTestId("keep").count()).toBe(0);
    await strip().locator(".strip-title").click();
    await page.getByTestId("keep").waitFor();
  });
});
