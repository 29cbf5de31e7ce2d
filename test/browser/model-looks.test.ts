/** The choice of a model and the setup as they look, and what axe finds in them; pictures go to test-results/panel. */
import { describe, expect, it } from "vitest";
import { connectionProblem } from "../../src/shared/models/connection-problem.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { message, session, user } from "./support/events.ts";
import { someModels, withModels } from "./support/some-models.ts";
import { host, input, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

describe.each<[ThemeName, number, "en" | "ja"]>([
  ["dark", 250, "en"],
  ["light", 250, "ja"],
  ["dark", 340, "ja"],
  ["light", 340, "en"],
  ["dark", 600, "en"],
  ["light", 600, "ja"],
  ["high-contrast", 340, "en"],
])("%s, %i px, %s", (theme, width, language) => {
  it("fits, and axe objects to nothing", async () => {
    const look = async (name: string) => {
      await picture(`models-${name}-${theme}-${width}-${language}`);
      expect.soft(await findings(page), name).toEqual([]);
      expect.soft(await overflow(), name).toBe(0);
    };
    const ready = host.setup;
    host.setup = { ...ready, models: { act: "" }, connections: [] };
    host.found = [
      { preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3:8b", "gpt-oss:20b"] },
      {
        preset: "vllm",
        baseUrl: "http://127.0.0.1:8000/v1",
        models: ["org/model-with-a-long-name-awq-int4"],
      },
    ];
    host.adding = ({ preset }) => {
      if (preset === "openai")
        return {
          models: [],
          problem: connectionProblem("key-of-another", "Anthropic", {
            fix: { type: "preset", preset: "anthropic" },
          }),
        };
      return { name: preset, models: someModels.openai?.models ?? [] };
    };
    await openPanel({ theme, width, ...(language === "ja" ? { boot: japanese } : {}) });
    await page.getByTestId("find-local").waitFor();
    await look("set-up");
    await page.getByTestId("maker-azure").click();
    await page.getByTestId("set-up-address").waitFor();
    await look("set-up-address");
    await page.locator(".set-up-form vscode-button").last().click();
    await page.getByTestId("maker-openai").click();
    await page.getByTestId("set-up-key").fill("sk-ant-1");
    await page.keyboard.press("Enter");
    await page.getByTestId("connection-fix").waitFor();
    await look("set-up-problem");
    await page.getByTestId("connection-fix").click();
    await page.getByTestId("set-up-continue").click();
    await page.getByTestId("model-option").last().waitFor();
    await look("set-up-model");
    await page.locator(".set-up vscode-button").last().click();
    await page.getByTestId("find-local").click();
    await page.getByTestId("model-option").last().waitFor();
    await look("set-up-found");
    withModels(host);
    host.server.notify("host/setup", { ...ready, connections: host.setup.connections });
    host.emit(session(), user("Explain it."), {
      type: "message",
      message: message("assistant", {
        blocks: [{ type: "text", text: "It has one file." }],
        model: "tiny-model",
        connection: "llamacpp",
      }),
    });
    await page.locator("[data-kind=text]").waitFor();
    await look("button");
    await input().fill("@");
    await page.getByTestId("mention-option").filter({ hasText: "gpt-4.1" }).waitFor();
    await look("mention");
    await input().fill("");
    await page.getByTestId("model-picker").click();
    await page.getByTestId("model-option").nth(4).waitFor();
    await page.getByTestId("connection-problem").first().waitFor();
    await look("picker");
    await page.getByTestId("add-connection").click();
    await page.getByTestId("connection").last().waitFor();
    await look("connections");
    await page.keyboard.press("Escape");
    await input().waitFor();
  });
});
