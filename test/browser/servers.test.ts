/** The MCP servers of a project: what they may run, their state, what they offer, and the ways to change it. */
import { beforeEach, describe, expect, it } from "vitest";
import { japanese } from "./support/boot.ts";
import { someServers } from "./support/fixtures.ts";
import { change, item, items, openServers, unfold } from "./support/servers.ts";
import {
  focused,
  host,
  openPanel,
  overflow,
  page,
  picture,
  servePanels,
  showScreen,
} from "./support/suite.ts";

servePanels({ keepsPanel: true });

beforeEach(() => {
  host.servers = structuredClone(someServers);
});

describe("the list of servers", () => {
  it("shows each with its state in words, where it comes from, and what it offers", async () => {
    await openServers({ width: 250 });
    const heads = await items().evaluateAll((all) =>
      all.map((one) => [one.querySelector("h3")?.textContent, one.querySelector("p")?.textContent]),
    );
    expect(heads).toEqual([
      ["memoryRunning", "Yours, in every project\u00a0· 4 tools · 1 resource · 1 prompt"],
      ["build-toolsWaiting for your approval", "This project's .mcp.json"],
      ["databaseChanged: waiting for your approval", "This project's .vscode/mcp.json"],
      ["issuesSign-in required", "Yours, in every project"],
      ["brokenFailed", "Yours, in every project"],
      ["oldDisabled", "Yours, in every project"],
    ]);
    await item("broken").getByText("Cannot find module").waitFor();
    await expect.poll(overflow).toBe(0);
    await picture("servers-dark-250");
  });

  it("follows what changes, announces new states, and closes on Escape with the focus back", async () => {
    await openPanel();
    showScreen("servers");
    await items().last().waitFor();
    change("memory", {
      state: "failed",
      failure: { reason: { code: "mcp-ended-by", values: ["SIGKILL"] } },
    });
    host.server.notify("servers/changed", {});
    await item("memory").getByText("Reason: the server was ended by SIGKILL").waitFor();
    await page
      .locator(".servers [role=status]", { hasText: /^memory: Failed$/ })
      .waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await page.getByTestId("servers-list").waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("chat-input");
  });
});

describe("a project's server", () => {
  it("shows what it runs, and is approved with exactly that, by keyboard", async () => {
    await openServers();
    const waiting = item("build-tools").getByTestId("server-approval");
    await expect
      .poll(() => waiting.locator(".server-line").allTextContents())
      .toEqual([...["type: stdio", "command: node", "args: tools/server.js", "env: TOKEN=‹U+200B›x"]]);
    const approve = waiting.getByTestId("approve-server");
    await approve.focus();
    change("build-tools", {
      state: "running",
      content: undefined,
      tools: someServers.servers[0]?.tools ?? [],
    });
    await page.keyboard.press("Enter");
    expect(await host.called("servers/trust")).toEqual({
      name: "build-tools",
      content: someServers.servers[1]?.content,
    });
    await waiting.waitFor({ state: "detached" });
    await item("build-tools").getByTestId("server-tool").first().waitFor();
    // The focus stays at the server whose button is gone.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain("build-tools");
  });

  it("shows the difference when it changed", async () => {
    await openServers();
    const lines = item("database").locator(".server-line");
    await expect
      .poll(() => lines.allTextContents())
      .toEqual([
        "  type: stdio",
        "  command: npx",
        "  args: db-server",
        "− Removed: args: --read-only",
        "+ Added: args: --write",
      ]);
    await picture("servers-changed");
  });
});

