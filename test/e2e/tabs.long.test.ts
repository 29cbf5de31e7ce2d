/**
 * Sessions in editor tabs of their own beside the side bar: each with its approval and draft, over a switch, a close and a reload.
 * test/unit/vscode/{panels,drafts} prove for `npm test` which session and which draft belong to each place, and test/browser/project
 * what a panel shows of several tasks.
 */
import { expect, it } from "vitest";
import { clickOn } from "../support/pointer.ts";
import { begin, listed, openWindow, row, server, tab, title, view, vscode } from "./support/places.ts";

openWindow();

it("a task of the list opens in a tab of its own, and the side bar keeps what it shows", async () => {
  await begin("alpha");
  await view.getByTestId("approve").waitFor();
  await begin("beta");
  await server.waitForHold("beta-1");
  const item = listed(view, "alpha", "Needs approval");
  await clickOn(item, item.getByTestId("session-in-tab"));
  await tab.getByTestId("approve").waitFor();
  await title(tab, "alpha").waitFor();
  await title(view, "beta").waitFor();
  await vscode.tab("Task alpha").waitFor();
  await listed(tab, "beta", "Working").waitFor();
  await vscode.screenshot("tabs-two");
});

it("has a composer of its own, and the keys of the place that the user is in", async () => {
  await tab.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("for alpha");
  await expect.poll(() => view.getByTestId("chat-input").inputValue()).toBe("");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await row(tab, "text", "That is all.").waitFor();
  expect(vscode.workspace?.exists("alpha.txt")).toBe(true);
  await row(view, "text", "beta: first, ").waitFor();
  // Approved, the proposal is closed, which may move the focus.
  await vscode.tab("alpha.txt").waitFor({ state: "detached" });
});

it("the session of the side bar opens in a further tab, which stays in step with it and works on alone", async () => {
  await view.getByTestId("chat-input").click();
  await view.locator("[data-testid=chat-input]:focus").waitFor();
  await vscode.runCommand("Nekode: Open in Editor");
  await title(tab, "beta").waitFor();
  server.release("beta-1");
  for (const place of [view, tab]) await row(place, "text", "beta: first, second, ").waitFor();
  await begin("gamma");
  await view.getByTestId("approve").waitFor();
  await title(tab, "beta").waitFor();
  // A key acts on the side bar again.
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("x");
  await row(view, "text", "That is all.").waitFor();
  expect(vscode.workspace?.exists("gamma.txt")).toBe(false);
  await row(tab, "text", "beta: first, second, ").waitFor();
});

it("the history opens a task in the tab that has it", async () => {
  await vscode.titleAction("Show History");
  await view.getByRole("button", { name: "More actions for Task alpha" }).click();
  await view.getByTestId("history-in-tab").click();
  await title(tab, "alpha").waitFor();
  await vscode.screenshot("tabs-history");
  await expect.poll(() => vscode.tab("Task").count()).toBe(2);
  await view.getByRole("button", { name: /^Back/ }).click();
});

it("a closed tab leaves its task working in the background; opened again, it has the draft", async () => {
  await vscode.tab("Task alpha").click();
  await title(tab, "alpha").waitFor();
  server.setScript({
    turns: [{ times: true, answer: [{ text: "More, " }, { hold: "more" }, { text: "and done." }] }],
  });
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for alpha");
  await tab.getByTestId("chat-input").press("Enter");
  await server.waitForHold("more");
  await tab.getByTestId("chat-input").fill("later");
  await vscode.runCommand("View: Close Editor");
  await listed(view, "alpha", "Working").waitFor();
  server.release("more");
  const done = listed(view, "alpha", "Done");
  await done.hover();
  await vscode.screenshot("tabs-closed");
  await clickOn(done, done.getByTestId("session-in-tab"));
  await row(tab, "text", "More, and done.").waitFor();
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("later");
  await listed(view, "alpha", "").waitFor({ state: "detached" });
});

it("a button in a tab's title means that tab, although the focus stays in the side bar", async () => {
  await view.getByTestId("chat-input").click();
  await view.locator("[data-testid=chat-input]:focus").waitFor();
  const titleBar = vscode.page.locator(".editor-group-container.active .editor-actions");
  await titleBar.getByRole("button", { name: /^Show History/ }).click();
  await tab.getByTestId("history-search").waitFor();
  await tab.getByRole("button", { name: /^Back/ }).click();
});
