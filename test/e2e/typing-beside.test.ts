/** The user types in another editor while the agent works: nothing that happens by itself takes the focus. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { watchFocus } from "./support/focus.ts";
import { API_KEY } from "./support/servers.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

inUsualWindow();

it("leaves the keyboard to the user, whatever happens by itself, and the key out of the panel and every log", async () => {
  const refusal = { error: { message: `Incorrect API key provided: ${API_KEY}`, code: "invalid_api_key" } };
  const body = JSON.stringify(refusal);
  const steps = (one: string, two: string) => `- [${one}] look\n- [${two}] write`;
  server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [
          {
            tool: "read_file",
            params: { path: "work.txt", task_progress: steps(" ", " ") },
          },
        ],
      },
      {
        match: { request: 2 },
        answer: [
          { text: "Now " },
          { hold: "command" },
          {
            tool: "execute_command",
            params: { command: "echo ran", requires_approval: false, task_progress: steps("x", " ") },
          },
        ],
      },
      {
        match: { request: 3 },
        answer: [
          { hold: "edit" },
          { tool: "write_to_file", params: { path: "work.txt", content: "MELON-CONTENT\n" } },
        ],
      },
      {
        match: { request: 4 },
        fault: { kind: "body", status: 401, contentType: "application/json", body },
        answer: [],
      },
    ],
  });
  await vscode.send("Look, then write");
  await panel.getByTestId("todo-list").getByText("0/2").waitFor();
  await panel.getByRole("button", { name: "Edit todo list" }).click();
  await vscode.editing("Todo list.md");
  await vscode.runCommand("View: Split Editor Right");
  await vscode.openFile("notes.txt");
  await vscode.page.locator(".editor-group-container.active .view-lines").click();
  const moved = await watchFocus(vscode);
  const type = (text: string) => vscode.page.keyboard.type(text);
  await type("streams, ");

  server.release("command");
  await vscode.row("command", "echo ran").waitFor();
  await server.waitForHold("edit");
  await vscode.page.locator(".view-line", { hasText: /\[x\].look/ }).waitFor();
  await type("ran, todo, ");

  // A setting that does not fit is told of by a notification.
  await vscode.workspace?.write(".vscode/settings.json", '{ "nekode.context.maxFiles": "many" }');
  await vscode.notification("Must be a number.").waitFor();
  await type("told, ");

  server.release("edit");
  await vscode.tab("work.txt (proposed change)").waitFor();
  await vscode.row("approval").waitFor();
  await type("asked, ");
  await vscode.screenshot("focus-asked");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await vscode.row("error").waitFor();
  await expect.poll(() => vscode.row("error").textContent()).toContain("Incorrect API key provided: ***");
  await vscode.tab("work.txt (proposed change)").waitFor({ state: "detached" });
  await type("failed.");
  expect(await moved()).toEqual([]);
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await expect
    .poll(() => vscode.workspace?.read("notes.txt"))
    .toBe("streams, ran, todo, told, asked, failed.");
  expect(await vscode.workspace?.read("work.txt")).toBe("MELON-CONTENT\n");
  await vscode.screenshot("focus-failed");

  const logs = await logFiles();
  expect(logs.some(({ name }) => name.endsWith("Nekode.log"))).toBe(true);
  for (const { name, text } of logs) expect(/sk-told|MELON/.exec(text)?.[0], name).toBeUndefined();
});

/** What the window's server, its extension hosts and the extensions logged. */
async function logFiles(): Promise<{ name: string; text: string }[]> {
  const folder = path.join(vscode.userDataDir, "logs");
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".log"));
  return Promise.all(
    files.map(async (name) => ({ name, text: await readFile(path.join(folder, name), "utf8") })),
  );
}
