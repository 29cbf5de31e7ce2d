/** The MCP servers of a project: what they may run, their state, what they offer, and the ways to change it. */
import { beforeEach, describe, expect, it } from "vitest";
import type { ListedServer } from "../../src/shared/server-list.ts";
import { japanese } from "./support/boot.ts";
import { someServers } from "./support/fixtures.ts";
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

servePanels();
beforeEach(() => {
  host.servers = structuredClone(someServers);
});

const items = () => page.getByTestId("server-item");
const item = (name: string) => items().filter({ has: page.locator(".server-name", { hasText: name }) });
async function openServers(options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  await openPanel({ width: 320, height: 900, ...options });
  showScreen("servers");
  await items().last().waitFor();
}
async function unfold(name: string): Promise<void> {
  await item(name).locator(".server-head").click();
}
function change(name: string, more: Partial<ListedServer>): void {
  host.servers = {
    ...host.servers,
    servers: host.servers.servers.map((server) => (server.name === name ? { ...server, ...more } : server)),
  };
}

describe("the list of servers", () => {
  it("shows each with its state in words, where it comes from, and what it offers", async () => {
    await openServers({ width: 250 });
    const heads = await items().evaluateAll((all) =>
      all.map((one) => [one.querySelector("h3")?.textContent, one.querySelector("p")?.textContent]),
    );
    expect(heads).toEqual([
      ["memoryRunning", "Yours, in every project · 4 tools · 1 resource · 1 prompt"],
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

  it("says why a server failed in the user's language, with what the server printed as its words", async () => {
    await openServers({ boot: japanese, width: 250 });
    const failure = item("broken").getByTestId("server-error");
    await failure.scrollIntoViewIfNeeded();
    await expect
      .poll(() => failure.locator("p").allTextContents())
      .toEqual(["理由: サーバーがコード 1 で終了しました", "サーバーの最後の出力:"]);
    await expect
      .poll(() => failure.locator("pre").textContent())
      .toMatch(/^node:internal.*\nError: Cannot find module/);
    await expect.poll(overflow).toBe(0);
    await picture("servers-failed-ja-250");
  });

  it("names what is wrong in the files with its place, which opens", async () => {
    await openServers();
    const problem = page.getByTestId("server-problem");
    await expect
      .poll(() => problem.textContent())
      .toBe("half: the entry has no command and no url/project/.mcp.json:9");
    await problem.getByRole("button").click();
    expect(await host.called("servers/open")).toEqual({ file: "/project/.mcp.json", line: 9 });
    await page.getByRole("button", { name: "Open configuration file" }).click();
    expect(await host.called("servers/open", 2)).toEqual({ file: someServers.userFile, line: 1 });
  });

  it("says why a workspace's servers are missing, and that there are none", async () => {
    host.servers = { ...someServers, servers: [], problems: [], untrustedWorkspace: true };
    await openPanel();
    showScreen("servers");
    await page.getByText("you have not trusted the workspace").waitFor();
    await page.getByText("No server is configured yet.").waitFor();
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

  it("that cannot be approved any more says so", async () => {
    host.failing.set("servers/trust", "The configuration of build-tools changed meanwhile.");
    await openServers();
    await item("build-tools").getByTestId("approve-server").click();
    await page.getByTestId("servers-list").getByRole("alert").getByText("changed meanwhile").waitFor();
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

  it("can be signed out of where the user signed in", async () => {
    change("memory", { signedIn: true });
    await openServers({ boot: japanese, width: 250 });
    for (const { name } of someServers.servers) await unfold(name);
    await expect.poll(() => page.getByTestId("server-sign-out").count()).toBe(1);
    await page.getByRole("button", { name: "サインアウト: memory" }).click();
    expect(await host.called("servers/act")).toEqual({ name: "memory", action: "sign-out" });
    await expect.poll(overflow).toBe(0);
    await picture("servers-signed-in-ja-250");
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
    await page.getByTestId("add-server-form").waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("add-server");
  });

  it("says what is wrong, and replaces an entry only on another press", async () => {
    await openServers();
    await page.getByTestId("add-server").click();
    await page.getByTestId("add-server-text").fill("{}");
    host.added = {
      added: [],
      existing: [],
      problems: [{ reason: { code: "no-server-in-text", values: [] } }],
    };
    await page.getByTestId("add-server-add").click();
    await page.getByRole("alert").getByText("the text contains no configuration of an MCP server").waitFor();
    host.added = { added: [], existing: ["memory"], problems: [] };
    await page.getByTestId("add-server-add").click();
    await page.getByText("Already in your configuration and left unchanged: memory").waitFor();
    host.added = { added: ["memory"], existing: [], problems: [] };
    await page.getByTestId("add-server-replace").click();
    expect(await host.called("servers/add", 3)).toMatchObject({ replace: true });
    await page.getByTestId("add-server-form").waitFor({ state: "detached" });
  });
});
