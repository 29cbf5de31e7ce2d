/**
 * What the last turn changed, after a reload of the window. test/vscode/turn-hunks.test.ts proves what is marked and undone for
 * `npm test`.
 */
import { expect, it } from "vitest";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

inUsualWindow();

const WAS = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join("");
const LEFT = WAS.replace("line 5\n", "fifth\n").replace("line 20\n", "twentieth\nand more\n");

const buttons = () => vscode.page.locator(".codelens-decoration");

async function change(): Promise<void> {
  await vscode.workspace?.write("work.txt", WAS);
  server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [{ tool: "write_to_file", params: { path: "work.txt", content: LEFT } }],
      },
      { times: true, answer: [{ tool: "attempt_completion", params: { result: "Written." } }] },
    ],
  });
  await vscode.send("Write two lines");
  await panel.getByTestId("approve").click();
  await vscode.row("result", "Written.").waitFor();
}

it("is marked again after a reload, also while the panel is hidden, without what was kept", async () => {
  await change();
  await vscode.openFile("work.txt");
  await buttons().getByText("+1 −1").waitFor();
  await buttons().getByText("Keep", { exact: true }).first().click();
  await buttons().getByText("+1 −1").waitFor({ state: "detached" });
  // Another view is in the side bar, so that only the file says that there is something to mark.
  await vscode.runCommand("View: Show Explorer");
  await vscode.reload();
  await vscode.openFile("work.txt");
  await buttons().getByText("+2 −1").waitFor();
  await vscode.screenshot("turn-hunks-reloaded");
  expect(await buttons().getByText("+1 −1").count()).toBe(0);
  await vscode.openPanel();
});
