/** Rare states of servers. servers.test.ts has the list, the approval, the actions, the tools and how one is added. */
import { beforeEach, describe, expect, it } from "vitest";
import { japanese } from "./support/boot.ts";
import { someServers } from "./support/fixtures.ts";
import { change, item, openServers, unfold } from "./support/servers.ts";
import { host, openPanel, overflow, page, picture, servePanels, showScreen } from "./support/suite.ts";

servePanels();

beforeEach(() => {
  host.servers = structuredClone(someServers);
});

describe("the list of servers", () => {
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
});

describe("a project's server", () => {
  it("that cannot be approved any more says so", async () => {
    host.failing.set("servers/trust", "The configuration of build-tools changed meanwhile.");
    await openServers();
    await item("build-tools").getByTestId("approve-server").click();
    await page.getByRole("region").getByRole("alert").getByText("changed meanwhile").waitFor();
  });
});

describe("a server", () => {
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
});

describe("adding a server", () => {
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
