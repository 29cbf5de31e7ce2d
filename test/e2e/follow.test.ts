/** Following the agent: its files appear in an editor while the user types in the panel, until they use an editor. */
import { expect, it } from "vitest";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

inUsualWindow();

it("shows what the agent reads, leaves the keys in the message, and ends when the user clicks into an editor", async () => {
  const read = (path: string) => ({ tool: "read_file", params: { path } });
  server.setScript({
    turns: [
      { match: { request: 1 }, answer: [read("notes.txt")] },
      { match: { request: 2 }, answer: [{ hold: "second" }, read("a.txt")] },
      { match: { request: 3 }, answer: [{ hold: "third" }, read("notes.txt")] },
      { match: { request: 4 }, answer: [{ tool: "attempt_completion", params: { result: "Read." } }] },
    ],
  });
  await vscode.workspace?.write("notes.txt", "the notes\n");
  await vscode.runCommand("Nekode: Follow in Editor");
  await vscode.send("Read both");
  await vscode.tab("notes.txt").waitFor();
  await vscode.page.keyboard.type("first, ");
  server.release("second");
  await vscode.tab("a.txt").waitFor();
  await vscode.page.keyboard.type("second");
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toBe("first, second");
  await vscode.screenshot("follow");
  const stop = vscode.page.getByRole("button", { name: "Stop Following in Editor" });
  await stop.waitFor();
  await vscode.page.locator(".editor-group-container.active .view-lines").click();
  await stop.waitFor({ state: "detached" });
  server.release("third");
  await vscode.row("result", "Read.").waitFor();
  expect(await vscode.editorText()).toEqual(["a", ""]);
});
