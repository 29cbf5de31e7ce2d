/** From the first opening to a model that can answer: a local server, a maker with a key, and what can be wrong. */
import { beforeEach, describe, expect, it } from "vitest";
import { connectionProblem } from "../../src/shared/models/connection-problem.ts";
import { session, user } from "./support/events.ts";
import { key, maker, option } from "./support/set-up.ts";
import { someModels } from "./support/some-models.ts";
import { focused, host, input, openPanel, overflow, page, servePanels } from "./support/suite.ts";

servePanels();

beforeEach(() => {
  host.setup = { ...host.setup, models: { act: "" }, connections: [] };
  host.adding = ({ preset }) => ({ name: preset, models: someModels.openai?.models ?? [] });
});

const problem = () => page.getByTestId("connection-problem");

describe("a maker with a key", () => {
  it("takes four steps by keyboard: the maker, the key, the model, the message", async () => {
    await openPanel();
    await maker("openai").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused()).toBe("set-up-key");
    await page.keyboard.insertText("sk-proj-abc");
    await page.keyboard.press("Enter");
    expect(await host.called("connections/add")).toEqual({
      preset: "openai",
      api: expect.any(String),
      baseUrl: "https://api.openai.com/v1",
      key: "sk-proj-abc",
    });
    await option("gpt-4.1").waitFor();
    await expect.poll(() => focused()).toBe("model-search");
    await page.keyboard.type("4.1");
    await page.keyboard.press("Enter");
    expect(await host.called("models/choose")).toEqual({ name: "openai/gpt-4.1", mode: "act" });
    await expect.poll(() => focused()).toBe("chat-input");
    await page.keyboard.insertText("Hello");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "Hello" });
  });

  it("keeps the key out of drafts and of what the page remembers", async () => {
    await openPanel();
    await maker("openai").click();
    await key().fill("sk-proj-secret");
    await page.keyboard.press("Enter");
    await option("gpt-4.1").first().click();
    await input().fill("Hello");
    await host.called("chat/draft");
    expect(await page.content()).not.toContain("sk-proj-secret");
    expect(JSON.stringify(host.calls.filter(({ name }) => name !== "connections/add"))).not.toContain(
      "secret",
    );
  });
});

it("is what the button opens while there is no connection, also in a conversation", async () => {
  host.emit(session(), user("Hello"));
  await openPanel();
  await page.getByTestId("model-picker").click();
  await maker("mistral").click();
  await expect.poll(() => focused()).toBe("set-up-key");
  await page.keyboard.insertText("key");
  await page.keyboard.press("Enter");
  await option("gpt-4.1").click();
  expect(await host.called("models/choose")).toMatchObject({ name: "openai/gpt-4.1" });
  await expect.poll(() => focused()).toBe("chat-input");
});

describe("a local server", () => {
  it("with one model is ready after one press, and no port is asked before", async () => {
    host.found = [{ preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3:8b"] }];
    host.adding = () => {
      host.emit({ type: "model", chosen: { act: "ollama/qwen3:8b" } });
      return { name: "ollama", models: [] };
    };
    await openPanel();
    await page.getByTestId("find-local").waitFor();
    expect(host.named("connections/find")).toEqual([]);
    await page.getByTestId("find-local").click();
    expect(await host.called("connections/add")).toEqual({
      preset: "ollama",
      api: "chat",
      baseUrl: "http://127.0.0.1:11434/v1",
      model: "qwen3:8b",
    });
    await expect.poll(() => focused()).toBe("chat-input");
    await page.getByRole("button", { name: "Write tests for @/src/cats.js" }).waitFor();
  });
});

describe("what is wrong", () => {
  it("a key of another maker: one press sets up that maker with it", async () => {
    host.adding = ({ preset }) =>
      preset === "anthropic"
        ? { name: "anthropic", models: [{ name: "anthropic/claude", facts: {} }] }
        : {
            models: [],
            problem: connectionProblem("key-of-another", "Anthropic", {
              fix: { type: "preset", preset: "anthropic" },
            }),
          };
    await openPanel({ width: 250 });
    await maker("openai").click();
    await key().fill("sk-ant-1");
    await page.keyboard.press("Enter");
    await expect.poll(() => problem().textContent()).toContain("API key: This is an API key of Anthropic.");
    await expect.poll(() => key().getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => overflow()).toBe(0);
    await page.getByTestId("connection-fix").click();
    await page.getByRole("heading", { name: "Anthropic" }).waitFor();
    await expect.poll(() => key().inputValue()).toBe("sk-ant-1");
    await page.keyboard.press("Enter");
    await option("claude").waitFor();
  });
});
