/** The choice of a model in the composer's foot: by mouse, by keyboard, narrow, while lists are slow or fail. */
import { beforeEach, describe, expect, it } from "vitest";
import { connectionProblem } from "../../src/shared/models/connection-problem.ts";
import { findings } from "./support/axe.ts";
import { message, session, user } from "./support/events.ts";
import { manyModels, someModels, withModels } from "./support/some-models.ts";
import {
  focused,
  host,
  input,
  openPanel,
  overflow,
  page,
  row,
  servePanels,
  showScreen,
} from "./support/suite.ts";

servePanels();
beforeEach(() => withModels(host));

const button = () => page.getByTestId("model-picker");
const search = () => page.getByTestId("model-search");
const options = () => page.getByTestId("model-option");
const ids = () => options().locator(".model-id").allTextContents();
const active = () => page.locator("[data-testid=model-option][aria-selected=true] .model-id").textContent();

async function openList(): Promise<void> {
  await button().click();
  await options().filter({ hasText: "o4-mini" }).waitFor();
  await searchReady();
}

/** The field of the search is drawn some time before it takes the focus, and with it what is typed. */
const searchReady = () => expect.poll(() => focused()).toBe("model-search");

describe("the button", () => {
  it("shows the model that answers in the current mode", async () => {
    await openPanel({ width: 600 });
    await expect.poll(() => button().getAttribute("title")).toBe("Model: llamacpp/tiny-model");
    host.emit({ type: "model", chosen: { plan: "openai/gpt-4.1" } });
    await page.getByTestId("mode-plan").click();
    await expect.poll(() => button().textContent()).toContain("gpt-4.1");
    await page.getByTestId("mode-act").click();
    await expect.poll(() => button().textContent()).toContain("tiny-model");
  });

  it("has the reasoning effort beside it", async () => {
    await openPanel({ width: 600 });
    await page.locator(".composer-buttons").getByTestId("effort").selectOption("high");
    expect(await host.called("models/effort")).toEqual({ effort: "high" });
    host.server.notify("host/setup", {
      ...host.setup,
      effort: "default",
      unreasoning: ["llamacpp/tiny-model"],
    });
    await page.locator(".composer-buttons > [data-testid=effort]").waitFor({ state: "detached" });
    host.server.notify("host/setup", { ...host.setup, effort: "high", unreasoning: ["llamacpp/tiny-model"] });
    await page.locator(".composer-buttons > [data-testid=effort]").waitFor();
    await page.setViewportSize({ width: 250, height: 700 });
    await expect.poll(() => page.locator(".composer-buttons > [data-testid=effort]").isVisible()).toBe(false);
    await button().click();
    const inList = page.getByTestId("model-menu").getByTestId("effort");
    await inList.waitFor();
    await expect.poll(() => inList.inputValue()).toBe("high");
  });
});

