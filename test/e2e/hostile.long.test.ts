/**
 * A workspace that is not trusted, and one that the user comes to trust. The unit tests of rules, workflows, settings and commands prove
 * each of these for `npm test`, and those of the editor's host that trust is asked for at each call.
 */
import { expect, it } from "vitest";
import { openUntrusted } from "./support/untrusted-window.ts";

it("is trusted from the next task on, without a reload", async () => {
  const { server, vscode } = await openUntrusted({
    turns: [{ match: { request: 1 }, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] }],
  });
  await vscode.openPanel();
  await vscode.send("Do nothing");
  await vscode.row("result").filter({ hasText: "Done." }).waitFor();
  server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [{ tool: "execute_command", params: { command: "touch ran", requires_approval: false } }],
      },
      { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "It ran." } }] },
    ],
  });
  await vscode.runCommand("Workspaces: Manage Workspace Trust");
  const trust = vscode.page.locator(".workspace-trust-editor").getByRole("button", { name: /^Trust/ });
  await trust.first().click();
  await vscode.page.locator(".workspace-trust-editor").getByText("You trust this folder").waitFor();
  await vscode.closeModal();
  await vscode.newTask();
  await vscode.row("result").waitFor({ state: "detached" });
  await vscode.screenshot("trusted-now");
  await vscode.send("Run it");
  await vscode.row("result").filter({ hasText: "It ran." }).waitFor();
  expect(vscode.workspace?.exists("ran")).toBe(true);
  const trusted = JSON.stringify(server.chat(server.requests.length));
  expect(trusted).toContain("BANANA-RULE");
  // What counts as the user's own words is never a workspace's to set.
  expect(trusted).not.toContain("Klingon");
});

const REFUSED = {
  turns: [
    {
      match: { request: 1 },
      answer: [{ tool: "execute_command", params: { command: "touch ran", requires_approval: false } }],
    },
    { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "Refused." } }] },
  ],
};

it("takes nothing from a workspace that is not trusted, and runs nothing in it", async () => {
  const { server, vscode } = await openUntrusted(REFUSED);
  const panel = await vscode.openPanel();
  await vscode.screenshot("untrusted");
  await panel.getByText("This folder is not trusted. Its rules and commands are ignored.").waitFor();
  await panel.getByTestId("chat-input").fill("/");
  await panel.getByTestId("slash-option").first().waitFor();
  expect(await panel.getByTestId("slash-option").filter({ hasText: "deploy" }).count()).toBe(0);
  await panel.getByTestId("chat-input").fill("");
  await vscode.send("Run it");
  await vscode.row("result").filter({ hasText: "Refused." }).waitFor();
  expect(vscode.workspace?.exists("ran")).toBe(false);
  expect(JSON.stringify(server.chat(2).messages)).toMatch(/not trusted/);
  const sent = JSON.stringify(server.chat(1));
  expect(sent).not.toContain("BANANA-RULE");
  expect(sent).not.toContain("Klingon");
  await vscode.screenshot("untrusted-refused");
});
