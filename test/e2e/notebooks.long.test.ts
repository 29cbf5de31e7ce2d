/** A notebook in a real window: a cell is edited with approval, and run in the kernel of an extension. */
import { expect, it } from "vitest";
import { JUPYTER } from "../support/notebooks.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

inUsualWindow();

const newestRequest = () => JSON.stringify(server.requests.at(-1)?.body);

it("a cell is edited as its lines, and runs in the kernel beside the editor", async () => {
  await vscode.workspace?.write("cats.ipynb", JUPYTER);
  const cell = { path: "cats.ipynb", cell: "load" };
  server.setScript({
    turns: [
      { match: { request: 1 }, answer: [{ tool: "read_file", params: { path: "cats.ipynb" } }] },
      {
        match: { request: 2 },
        answer: [
          { tool: "edit_notebook", params: { ...cell, operation: "replace", source: "x = 2\nprint(x)" } },
        ],
      },
      { match: { request: 3 }, answer: [{ tool: "run_cell", params: cell }] },
      { match: { request: 4 }, answer: [{ tool: "attempt_completion", params: { result: "It ran." } }] },
    ],
  });
  await vscode.send("Set x to 2 and run it");
  const edit = vscode.row("approval", "x = 2");
  await edit.waitFor();
  expect(newestRequest()).toContain("## Cell load (code, run 2)");
  // The card has lines of the cell, not of the file's JSON.
  await vscode.row("approval", /x = 1[\s\S]*x = 2/).waitFor();
  await expect.poll(() => edit.innerText()).not.toContain('"');
  await vscode.screenshot("an edit of a cell asks");
  await panel.getByTestId("approve").click();
  await vscode.row("approval", /x = 2\s+print\(x\)[\s\S]*runs the code itself/).waitFor();
  expect(await vscode.workspace?.read("cats.ipynb")).toBe(JUPYTER.replace("x = 1", "x = 2"));
  await vscode.screenshot("a run of a cell asks");
  await panel.getByTestId("approve").click();
  await vscode.row("result", "It ran.").waitFor();
  expect(newestRequest()).toContain("The cell ran. Output:\\nX = 2\\nPRINT(X)");
  await vscode.page.getByText("PRINT(X)").first().waitFor();
  await vscode.screenshot("a cell ran");
});
