/** The agent of a session: chosen in the composer, and its buttons after a turn, which do nothing by themselves. */
import { describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { session, text, user } from "./support/events.ts";
import { focused, host, input, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

const picker = () => page.getByTestId("agent-picker");
const menu = () => page.getByTestId("agent-menu");
const option = (name: string) => page.locator(`[data-testid=agent-option][data-agent="${name}"]`);
const handoffs = () => page.getByTestId("handoff");
const OWN = {
  name: "security-reviewer-of-the-shop",
  description: "Looks for holes in what handles payments.",
  file: ".claude/agents/security.md",
  source: "Claude Code",
  scope: "project",
};

describe("Shift+Tab in the message field", () => {
  const names = () => host.named("agents/choose");
  const status = () => page.getByTestId("agent-status").textContent();

  it("goes through plan, act and the agents, and is announced with the way back", async () => {
    await openPanel({ width: 250 });
    await input().click();
    await page.keyboard.type("Neko");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(names).toEqual([{ name: "ask" }]);
    await expect
      .poll(status)
      .toBe(
        "Agent: ask. Shift+Tab in the message field chooses the next one. After Escape, Shift+Tab moves the focus back.",
      );
    await expect.poll(() => picker().textContent()).toBe("Agent: askask");
    for (const name of ["review", "test", "plan", "act"]) {
      await page.keyboard.press("Shift+Tab");
      await expect.poll(() => names().at(-1)).toEqual({ name });
    }
    await expect.poll(status).toBe("Agent: Act");
    await expect.poll(() => picker().textContent()).toBe("Agent: Act");
    expect(names()).toHaveLength(5);
    await expect.poll(() => input().inputValue()).toBe("Neko");
    await expect.poll(() => focused()).toBe("chat-input");
    expect(host.named("chat/send")).toEqual([]);
    await expect.poll(() => findings(page)).toEqual([]);
  });

  it("chooses nothing before Shift is released, and then only what is shown", async () => {
    await openPanel({ width: 250 });
    await input().click();
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect.poll(() => picker().textContent()).toBe("Agent: reviewreview");
    await picture("agents-next-250");
    expect(names()).toEqual([]);
    await page.keyboard.up("Shift");
    await expect.poll(names).toEqual([{ name: "review" }]);
    await page.keyboard.down("Shift");
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(names).toEqual([{ name: "review" }, { name: "test" }]);
  });

  it("moves the focus back after Escape, and for those who come and go with Tab", async () => {
    await openPanel({ width: 250 });
    await input().click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => focused()).not.toBe("chat-input");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused()).toBe("chat-input");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused()).not.toBe("chat-input");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => focused()).toBe("chat-input");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => focused()).not.toBe("chat-input");
    expect(names()).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.type("a");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(names).toEqual([{ name: "ask" }]);
  });

  it("does nothing while a list of mentions is open", async () => {
    await openPanel({ width: 250 });
    await input().click();
    await page.keyboard.type("@");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => focused()).not.toBe("chat-input");
    expect(names()).toEqual([]);
  });
});

describe("the agent", () => {
  it("is chosen beside the modes, with its source, and is named in the composer", async () => {
    host.agents = { ...host.agents, agents: [OWN, ...host.agents.agents] };
    await openPanel({ width: 250 });
    await expect.poll(() => picker().textContent()).toBe("Agent: Act");
    await picker().click();
    await option("test").waitFor();
    const texts = await menu()
      .getByRole("menuitemradio")
      .evaluateAll((all) => all.map((one) => one.textContent));
    expect(texts).toEqual([
      "ActAct mode: changes are made with your approval.",
      "PlanPlan mode: nothing is changed.",
      "security-reviewer-of-the-shopLooks for holes in what handles payments. · Claude Code, project",
      "AskAnswers questions about the project. It only reads.",
      "ReviewReviews changes. It reads files and what git shows, and changes nothing.",
      "TestWrites and runs tests. It changes test files only.",
    ]);
    await expect.poll(() => option("act").getAttribute("aria-checked")).toBe("true");
    await expect.poll(() => overflow()).toBe(0);
    await picture("agents-menu-250");
    await option(OWN.name).click();
    expect(await host.called("agents/choose")).toEqual({ name: OWN.name });
    await menu().waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("agent-picker");
    await expect.poll(() => picker().textContent()).toBe(`Agent: ${OWN.name}${OWN.name}`);
    await expect.poll(() => overflow()).toBe(0);
    // The buttons before it stay where they are seen.
    const left = () => page.locator(".composer-buttons button").first().boundingBox();
    await expect.poll(async () => ((await left())?.x ?? -1) >= 0).toBe(true);
    await picture("agent-chosen-250");
  });

  it("is a menu for the keyboard, and Escape changes nothing", async () => {
    await openPanel({ width: 250 });
    await picker().focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => option("act").evaluate((one) => one.matches(":focus"))).toBe(true);
    await option("test").waitFor();
    await page.keyboard.press("End");
    await expect.poll(() => option("test").evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.type("rev");
    await expect.poll(() => option("review").evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => focused()).toBe("agent-picker");
    expect(host.named("agents/choose")).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await option("plan").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await host.called("agents/choose")).toEqual({ name: "plan" });
    await expect.poll(() => page.getByTestId("mode-plan").getAttribute("aria-checked")).toBe("true");
  });

  it("has no fault that axe finds, while the menu is open", async () => {
    await openPanel();
    await picker().click();
    await option("test").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

describe("the buttons after a turn", () => {
  const turn = () => {
    host.emit(session());
    host.emit({ type: "mode", mode: "act", agent: "review" });
    host.emit(user("Review it."));
    host.emit({ type: "status", status: "waiting" });
    host.emit(text("One finding."));
  };
  const withHandoffs = () => {
    host.agents = {
      ...host.agents,
      handoffs: [
        { label: "Fix the findings", agent: "act", prompt: "Fix what you found.", send: false },
        { label: "Start now", agent: "test", prompt: "Write the tests.", send: true },
      ],
    };
  };

  it("appear when the turn is over, and write the next message for the chosen agent", async () => {
    withHandoffs();
    await openPanel({ width: 250 });
    turn();
    await page.getByTestId("transcript").getByText("One finding.").waitFor();
    await expect.poll(() => handoffs().count()).toBe(0);
    host.emit({ type: "status", status: "idle" });
    await handoffs().first().waitFor();
    await expect
      .poll(() => handoffs().first().getAttribute("title"))
      .toBe("Write to the agent act: Fix what you found.");
    await picture("handoffs-250");
    await expect.poll(() => overflow()).toBe(0);
    await handoffs().first().click();
    expect(await host.called("agents/choose")).toEqual({ name: "act" });
    await expect.poll(() => page.getByTestId("chat-input").inputValue()).toContain("Fix what you found.");
    expect(host.named("chat/send")).toEqual([]);
    // The session has no agent any more.
    await expect.poll(() => handoffs().count()).toBe(0);
  });

  it("send only what the user pressed, once", async () => {
    withHandoffs();
    await openPanel();
    turn();
    host.emit({ type: "status", status: "idle" });
    await handoffs().nth(1).waitFor();
    expect(host.named("chat/send")).toEqual([]);
    expect(host.named("agents/choose")).toEqual([]);
    await handoffs().nth(1).click();
    expect(await host.called("agents/choose")).toEqual({ name: "test" });
    expect(await host.called("chat/send")).toMatchObject({ text: "Write the tests." });
    expect(host.named("chat/send")).toHaveLength(1);
  });
});
