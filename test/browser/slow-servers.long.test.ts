/**
 * Messages that wait for a slow MCP server, in the panel, on the product's own agent: seen, stopped, and never lost. What the agent
 * does is in test/unit/core/loop/from-servers.test.ts, and that no draft is lost in drafts.test.ts.
 */
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, it } from "vitest";
import { gate } from "../support/gate.ts";
import { memoryServers, serverTool } from "../support/memory-servers.ts";
import type { Panel } from "./support/panel-page.ts";
import { RealHost } from "./support/real-host.ts";
import { panelServer } from "./support/suite.ts";

let host: RealHost;
let panel: Panel;
let page: Page;
beforeAll(async () => {
  await panelServer();
});
afterEach(async () => {
  expect(panel.complaints).toEqual([]);
  await panel.close();
  await host.close();
});

/** The panel with a server whose prompt `slow` never answers, and whose tool does when `release` is called. */
async function openPanel(): Promise<{ release(): void }> {
  const call = gate();
  const { project } = memoryServers({
    servers: {
      weather: {
        tools: [serverTool("look")],
        prompts: [{ name: "slow", arguments: [] }],
        prompt: () => new Promise(() => {}),
        async call() {
          await call.passed;
          return { content: [], isError: false };
        },
      },
    },
  });
  const look = {
    tool: "use_mcp_tool",
    params: { server_name: "weather", tool_name: "look", arguments: "{}" },
  };
  host = await RealHost.start(
    {
      turns: [
        { match: { firstUser: "look" }, answer: [look] },
        { times: true, answer: [{ text: "The end." }] },
      ],
    },
    { servers: project, approval: { mcp: true } },
  );
  panel = await (await panelServer()).open({ host, width: 320 });
  page = panel.page;
  await input().waitFor();
  return { release: call.open };
}

const input = () => page.getByTestId("chat-input");
const row = (kind: string) => page.locator(`[data-testid=row][data-kind=${kind}]`);
const waits = () => row("notice").filter({ hasText: "Waiting for the MCP server weather" });
async function send(text: string): Promise<void> {
  await input().fill(text);
  await input().press("Enter");
}

it("names the server after a second, and Stop returns the message to the input", async () => {
  await openPanel();
  await send("begin");
  await row("text").waitFor();
  await send("/weather:slow now");
  await waits().waitFor();
  await page.locator(".status", { hasText: "Working…" }).waitFor();
  await page.getByTestId("stop").click();
  await page.getByRole("alert").getByText("Your message was restored to the input").waitFor();
  await expect.poll(() => input().inputValue()).toBe("/weather:slow now");
  await expect.poll(() => page.getByTestId("stop").count()).toBe(0);
  expect(host.agent.server.requests).toHaveLength(1);
});

it("keeps Stop while a message waits for a server after the task ended", async () => {
  const { release } = await openPanel();
  await send("look");
  await row("tool").waitFor();
  await send("/weather:slow now");
  await waits().waitFor();
  release();
  await row("text").filter({ hasText: "The end." }).waitFor();
  await host.agent.view.active.idle;
  await page.getByTestId("stop").click();
  await page.getByRole("alert").getByText("Your message was restored to the input").waitFor();
  await expect.poll(() => input().inputValue()).toBe("/weather:slow now");
  await expect.poll(() => page.getByTestId("stop").count()).toBe(0);
});

it("gives back an edited message whose prompt is not available", async () => {
  await openPanel();
  await send("begin");
  await row("text").waitFor();
  await row("user").hover();
  await page.getByTestId("edit-message").press("Enter");
  await page.getByTestId("edit-text").fill("/weather:nothing");
  await page.getByTestId("edit-send").click();
  await page.getByRole("alert").getByText("the MCP server weather has no such prompt").waitFor();
  await expect.poll(async () => (await input().inputValue()).trim()).toBe("/weather:nothing");
});
