/** A plan document in the conversation: its actions, the ways to start it, and what is shown at the end. */
import { describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { session, user } from "./support/events.ts";
import { PLAN, planned, planState } from "./support/plans.ts";
import { focused, host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

const tools = () => page.getByTestId("plan-tools");
const start = () => page.getByTestId("start-plan");
const menu = () => page.getByTestId("start-menu");

function plan(...more: Parameters<typeof host.emit>): void {
  host.emit(session(), { type: "mode", mode: "plan" }, user("Plan it."));
  host.emit(...planned("p1"), planState("p1"), { type: "status", status: "idle" }, ...more);
}

describe("a plan document", () => {
  it("is started with one button, and opens in the editor only when the user asks for it", async () => {
    await openPanel({ width: 250 });
    plan();
    await start().waitFor();
    expect(host.named("plans/ask")).toEqual([]);
    await page.getByTestId("open-plan").click();
    expect(await host.called("plans/ask")).toEqual({ ask: { action: "open", callId: "p1" } });
    expect(host.named("chat/send")).toEqual([]);
    await start().click();
    expect(await host.called("chat/send")).toEqual({ text: "/start" });
    await expect.poll(() => overflow()).toBe(0);
    await picture("plan-250");
  });

  it("starts elsewhere, and by others, from a menu that the keyboard opens", async () => {
    host.setup = { ...host.setup, worktrees: true };
    await openPanel({ width: 250 });
    plan();
    await menu().focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused()).toBe("start-new");
    await page.getByTestId("start-agent").first().waitFor();
    const labels = await page.getByRole("menuitem").allTextContents();
    expect(labels.slice(0, 5)).toEqual([
      "Start in a new task",
      "Start in a new task in a worktree",
      "Start with the agent ask",
      "Start with the agent review",
      "Start with the agent test",
    ]);
    expect(labels.at(-1)).toBe("Start with another model…");
    await picture("plan-start-menu-250");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused()).toBe("start-menu");
    expect(host.named("chat/send")).toEqual([]);
    for (const [item, text] of [
      ["start-new", "/start new"],
      ["start-worktree", "/start worktree"],
      ["start-agent", "/start agent ask"],
    ] as const) {
      const before = host.named("chat/send").length;
      await menu().click();
      await page.getByTestId(item).first().click();
      await expect.poll(() => host.named("chat/send").slice(before)).toEqual([{ text }]);
    }
    await menu().click();
    await page.getByTestId("start-other-model").click();
    await expect.poll(() => page.getByTestId("chat-input").inputValue()).toContain("/start model ");
  });

  it("only the newest plan can be started, and none while the agent works or once it was answered in act mode", async () => {
    await openPanel();
    plan();
    host.emit(user("Louder."), ...planned("p2"), planState("p2"), { type: "status", status: "idle" });
    await expect.poll(() => tools().count()).toBe(2);
    await expect.poll(() => start().count()).toBe(1);
    expect(await tools().first().getByTestId("start-plan").count()).toBe(0);
    host.emit({ type: "status", status: "running" });
    await expect.poll(() => start().getAttribute("disabled")).not.toBeNull();
    host.emit({ type: "status", status: "idle" }, { type: "mode", mode: "act" }, user("Go."));
    await expect.poll(() => start().count()).toBe(0);
  });

  it.each([["a document"], ["an answer"]])(
    "%s waits after the switch to act mode, and says what carries it out",
    async (kind) => {
      await openPanel({ width: 250 });
      plan();
      if (kind === "an answer")
        host.emit(user("Shorter."), ...planned("p2", "Write a.txt."), { type: "status", status: "idle" });
      await page.getByTestId("mode-act").click();
      expect(await host.called("chat/mode")).toEqual({ mode: "act" });
      await page.getByTestId("plan-waits").waitFor();
      expect(host.named("chat/send")).toEqual([]);
      expect(host.named("chat/start-plan")).toEqual([]);
      await expect.poll(() => overflow()).toBe(0);
      await expect.poll(() => findings(page)).toEqual([]);
      await picture(`plan-waits-${kind === "a document" ? "document" : "answer"}-250`);
      if (kind === "a document") {
        await start().click();
        expect(await host.called("chat/send")).toEqual({ text: "/start" });
      } else {
        await page.getByTestId("start-answer").click();
        expect(await host.called("chat/start-plan")).toEqual({});
      }
      host.emit({ type: "status", status: "running" });
      await page.getByTestId("plan-waits").waitFor({ state: "detached" });
    },
  );

  it("an answer without a title keeps the plain switch to act mode", async () => {
    await openPanel();
    host.emit(session(), { type: "mode", mode: "plan" }, user("Plan it."));
    host.emit(...planned("p1", "Which cat?"), { type: "status", status: "idle" });
    await page.getByText("Switch to Act and start").waitFor();
    expect(await tools().count()).toBe(0);
  });

  it("offers to send comments while there are some, and names what the user edited", async () => {
    await openPanel({ width: 250, boot: japanese });
    plan(planState("p1", 2, true));
    const send = page.getByTestId("send-comments");
    await expect.poll(() => send.textContent()).toBe("コメントを 2 件送信");
    await page.getByText("この計画はエディターで編集されています").waitFor();
    await expect.poll(() => overflow()).toBe(0);
    await picture("plan-comments-ja-250");
    await send.click();
    expect(await host.called("plans/ask")).toEqual({ ask: { action: "send-comments" } });
    host.emit(planState("p1"));
    await expect.poll(() => send.count()).toBe(0);
  });

  it("has no fault that axe finds, with its menu open", async () => {
    await openPanel();
    plan(planState("p1", 1, true));
    await menu().click();
    await page.getByTestId("start-new").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

it("says at the end how the changes differ from the plan", async () => {
  await openPanel({ width: 250 });
  plan();
  const values = ["1", "2", "test/cats.test.js", "src/dogs.js", "1"];
  host.emit({ type: "notice", id: "n", code: "plan-compared", values });
  await expect
    .poll(() => page.locator(".notice").textContent())
    .toBe(
      "Plan: 1 of 2 files changed. Not changed: test/cats.test.js. Not in the plan: src/dogs.js. Open steps in the todo list: 1.",
    );
  await expect.poll(() => overflow()).toBe(0);
  expect(await findings(page)).toEqual([]);
});

it("the text of a plan stays text", async () => {
  await openPanel();
  plan(...planned("p3", `${PLAN}\n<button data-testid="forged">Start</button>`), planState("p3"));
  await start().waitFor();
  expect(await page.getByTestId("forged").count()).toBe(0);
});
