/** Rare states of the panel as a whole. panel.test.ts has its names and ways by keyboard, the header, the history and what goes on. */
import { describe, expect, it } from "vitest";
import { japanese } from "./support/boot.ts";
import { ask, id, session, user } from "./support/events.ts";
import { focused, host, openPanel, page, picture, row, servePanels, showScreen } from "./support/suite.ts";

servePanels({ mayComplain: true });

describe("the header", () => {
  it("is one row", async () => {
    await openPanel({ width: 250 });
    host.emit({ type: "session", id: "s", title: "A title that is much longer than this panel is wide" });
    await page.getByTestId("task-title").waitFor();
    const height = await page.locator("header").evaluate((header) => header.getBoundingClientRect().height);
    expect(height).toBeLessThan(36);
    await expect.poll(() => page.locator("header button").count()).toBe(3);
  });
});

describe("a task that is not finished", () => {
  it("works on when another task of the history is opened", async () => {
    const times = { startedAt: "2025-01-02T03:04:05Z", updatedAt: "2025-01-02T03:04:05Z" };
    host.sessions = [{ id: "s1", title: "Other", ...times, messageCount: 1, cost: 0, tokens: 1 }];
    host.emit(session(), user("x"), { type: "status", status: "approval" });
    await openPanel({ width: 250 });
    host.server.notify("history/show", {});
    await page.getByTestId("history-item").click();
    expect(await host.called("history/open")).toEqual({ id: "s1" });
    await page.getByTestId("history-item").waitFor({ state: "detached" });
    expect(host.named("chat/stop")).toEqual([]);
  });
});

describe("the history", () => {
  it("cannot be tabbed out of into what it covers", async () => {
    host.sessions = [];
    await openPanel();
    showScreen("history");
    await page.getByText("No sessions in this project yet.").getByText("renamed or moved").waitFor();
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Tab");
      expect(await focused()).not.toBe("chat-input");
    }
  });
});

describe("what goes on", () => {
  it("is measured", async () => {
    host.emit(session(), user("x"), {
      type: "totals",
      totals: {
        requests: 3,
        inputTokens: 20_000,
        outputTokens: 500,
        cachedTokens: 15_000,
        cost: 0,
        contextTokens: 64_000,
        contextWindow: 128_000,
      },
    });
    await openPanel();
    const meter = page.getByTestId("context-meter");
    const said = () => meter.getAttribute("aria-label");
    await expect.poll(said).toBe("Context window, 64,000 of 128,000 tokens, 50%, 21k tokens");
    await expect.poll(() => page.getByTestId("cost").textContent()).toBe("21k tokens");
    host.emit({ type: "totals", totals: { ...host.view.totals, cost: 0.0123 } });
    await expect.poll(() => page.getByTestId("cost").textContent()).toBe("$0.0123");
    const { cost: _, ...uncounted } = host.view.totals;
    host.emit({ type: "totals", totals: { ...uncounted, contextEstimated: true, estimatedTokens: 20_500 } });
    await expect.poll(() => page.getByTestId("cost").textContent()).toBe("about 21k tokens");
    await expect
      .poll(said)
      .toContain("About 64,000 of 128,000 tokens, 50%. Estimated: the endpoint reports no count.");
    host.emit({ type: "todo", markdown: "- [x] first\n- [ ] second\n- [ ] third" });
    const todo = page.getByTestId("todo-list");
    await expect.poll(() => todo.locator("summary").textContent()).toBe("Steps: 1 of 3 done. 1/3second");
    await todo.locator("summary").click();
    await todo.getByText("third").waitFor();
  });
});

describe("a part that fails", () => {
  it("says so when the host does not answer, and tries again", async () => {
    host.failing.set("chat/open", "no agent");
    await openPanel();
    await page.getByText("no agent").waitFor();
    host.failing.clear();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Model: tiny-model").waitFor();
  });
});

describe("in Japanese", () => {
  it("speaks Japanese", async () => {
    host.emit(session(), user("x"), ...ask(id(), "execute_command", "npm test", { command: "npm test" }));
    await openPanel({ boot: japanese });
    await page.getByTestId("approve").getByText("実行").waitFor();
    await page.getByTestId("reject").getByText("却下").waitFor();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ja");
  });
});

describe("a notice of what requests leave out", () => {
  it("names the parts when it is unfolded, and opens each whole", async () => {
    host.leftOut = {
      parts: [
        {
          id: "m1",
          subject: "Add a sentence about the cat that nobody has seen, please, and do not forget the dog",
        },
        { id: "c1", title: "Read", subject: "src/components/deeply/nested/neko.txt" },
        { id: "c2", title: "Ran", subject: "npm test" },
      ],
      more: 7,
    };
    host.emit(
      session(),
      user("go on"),
      { type: "notice", id: "n:0", code: "context-shortened", values: ["0"] },
      { type: "notice", id: "n:1", code: "context-pruned", values: ["10"] },
    );
    await openPanel({ width: 250 });
    const fold = row("notice").getByText("Show omitted content");
    await fold.waitFor();
    // Where no part is left out there is none to show; and nothing is asked for before somebody looks.
    await expect.poll(async () => [await fold.count(), host.named("chat/left-out")]).toEqual([1, []]);
    await fold.click();
    const part = page.getByTestId("left-out-part");
    await part.nth(2).waitFor();
    expect(host.named("chat/left-out")).toEqual([{ notice: "n:1" }]);
    await expect.poll(() => part.allTextContents()).toContain("Ran npm test");
    await page.getByText("and 7 more").waitFor();
    await picture("left-out");
    await part.nth(1).press("Enter");
    expect(await host.called("host/show-part")).toEqual({ id: "c1" });
  });
});

describe("the empty state", () => {
  it("offers examples that are only written, not sent", async () => {
    await openPanel();
    await page.getByRole("button", { name: "Write tests for @/src/cats.js" }).click();
    await expect
      .poll(() => page.getByTestId("chat-input").inputValue())
      .toBe("Write tests for @/src/cats.js");
    await expect.poll(() => focused()).toBe("chat-input");
    expect(host.named("chat/send")).toEqual([]);
  });
});
