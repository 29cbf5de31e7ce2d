/** Rare ways to set up a model. set-up.test.ts has a maker with a key, a local server and a wrong key. */
import type { Locator } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { connectionProblem } from "../../src/shared/models/connection-problem.ts";
import type { FakeHost } from "./support/fake-host.ts";
import { maker, option } from "./support/set-up.ts";
import { someModels } from "./support/some-models.ts";
import { focused, host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

beforeEach(() => {
  host.setup = { ...host.setup, models: { act: "" }, connections: [] };
  host.adding = ({ preset }) => ({ name: preset, models: someModels.openai?.models ?? [] });
});

describe("a maker with a key", () => {
  it("opens the page where keys are made, and goes back", async () => {
    await openPanel();
    await maker("mistral").click();
    await page.getByRole("button", { name: "Create a key" }).click();
    expect(await host.called("host/open-link")).toEqual({ url: "https://console.mistral.ai/api-keys" });
    await page.getByRole("button", { name: "Back" }).click();
    await maker("mistral").waitFor();
  });
});

describe("a local server", () => {
  it("with several models needs a choice, grouped by server", async () => {
    host.found = [
      { preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["a", "b"] },
      { preset: "vllm", baseUrl: "http://127.0.0.1:8000/v1", models: ["org/c"] },
    ];
    await openPanel();
    await page.getByTestId("find-local").click();
    await option("org/c").click();
    expect(await host.called("connections/add")).toMatchObject({ preset: "vllm", model: "org/c" });
  });

  it("that is not there, or has no model, is said with what to do", async () => {
    await openPanel();
    await page.getByTestId("find-local").click();
    await page.getByText("No local model server is running.").waitFor();
    await page.getByText("Ollama 11434, LM Studio 1234, llama.cpp 8080, vLLM 8000").waitFor();
    await expect.poll(() => focused()).toBe("set-up-address");
    host.found = [{ preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: [] }];
    await page.getByTestId("find-again").click();
    await page.getByText("Ollama has no models yet.").waitFor();
    await page.getByTestId("enter-address").click();
    await expect.poll(() => focused()).toBe("set-up-address");
  });
});

describe("a first answer", () => {
  const local = (...models: string[]) => [
    { preset: "ollama" as const, baseUrl: "http://127.0.0.1:11434/v1", models },
  ];
  /** What is clicked, and what is typed and sent with Enter. */
  type Step = { click: () => Locator } | { type: string };
  const find: Step = { click: () => page.getByTestId("find-local") };
  const model: Step = { click: () => option("gpt-4.1").first() };
  const ways: [way: string, found: FakeHost["found"], clicks: number, steps: Step[]][] = [
    ["a local server with one model", local("qwen3:8b"), 1, [find]],
    ["a local server with several", local("a", "b"), 2, [find, { click: () => option("b") }]],
    ["a local server at another port", [], 2, [find, { type: "http://127.0.0.1:9000/v1" }, model]],
    ["a provider", [], 2, [{ click: () => maker("openai") }, { type: "sk-proj-abc" }, model]],
    ["another endpoint", [], 2, [{ click: () => maker("other") }, { type: "https://a.example/v1" }, model]],
  ];

  it.each(ways)(
    "from %s needs no more clicks than docs/figures.md says",
    async (_way, found, clicks, steps) => {
      host.found = found;
      await openPanel();
      let clicked = 0;
      for (const step of [...steps, { type: "Hello" }]) {
        if ("click" in step) {
          await step.click().click();
          clicked++;
          continue;
        }
        const field = step.type === "Hello" ? "chat-input" : /^set-up-(address|key)$/;
        await expect.poll(() => focused()).toMatch(field);
        await page.keyboard.insertText(step.type);
        await page.keyboard.press("Enter");
      }
      expect(await host.called("chat/send")).toEqual({ text: "Hello" });
      expect(clicked).toBe(clicks);
    },
  );
});

describe("what is wrong", () => {
  it("an address without a version: one press uses the one that answers", async () => {
    host.adding = ({ baseUrl }) =>
      baseUrl.endsWith("/v1")
        ? { name: "endpoint", models: [{ name: "endpoint/m", facts: {} }] }
        : {
            models: [],
            problem: connectionProblem("no-version", baseUrl, {
              fix: { type: "address", baseUrl: `${baseUrl}/v1` },
            }),
          };
    await openPanel();
    await maker("other").click();
    await expect.poll(() => focused()).toBe("set-up-address");
    await page.keyboard.insertText("http://192.168.1.5:9000");
    await page.keyboard.press("Enter");
    await page.getByTestId("connection-fix").click();
    expect(await host.called("connections/add", 2)).toMatchObject({ baseUrl: "http://192.168.1.5:9000/v1" });
    await option("m").waitFor();
  });

  it("an endpoint without a list: the model is typed", async () => {
    host.adding = ({ unlisted }) =>
      unlisted
        ? { name: "endpoint", models: [] }
        : { models: [], problem: connectionProblem("no-list", "http://x/v1") };
    await openPanel();
    await maker("other").click();
    await expect.poll(() => focused()).toBe("set-up-address");
    await page.keyboard.insertText("http://x/v1");
    await page.keyboard.press("Enter");
    await page.getByTestId("unlisted").click();
    await expect.poll(() => focused()).toBe("model-search");
    await page.keyboard.type("my-model");
    await page.keyboard.press("Enter");
    expect(await host.called("models/choose")).toEqual({ name: "endpoint/my-model", mode: "act" });
  });
});

it("an address is edited in its connection, and checked at once", async () => {
  host.models = {
    connections: [
      {
        name: "mine",
        api: "chat",
        baseUrl: "http://10.0.0.7:9000",
        hasKey: false,
        isLocal: false,
        isRemovable: true,
      },
    ],
    favorites: [],
    recents: [],
    badEntries: [],
  };
  await openPanel();
  await input().fill("/help");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Connections", exact: true }).click();
  await page.getByTestId("connection-edit").click();
  await expect.poll(() => focused()).toBe("connection-address");
  await page.getByTestId("connection-address").fill("http://10.0.0.7:9000/v1");
  await page.keyboard.press("Enter");
  expect(await host.called("connections/set-address")).toEqual({
    name: "mine",
    baseUrl: "http://10.0.0.7:9000/v1",
  });
  await host.called("connections/test");
  await page.getByTestId("connection-address").waitFor({ state: "detached" });
});
