/** Rare states of the list of models. models.test.ts has its use by keyboard and by mouse. */
import { beforeEach, describe, expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { active, button, ids, openList, options, search, searchReady } from "./support/models.ts";
import { manyModels, someModels, withModels } from "./support/some-models.ts";
import { focused, host, input, openPanel, page, row, servePanels, showScreen } from "./support/suite.ts";

servePanels();

beforeEach(() => withModels(host));

describe("the list", () => {
  it("moves with the arrow keys around its ends, and tells the option to a screen reader", async () => {
    await openPanel();
    await openList();
    expect(await active()).toBe("gpt-4.1 (favorite)");
    await page.keyboard.press("ArrowUp");
    await expect.poll(active).toContain("tiny-model");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(active).toContain("tiny-model (in use)");
    const id = (await search().getAttribute("aria-activedescendant")) ?? "";
    await expect.poll(() => page.locator(`[id="${id}"]`).getAttribute("aria-selected")).toBe("true");
  });

  it("closes with a click elsewhere and with a second click on the button", async () => {
    await openPanel();
    await openList();
    await page.locator(".header").click({ position: { x: 2, y: 2 } });
    await expect.poll(() => page.getByTestId("model-menu").count()).toBe(0);
    await openList();
    await button().click();
    await expect.poll(() => page.getByTestId("model-menu").count()).toBe(0);
  });

  it("shows what is there while another endpoint is slow", async () => {
    let answer = () => {};
    const slow = new Promise<void>((resolve) => (answer = resolve));
    host.offer = async (name) => {
      if (name === "openai") await slow;
      return someModels[name] ?? { models: [] };
    };
    await openPanel();
    await button().click();
    await options().filter({ hasText: "tiny-model" }).last().waitFor();
    await page.getByText("Loading models: openai").waitFor();
    await searchReady();
    await page.keyboard.type("tiny");
    answer();
    await page.getByText("Loading models: openai").waitFor({ state: "detached" });
    await expect.poll(ids).toEqual(["tiny-model (in use)"]);
  });

  it("takes an Enter that comes before the lists once they have a match, unless the user types on", async () => {
    let answer = () => {};
    const late = () => new Promise<void>((resolve) => (answer = resolve));
    host.list = async () => {
      await late();
      return host.models;
    };
    // The field has the focus some time after it is drawn, and the host is asked in the same moment.
    const opened = async (asked: number) => {
      await searchReady();
      await host.called("models/list", asked);
    };
    await openPanel();
    await button().click();
    await opened(1);
    await page.keyboard.type("mini");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" o4");
    answer();
    await expect.poll(ids).toEqual(["o4-mini-with-a-very-long-name-of-a-dated-snapshot-2026-04-16"]);
    expect(host.named("models/choose")).toEqual([]);
    await button().click();
    await button().click();
    await opened(2);
    await page.keyboard.type("llamacpp/other");
    await page.keyboard.press("Enter");
    answer();
    expect(await host.called("models/choose")).toEqual({ name: "llamacpp/other", mode: "act" });
    await expect.poll(() => focused()).toBe("chat-input");
  });

  it("names an entry of the settings that is wrong, and opens it", async () => {
    await openPanel();
    await openList();
    await page.getByText("nekode.connections, entry 4: baseUrl: Must be a string.").waitFor();
    await page.getByTestId("model-menu").getByText("Open settings").click();
    expect(await host.called("host/settings")).toEqual({ query: "nekode.connections" });
  });

  it("of hundreds of models is searched as fast as one types", async () => {
    host.models = { ...host.models, favorites: [], recents: [] };
    host.offer = (name) => ({ models: name === "openai" ? manyModels : [] });
    await openPanel();
    await button().click();
    await options().nth(150).waitFor();
    await searchReady();
    await page.keyboard.type("maker-7 model-387");
    await expect.poll(ids).toContain("maker-7/model-387");
    expect((await ids())[0]).toBe("maker-7/model-387");
  });

  it("opens by the command, also over another screen", async () => {
    await openPanel();
    showScreen("history");
    host.server.notify("models/show", {});
    await search().waitFor();
    await expect.poll(() => focused()).toBe("model-search");
  });

  it("checks the connection of the model that is in use", async () => {
    await openPanel();
    await openList();
    host.tested = { count: 0, problem: { code: "unknown-model", field: "model", subject: "tiny-model" } };
    await page.getByTestId("check-model").click();
    expect(await host.called("connections/test")).toEqual({ name: "llamacpp", model: "tiny-model" });
    await page.getByText("The endpoint has no model named tiny-model.").waitFor();
  });
});

