/** The line under the input: what runs without asking, and what the context window holds. */
import { beforeEach, describe, expect, it } from "vitest";
import { LEVEL_ACCESS } from "../../src/shared/permission/levels.ts";
import { session, user } from "./support/events.ts";
import { option, picker, ring, totals } from "./support/foot.ts";
import { focused, host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

const menu = () => page.getByTestId("permission-menu");

const item = (name: string) => page.locator(`[data-testid=permission-class][data-class="${name}"]`);

const popover = () => page.getByTestId("context-popover");

const shown = (name: string) => menu().getByRole("menuitemradio", { name });

describe("the permissions", () => {
  it("are chosen with one click, which the session keeps", async () => {
    await openPanel();
    await expect.poll(() => picker().textContent()).toBe("Permissions: Ask");
    await picker().click();
    await expect.poll(() => option("ask").getAttribute("aria-checked")).toBe("true");
    await option("safe").click();
    expect(await host.called("chat/permission")).toEqual({ classes: LEVEL_ACCESS.safe, exceptions: null });
    await expect.poll(() => picker().textContent()).toBe("Permissions: Safe commands");
    await menu().waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("permission-picker");
    await expect.poll(() => picker().getAttribute("data-open")).toBe("false");
  });

  it("show what the administrator limits, and offer no more", async () => {
    host.managed = {
      ...{ managedBy: "Example IT", file: "/etc/nekode/policy.json" },
      items: [
        { code: "level", values: ["edits"] },
        { code: "asks", values: ["web", "mcp"] },
      ],
    };
    await openPanel({ width: 250 });
    await picker().click();
    await expect.poll(() => option("safe").getAttribute("aria-disabled")).toBe("true");
    await expect.poll(() => option("edits").getAttribute("aria-disabled")).toBe("false");
    await expect
      .poll(() => page.getByTestId("managed-line").allTextContents())
      .toEqual(["Permissions: at most “Edits”", "Always asks: Access the web, Call tools of MCP servers"]);
    await page.getByTestId("managed").filter({ hasText: "Managed by Example IT" }).waitFor();
    // A press on what is disabled.
    await option("all").click({ force: true });
    await expect.poll(() => picker().textContent()).toBe("Permissions: Ask");
    await expect.poll(overflow).toBe(0);
    await picture("managed-permissions");
    await option("edits").click();
    expect(await host.called("chat/permission")).toEqual({ classes: LEVEL_ACCESS.edits, exceptions: null });
  });

  it("are a menu: opened by the command and by keys, with arrows, Home, End, typing and Escape", async () => {
    await openPanel({ width: 250 });
    // Its word is heard where there is no room to show it.
    await page.getByRole("button", { name: "Permissions: Ask", exact: true }).waitFor();
    await picker().focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => shown("Ask each time").evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => shown("Edits Read and").evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.press("End");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Settings for new sessions");
    await page.keyboard.press("Home");
    await expect.poll(() => shown("Ask each time").evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.type("ee");
    await expect.poll(() => shown("Edits and safe").evaluate((one) => one.matches(":focus"))).toBe(true);
    // What is typed after another key begins anew.
    await page.keyboard.press("Home");
    await page.keyboard.type("eve");
    await expect.poll(() => shown("Everything").evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.press("Escape");
    await menu().waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("permission-picker");
    expect(host.named("chat/permission")).toEqual([]);
    host.server.notify("permission/show", {});
    await menu().waitFor();
    await page.getByTestId("chat-input").click();
    await menu().waitFor({ state: "detached" });
  });

  it("have each class, tool and server behind them", async () => {
    await openPanel({ width: 250 });
    await picker().click();
    await page.getByTestId("permission-details").click();
    await item("server:memory").waitFor();
    await item("web").click();
    expect(await host.called("chat/permission")).toEqual({ classes: { web: true } });
    await expect.poll(() => item("web").getAttribute("aria-checked")).toBe("true");
    await item("write_to_file").click();
    expect(await host.called("chat/permission", 2)).toEqual({ exceptions: { write_to_file: true } });
    await expect.poll(() => item("write_to_file").getAttribute("aria-checked")).toBe("true");
    await item("write_to_file").click();
    expect(await host.called("chat/permission", 3)).toEqual({ exceptions: { write_to_file: null } });
    // At this level it runs read-only commands.
    const command = item("execute_command");
    const checked = () => command.getAttribute("aria-checked");
    await expect.poll(checked).toBe("mixed");
    await command.getByText("read-only commands").waitFor();
    await picture("permission-tools-250");
    for (const [at, [sent, state]] of [
      [true, "true"] as const,
      [false, "false"] as const,
      [null, "mixed"] as const,
    ].entries()) {
      await command.click();
      expect(await host.called("chat/permission", 4 + at)).toEqual({ exceptions: { execute_command: sent } });
      await expect.poll(checked).toBe(state);
    }
    await item("server:memory").click();
    expect(await host.called("chat/permission", 7)).toEqual({ exceptions: { "server:memory": true } });
    await expect.poll(() => picker().textContent()).toBe("Permissions: Custom");
    const box = await menu().boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(250);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    await picture("permission-details-dark-250");
  });
});

describe("the context ring", () => {
  beforeEach(() => {
    host.emit(session(), user("x"), {
      type: "totals",
      totals: {
        ...totals,
        prefixBreaks: [{ cause: "tools", count: 2, tokens: 9_000, cost: 0.02 }],
        cost: 0.42,
      },
    });
  });

  it("opens what the window holds, what was cached and what it cost", async () => {
    await openPanel({ width: 250 });
    await ring().click();
    await expect.poll(() => page.getByTestId("window-part").count()).toBe(7);
    await expect.poll(() => page.getByTestId("window-part").nth(4).textContent()).toBe("Files31k24%");
    await popover().getByText("Left out: the first 12 messages, which a summary replaces").waitFor();
    await popover().getByText("Shortened: 3 earlier results").waitFor();
    await popover()
      .getByText("Prompt cache not used 2 times: the tools changed; about 9.0k tokens")
      .waitFor();
    await expect.poll(() => page.getByTestId("model-cost").first().textContent()).toContain("$0.3100");
    await popover().getByText("Summaries and compared answers").waitFor();
    expect(host.named("chat/window")).toHaveLength(1);
    await expect.poll(overflow).toBe(0);
    await page.keyboard.press("Escape");
    await popover().waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("context-meter");
  });

  it("says which instruction files the model has and which not, and why", async () => {
    await openPanel({ width: 250 });
    await ring().click();
    const rules = popover().getByTestId("context-rule");
    await rules.last().waitFor();
    expect(await rules.evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
      "AGENTS.md420 tokensAlways applies",
      "docs/style.md1.2k tokensImported by CLAUDE.md",
      "packages/web/AGENTS.md80 tokensApplies to packages/web/**, because the task works on packages/web/src/main.tsx",
      ".github/instructions/typescript.instructions.md60 tokensApplies to src/**, for example src/a.ts",
      "CLAUDE.mdNot applied: same text as AGENTS.md",
      ".envNot applied: .env may contain secrets · Imported by CLAUDE.md",
    ]);
    await expect.poll(overflow).toBe(0);
    await picture("context-rules-dark-250");
  });

  it("compacts when told, unless the agent works", async () => {
    await openPanel();
    await ring().focus();
    await page.keyboard.press("Enter");
    // Both come later, above the button.
    await popover().getByText("Prompt cache not used").waitFor();
    await page.getByTestId("window-part").last().waitFor();
    await page.getByTestId("compact-now").click();
    expect(await host.called("chat/send")).toEqual({ text: "/compact" });
    await popover().waitFor({ state: "detached" });
    host.emit({ type: "status", status: "streaming" });
    await ring().click();
    await page.locator("[data-testid=compact-now][disabled]").waitFor();
  });
});
