/** Sessions in editor tabs over a reload of the window; test/e2e/reload proves for `npm test` what a reload is. */
import { expect, it } from "vitest";
import { clickOn } from "../support/pointer.ts";
import { begin, listed, openWindow, row, server, tab, title, view, vscode } from "./support/places.ts";

openWindow();

it("a reload restores each place with its own session and draft", async () => {
  await begin("alpha");
  await view.getByTestId("approve").waitFor();
  await begin("beta");
  await server.waitForHold("beta-1");
  const alpha = listed(view, "alpha", "Needs approval");
  await clickOn(alpha, alpha.getByTestId("session-in-tab"));
  await title(tab, "alpha").waitFor();
  await tab.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("for alpha");
  await view.getByTestId("chat-input").click();
  await view.locator("[data-testid=chat-input]:focus").waitFor();
  await vscode.runCommand("Nekode: Open in Editor");
  await title(tab, "beta").waitFor();
  await begin("gamma");
  await view.getByTestId("approve").waitFor();

  await vscode.tab("Task beta").click();
  await title(tab, "beta").waitFor();
  await tab.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("for beta");
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for beta");
  const before = server.requests.length;
  const loaded = vscode.page.waitForEvent("load");
  await vscode.runCommand("Developer: Reload Window");
  await loaded;
  await title(tab, "beta").waitFor();
  await row(tab, "notice", "interrupted").waitFor();
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for beta");
  await title(view, "gamma").waitFor();
  await expect.poll(() => view.getByTestId("chat-input").inputValue()).toBe("");
  await vscode.tab("Task alpha").click();
  await title(tab, "alpha").waitFor();
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for alpha");
  await vscode.screenshot("tabs-reloaded");
  expect(server.requests).toHaveLength(before);
});
