/** The form controls: what they are to assistive technology, and by keyboard. */
import { describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { session, user } from "./support/events.ts";
import { READY_SETUP } from "./support/fake-host.ts";
import { focused, host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";
import { THEMES, type ThemeName } from "./support/themes.ts";

servePanels();

const themes = Object.keys(THEMES) as ThemeName[];

describe("the form controls", () => {
  it("pass axe, at 250 pixels", async () => {
    for (const theme of sampled(themes, themes.length)) {
      host.setup = { ...READY_SETUP, models: { act: "" }, connections: [] };
      await openPanel({ theme, width: 250 });
      await page.getByRole("button", { name: "Other", exact: false }).last().click();
      await page.getByTestId("set-up-address").waitFor();
      await page.getByTestId("set-up-api").waitFor();
      expect(await findings(page), theme).toEqual([]);
      await expect.poll(overflow).toBe(0);
      await picture(`controls-fields-${theme}`);
      host.server.notify("history/show", {});
      await page.getByTestId("history-all-projects").check();
      expect(await findings(page), theme).toEqual([]);
      await picture(`controls-choices-${theme}`);
    }
  });

  it("a checkbox is pressed by Space and by its label, and shows only what its owner says", async () => {
    host.emit(session(), user("x"), { type: "todo", markdown: "- [ ] first\n- [ ] second" });
    host.failing.set("chat/todo", "not today");
    await openPanel();
    await page.getByTestId("todo-list").locator("summary").click();
    const first = page.getByTestId("todo-item").first();
    await first.click();
    await host.called("chat/todo");
    // The host did not accept it.
    await expect.poll(() => first.getAttribute("aria-checked")).toBe("false");
    host.failing.clear();
    await first.focus();
    await page.keyboard.press("Space");
    expect(await host.called("chat/todo", 2)).toEqual({ markdown: "- [x] first\n- [ ] second" });
    await expect.poll(() => first.getAttribute("aria-checked")).toBe("true");
    await expect.poll(focused).toBe("todo-item");
    // A change that comes from the host is no press.
    host.emit({ type: "todo", markdown: "- [x] first\n- [x] second" });
    await expect.poll(() => page.getByTestId("todo-item").last().getAttribute("aria-checked")).toBe("true");
    expect(host.named("chat/todo")).toHaveLength(2);
  });
});
