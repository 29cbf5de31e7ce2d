/** The choice of a model in the composer's foot: by mouse, by keyboard, narrow, while lists are slow or fail. */
import { beforeEach, describe, expect, it } from "vitest";
import { connectionProblem } from "../../src/shared/models/connection-problem.ts";
import { findings } from "./support/axe.ts";
import { message, session, user } from "./support/events.ts";
import { active, button, ids, openList, options, searchReady } from "./support/models.ts";
import { someModels, withModels } from "./support/some-models.ts";
import { focused, host, input, openPanel, overflow, page, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

beforeEach(() => withModels(host));

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

describe("after an answer", () => {
  const answered = () =>
    host.emit(
      session(),
      user("Why is it slow?"),
      {
        type: "message",
        message: message("assistant", {
          blocks: [{ type: "text", text: "Because of the loop." }],
          model: "tiny-model",
          connection: "llamacpp",
        }),
      },
      { type: "status", status: "idle" },
    );

  it("the same model answers again on a press", async () => {
    answered();
    await openPanel({ width: 250 });
    await page.getByTestId("answer-again").click();
    const asked = host.view.settled.find(({ kind }) => kind === "user") ?? host.view.live[0];
    expect(await host.called("chat/edit")).toEqual({ messageId: asked?.id, text: "Why is it slow?" });
  });

  it("another model is compared with the chosen one", async () => {
    answered();
    await openPanel({ width: 250 });
    await openList();
    await page.getByTestId("compare-model").click();
    await searchReady();
    await page.keyboard.type("4.1");
    await page.keyboard.press("Enter");
    const text = "@llamacpp/tiny-model @openai/gpt-4.1 Why is it slow?";
    await expect.poll(() => input().inputValue()).toBe(text);
    expect(host.named("models/choose")).toEqual([]);
    expect(host.named("chat/send")).toEqual([]);
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
});