describe("an answer that failed", () => {
  it("because the model is gone leads to the list", async () => {
    host.emit(session(), user("go"), {
      type: "error",
      id: "e",
      error: { code: "unknown-model", subject: "x" },
    });
    await openPanel();
    await page.getByTestId("choose-model").click();
    await expect.poll(() => focused()).toBe("model-search");
  });
});

describe("a change during a task", () => {
  it("is reported in a row, and answers carry the name of their model", async () => {
    host.emit(session(), user("go"));
    await openPanel({ width: 340 });
    host.emit({ type: "notice", id: "n", code: "model-changed", values: ["openai/gpt-4.1", "act"] });
    await row("notice").getByText("openai/gpt-4.1 is used from the next request.").waitFor();
    await input().focus();
  });
});

describe("after a pressed button has disappeared", () => {
  const menu = () => page.getByTestId("model-menu");
  const check = async () => {
    await openPanel({ width: 340 });
    await openList();
    await page.getByTestId("check-model").click();
    await page.getByTestId("check-abilities").click();
    await page.getByTestId("check-report").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
  };

  it("Escape closes the list", async () => {
    await check();
    await page.keyboard.press("Escape");
    await menu().waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("model-picker");
  });

  it("a press into the composer closes it, and a key there is typed", async () => {
    await check();
    await input().click();
    await menu().waitFor({ state: "detached" });
    await page.keyboard.type("hello");
    await expect.poll(() => input().inputValue()).toBe("hello");
  });

  it("a focus that moves elsewhere closes it", async () => {
    await check();
    host.server.notify("composer/focus", {});
    await menu().waitFor({ state: "detached" });
  });
});

describe("the button", () => {
  it("says which reasoning effort was chosen in its menu", async () => {
    await openPanel({ width: 250 });
    await button().click();
    const inList = page.getByTestId("model-menu").getByTestId("effort");
    await inList.selectOption("high");
    expect(await host.called("models/effort")).toEqual({ effort: "high" });
    host.server.notify("host/setup", {
      ...host.setup,
      effort: "default",
      unreasoning: ["llamacpp/tiny-model"],
    });
    await inList.waitFor({ state: "detached" });
    host.server.notify("host/setup", { ...host.setup, effort: "high", unreasoning: ["llamacpp/tiny-model"] });
    await inList.waitFor();
    await expect.poll(() => inList.inputValue()).toBe("high");
    await button().and(page.getByTitle("Effort: high")).waitFor();
    await page.setViewportSize({ width: 600, height: 700 });
    await button().getByText("Effort: high").waitFor();
  });
});

describe("the list", () => {
  it("clears the search with Escape, then closes and returns to the button", async () => {
    await openPanel();
    await openList();
    await page.keyboard.type("gpt");
    await page.keyboard.press("Escape");
    await expect.poll(() => search().inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByTestId("model-menu").count()).toBe(0);
    await expect.poll(() => focused()).toBe("model-picker");
    expect(host.named("models/choose")).toEqual([]);
  });

  it("takes a model that no list has", async () => {
    await openPanel();
    await openList();
    await page.keyboard.type("new-model");
    await expect.poll(ids).toEqual(["new-model", "new-model", "new-model"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await host.called("models/choose")).toEqual({ name: "llamacpp/new-model", mode: "act" });
  });
});