describe("a server", () => {
  it("is started, stopped, opened in the editor and in its log, as its state allows", async () => {
    await openServers();
    await unfold("memory");
    const words = await item("memory").locator("vscode-button").allTextContents();
    expect(words).toEqual(["Restart", "Stop", "Disable", "Edit configuration", "Show log", "Remove…"]);
    for (const [button, action] of [
      ["Restart", "start"],
      ["Stop", "stop"],
      ["Edit configuration", "edit"],
      ["Show log", "log"],
      ["Disable", "disable"],
    ] as const) {
      const before = host.named("servers/act").length;
      await item("memory")
        .getByRole("button", { name: `${button}: memory` })
        .click();
      expect(await host.called("servers/act", before + 1)).toEqual({ name: "memory", action });
    }
    await unfold("issues");
    await item("issues").getByTestId("server-sign-in").click();
    expect(await host.called("servers/act", 6)).toEqual({ name: "issues", action: "sign-in" });
    await unfold("old");
    await item("old").getByTestId("server-enable").click();
    expect(await host.called("servers/act", 7)).toEqual({ name: "old", action: "enable" });
    await picture("servers-open");
  });

  it("is removed after a second press, and the focus goes to the title", async () => {
    await openServers();
    await unfold("old");
    await item("old").getByTestId("server-forget").click();
    expect(host.named("servers/act")).toEqual([]);
    host.servers = { ...host.servers, servers: host.servers.servers.filter(({ name }) => name !== "old") };
    await item("old").getByTestId("server-forget-yes").click();
    expect(await host.called("servers/act")).toEqual({ name: "old", action: "forget" });
    await expect.poll(() => item("old").count()).toBe(0);
    await expect.poll(() => focused()).toBe("H2");
  });

  it("has its tools switched and allowed one by one", async () => {
    await openServers({ boot: japanese, width: 250, theme: "light" });
    await unfold("memory");
    await page.getByRole("switch", { name: "create_entities" }).click();
    expect(await host.called("servers/tool")).toEqual({
      ...{ name: "memory", tool: "create_entities", choice: "on", on: false },
    });
    const always = page.getByRole("checkbox", { name: "常に許可: read_graph" });
    await expect.poll(() => always.isChecked()).toBe(true);
    await always.focus();
    await page.keyboard.press("Space");
    expect(await host.called("servers/tool", 2)).toEqual({
      ...{ name: "memory", tool: "read_graph", choice: "always", on: false },
    });
    await page.getByRole("checkbox", { name: "delete_entities は読み取りのみ" }).click();
    expect(await host.called("servers/tool", 3)).toEqual({
      ...{ name: "memory", tool: "delete_entities", choice: "reading", on: true },
    });
    await page.getByText("前回許可したあとに説明が変わりました").waitFor();
    await page.getByText("/memory:summarize").waitFor();
    await expect.poll(overflow).toBe(0);
    await picture("servers-tools-ja-250");
  });
});

describe("adding a server", () => {
  it("takes a command, an address or JSON, and closes when it worked", async () => {
    await openServers();
    await page.getByTestId("add-server").click();
    await expect.poll(() => focused()).toBe("add-server-text");
    await page.keyboard.type("npx -y some-server");
    await page.getByTestId("add-server-name").fill("mine");
    host.added = { added: ["mine"], existing: [], problems: [] };
    await picture("servers-add");
    await page.getByTestId("add-server-add").click();
    expect(await host.called("servers/add")).toEqual({
      ...{ text: "npx -y some-server", name: "mine", replace: false },
    });
    expect(await host.called("servers/act")).toEqual({ name: "mine", action: "start" });
    await page.getByTestId("add-server-form").waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("add-server");
  });
});

it("adds a server from the user's list, which is read when it is opened, through the same form", async () => {
  const text = '{ "mcpServers": { "weather": { "command": "npx", "args": ["-y", "weather@1.2.3"] } } }';
  host.gallery = {
    source: "https://example.com/v0/servers",
    servers: [
      { name: "io.github.a/weather", title: "Weather", description: "Forecasts", text },
      { name: "io.github.b/notes", title: "Notes", description: "Keeps notes", text: "{}" },
    ],
  };
  await openPanel({ width: 250 });
  showScreen("servers");
  await page.getByTestId("add-server").click();
  expect(host.named("gallery/list")).toEqual([]);
  await page.getByTestId("browse-servers").click();
  await page.getByTestId("gallery-search").fill("forecast");
  await expect.poll(() => page.getByTestId("gallery-server").count()).toBe(1);
  await picture("gallery-250");
  await page.getByTestId("gallery-server").click();
  await page.getByTestId("gallery").waitFor({ state: "detached" });
  expect(host.named("servers/add")).toEqual([]);
  await page.getByTestId("add-server-add").click();
  expect(await host.called("servers/add")).toEqual({ text, name: "", replace: false });
});