describe("the list", () => {
  it("has favorites, recent models and each connection, with what is known and from where", async () => {
    await openPanel();
    await openList();
    const heads = await page
      .getByTestId("model-menu")
      .locator("[role=group]")
      .evaluateAll((groups) => groups.map((group) => group.getAttribute("aria-label")));
    expect(heads).toEqual(["Favorites", "Recent", "OpenAI", "llamacpp"]);
    const first = options().first();
    await expect.poll(() => first.textContent()).toContain("1.0M tokens · $2 / $8 · images");
    const title = (await first.getAttribute("title")) ?? "";
    expect(title).toContain("Context window: 1,047,576 tokens (from Nekode's table: 2026-05-01");
    await expect
      .poll(() => options().nth(1).getAttribute("title"))
      .toContain("8,192 tokens (from the endpoint: GET /v1/models)");
    await expect.poll(() => overflow()).toBe(0);
  });

  it("is searched and used by keyboard alone, and the focus returns to the message", async () => {
    await openPanel();
    await button().focus();
    await page.keyboard.press("Enter");
    await options().filter({ hasText: "o4-mini" }).waitFor();
    await expect.poll(() => focused()).toBe("model-search");
    await page.keyboard.type("mini o4");
    await expect.poll(ids).toEqual(["o4-mini-with-a-very-long-name-of-a-dated-snapshot-2026-04-16"]);
    await page.keyboard.press("Enter");
    expect(await host.called("models/choose")).toEqual({
      name: "openai/o4-mini-with-a-very-long-name-of-a-dated-snapshot-2026-04-16",
      mode: "act",
    });
    await expect.poll(() => focused()).toBe("chat-input");
    await expect.poll(() => button().textContent()).toContain("o4-mini");
  });

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

  it("closes with a click elsewhere and with a second click on the button", async () => {
    await openPanel();
    await openList();
    await page.locator(".header").click({ position: { x: 2, y: 2 } });
    await expect.poll(() => page.getByTestId("model-menu").count()).toBe(0);
    await openList();
    await button().click();
    await expect.poll(() => page.getByTestId("model-menu").count()).toBe(0);
  });

  it("keeps favorites by a key and by the star", async () => {
    await openPanel();
    await openList();
    await page.keyboard.type("tiny");
    await expect.poll(ids).toEqual(["tiny-model (in use)"]);
    await page.keyboard.press("Control+d");
    expect(await host.called("models/favorite")).toEqual({ name: "llamacpp/tiny-model", favorite: true });
    await expect.poll(active).toContain("(favorite)");
    await options().first().getByTestId("model-star").click();
    expect(await host.called("models/favorite", 2)).toEqual({
      name: "llamacpp/tiny-model",
      favorite: false,
    });
    expect(host.named("models/choose")).toEqual([]);
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

  it("names a connection that fails with its field, and sets its key", async () => {
    await openPanel();
    await openList();
    const note = page.getByTestId("connection-problem");
    await expect.poll(() => note.textContent()).toContain("groq, API key: ");
    host.offer = (name) =>
      name === "groq" ? { models: [{ name: "groq/fast", facts: {} }] } : (someModels[name] ?? { models: [] });
    await note.getByText("Set API key").click();
    expect(await host.called("connections/set-key")).toEqual({ name: "groq" });
    await options().filter({ hasText: "fast" }).waitFor();
    await expect.poll(() => note.count()).toBe(0);
  });

  it("names an entry of the settings that is wrong, and opens it", async () => {
    await openPanel();
    await openList();
    await page.getByText("nekode.connections, entry 4: baseUrl: Must be a string.").waitFor();
    await page.getByTestId("model-menu").getByText("Open settings").click();
    expect(await host.called("host/settings")).toEqual({ query: "nekode.connections" });
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

it("a model is checked at the user's request, and the verdict and each finding are shown", async () => {
  await openPanel({ width: 250 });
  await openList();
  host.checked = {
    name: "",
    verdict: "limited",
    findings: [
      { probe: "answer", state: "good", code: "works", values: [] },
      { probe: "images", state: "absent", code: "not-seen", values: [] },
    ],
    tokens: 9_000,
  };
  await page.getByTestId("check-model").click();
  await page.getByText("uses at most about 16,000 tokens").waitFor();
  expect(host.named("models/check")).toEqual([]);
  await page.getByTestId("check-abilities").click();
  expect(await host.called("models/check")).toEqual({ name: "llamacpp/tiny-model" });
  await expect.poll(() => page.getByTestId("check-report").textContent()).toContain("Images: ");
  await expect.poll(() => overflow()).toBe(0);
  expect(await findings(page)).toEqual([]);
});

describe("another model for one answer", () => {
  it("is chosen at the last answer; the message can be changed before it is sent", async () => {
    host.emit(session(), user("Why is it slow?"));
    host.emit({
      type: "message",
      message: message("assistant", {
        blocks: [{ type: "text", text: "Because of the loop." }],
        model: "tiny-model",
        connection: "llamacpp",
      }),
    });
    await openPanel({ width: 250 });
    await expect.poll(() => page.getByTestId("answered-by").textContent()).toContain("llamacpp/tiny-model");
    await page.getByTestId("ask-another").click();
    await options().filter({ hasText: "o4-mini" }).waitFor();
    await searchReady();
    await page.keyboard.type("4.1");
    await page.keyboard.press("Enter");
    await expect.poll(() => input().inputValue()).toBe("/ask openai/gpt-4.1 Why is it slow?");
    await expect.poll(() => focused()).toBe("chat-input");
    expect(host.named("models/choose")).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "/ask openai/gpt-4.1 Why is it slow?" });
  });
});

describe("models that are named in a message", () => {
  const mentions = () => page.getByTestId("mention-option").locator(".picker-name").allTextContents();

  it("are found at its head, several in a row, and nowhere else", async () => {
    await openPanel();
    await input().pressSequentially("@o4");
    await expect
      .poll(mentions)
      .toContain("openai/o4-mini-with-a-very-long-name-of-a-dated-snapshot-2026-04-16");
    await input().fill("@tiny");
    await expect.poll(mentions).toEqual(["llamacpp/tiny-model"]);
    await page.keyboard.press("Enter");
    await expect.poll(() => input().inputValue()).toBe("@llamacpp/tiny-model ");
    await input().pressSequentially("@4.1");
    await expect.poll(mentions).toEqual(["openai/gpt-4.1"]);
    await page.keyboard.press("Enter");
    await input().pressSequentially("Why? @tiny");
    await expect.poll(mentions).toEqual([]);
    await expect.poll(() => input().inputValue()).toBe("@llamacpp/tiny-model @openai/gpt-4.1 Why? @tiny");
  });

  it("that are favorites come first", async () => {
    await openPanel();
    await input().pressSequentially("@");
    await expect
      .poll(async () => (await mentions()).slice(0, 2))
      .toEqual(["openai/gpt-4.1", "llamacpp/tiny-model"]);
  });
});

describe("an answer that failed", () => {
  it("because of the address is checked, corrected and asked for again with two presses", async () => {
    host.emit(session(), user("go"), {
      type: "error",
      id: "e",
      error: { code: "wrong-address", subject: "http://127.0.0.1:8080" },
    });
    host.tested = {
      count: 0,
      problem: connectionProblem("no-version", "http://127.0.0.1:8080", {
        fix: { type: "address", baseUrl: "http://127.0.0.1:8080/v1" },
      }),
    };
    await openPanel();
    await page.getByTestId("check-connection").click();
    expect(await host.called("connections/test")).toEqual({ name: "llamacpp", model: "tiny-model" });
    await page.getByTestId("connection-fix").click();
    expect(await host.called("connections/set-address")).toEqual({
      name: "llamacpp",
      baseUrl: "http://127.0.0.1:8080/v1",
    });
    await host.called("chat/retry");
  });

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
