/**
 * A turn as a user reads it: its work in one line, its changes in a strip that can be reviewed, undone and committed, and the way back.
 * test/browser/turns, test/vscode/changes and test/unit/vscode prove its steps for `npm test`.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startModelServer } from "../model-server/server.ts";
import { clickOn } from "../support/pointer.ts";
import { openWorkbench } from "./support/index.ts";

it("folds its work, undoes one file, puts a commit message where Git wants it, and goes back with its files", async () => {
  const turns = [
    [{ tool: "read_file", params: { path: "a.txt" } }],
    [{ tool: "write_to_file", params: { path: "a.txt", content: "changed\n" } }],
    [{ tool: "write_to_file", params: { path: "b.txt", content: "new\n" } }],
    [{ text: "Both files are done." }],
    [{ tool: "write_to_file", params: { path: "c.txt", content: "made\n" } }],
    [{ tool: "write_to_file", params: { path: "d.txt", content: "changed\n" } }],
    [{ tool: "write_to_file", params: { path: "e.txt", content: "changed\n" } }],
    [{ text: "Three more are done." }],
  ];
  const server = await startModelServer({
    script: {
      turns: [
        {
          match: { system: "Write a Git commit message" },
          answer: [{ text: "```\nfeat: change a file\n\nBecause the cat wanted it.\n```" }],
        },
        { match: { said: "Once again" }, times: true, answer: [{ text: "From here." }] },
        ...turns.map((answer, index) => ({ match: { request: index + 1 }, answer })),
      ],
    },
  });
  const vscode = await openWorkbench({
    files: { "a.txt": "a\n", "d.txt": "d\n", "e.txt": "e\n" },
    git: true,
    modelServer: { baseUrl: server.url },
    // In a browser, VS Code saves by itself unless it is told not to.
    settings: { "nekode.approval.edit": true, "files.autoSave": "off" },
  });
  try {
    const panel = await vscode.openPanel();
    await vscode.send("Change the files");
    await vscode.row("text", "Both files are done.").waitFor();
    const work = panel.getByTestId("work");
    await expect
      .poll(() => work.allTextContents())
      .toEqual([expect.stringMatching(/^Explored 1 file, edited 2/)]);
    const strip = panel.getByTestId("review-strip");
    await strip.getByText("2 files changed").waitFor();
    await strip.getByText("b.txt").waitFor();
    await vscode.screenshot("turn-strip");

    await clickOn(
      strip.locator(".strip-file", { hasText: "b.txt" }),
      strip.getByRole("button", { name: "Undo changes in b.txt" }),
    );
    const file = (name: string) => path.join(vscode.workspace?.folder ?? "", name);
    await expect.poll(() => readFile(file("b.txt"), "utf8").catch(() => "gone")).toBe("gone");
    expect(await readFile(file("a.txt"), "utf8")).toBe("changed\n");

    await panel.getByTestId("commit-message").click();
    const told = await vscode.holdNotification("The commit message is in the Source Control view.");
    // Beside the conversation, so that it has no row.
    await expect.poll(() => vscode.row("user").count()).toBe(1);
    await told.getByRole("button", { name: "Open Source Control" }).click();
    const box = vscode.page.locator(".scm-view .scm-input");
    await box.getByText("feat: change a file").waitFor();
    await vscode.screenshot("turn-commit-message");
    // Its request has the differences alone.
    const request = server.requests.at(-1)?.text ?? "";
    expect(request).toContain("-a\\n+changed");
    expect(request).not.toContain("b.txt");
    expect(request).not.toContain("Both files are done");

    // Edited and sent anew, with the files as they were; what the user typed and did not save stays.
    await vscode.openPanel();
    await vscode.send("And three more");
    await vscode.row("text", "Three more are done.").waitFor();
    await vscode.openFile("d.txt");
    await vscode.openFile("e.txt");
    await vscode.page.keyboard.insertText("mine, ");
    const message = vscode.row("user", "And three more");
    await clickOn(message, message.getByTestId("edit-message"));
    await panel.getByTestId("edit-text").click();
    await vscode.page.keyboard.press("ControlOrMeta+a");
    await vscode.page.keyboard.insertText("Once again");
    await vscode.page.keyboard.press("Enter");
    const question = vscode.page.locator(".monaco-dialog-box");
    await question.getByText("Restore the files to before this message too?").waitFor();
    await vscode.screenshot("edit-restore-question");
    const asked = (await question.textContent()) ?? "";
    expect(asked).toMatch(/c\.txt \(will be deleted\)\s*d\.txt/);
    await vscode.answerDialog("Cancel");
    expect(await readFile(file("c.txt"), "utf8")).toBe("made\n");
    // The editor of the message is still there with its words, and takes Enter once the panel knows of the answer.
    await panel.getByTestId("edit-send").and(panel.locator("[aria-disabled=false]")).waitFor();
    await panel.getByTestId("edit-text").click();
    await vscode.page.keyboard.press("Enter");
    await question.waitFor();
    await vscode.answerDialog("Send and Restore Files");
    await vscode.row("text", "From here.").waitFor();
    expect(await readFile(file("c.txt"), "utf8").catch(() => "gone")).toBe("gone");
    expect(await readFile(file("d.txt"), "utf8")).toBe("d\n");
    expect(await readFile(file("e.txt"), "utf8")).toBe("changed\n");
    await expect.poll(() => vscode.editorText()).toEqual(["mine, changed", ""]);
    await vscode.tab("d.txt").click();
    await expect.poll(() => vscode.editorText()).toEqual(["d", ""]);
    await vscode.screenshot("edit-restored");
    expect(server.refusals).toEqual([]);
  } finally {
    await server.close();
  }
});
