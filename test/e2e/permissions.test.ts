/** What runs without asking, chosen under the input by keyboard: what each level does, and how long it holds. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  const run = (command: string): ScriptPart => ({
    tool: "execute_command",
    params: { command, requires_approval: false },
  });
  const answers: ScriptPart[][] = [
    [{ tool: "write_to_file", params: { path: "made.txt", content: "made\n" } }],
    [run("cat made.txt")],
    [run("rm made.txt")],
    [{ text: "That is all." }],
  ];
  server = await startModelServer({
    script: { turns: answers.map((answer, i) => ({ match: { request: i + 1 }, times: true, answer })) },
  });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
    fresh: true,
  });
  panel = await vscode.openPanel();
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const button = () => panel.getByTestId("permission-picker");
const word = async () => ((await button().textContent()) ?? "").replace("Permissions: ", "");
const press = async (...keys: string[]) => {
  for (const key of keys) await vscode.page.keyboard.press(key);
};
const chosen = (title: string) =>
  panel.getByRole("menuitemradio", { name: title }).and(panel.locator(":focus"));

/** From the input by Tab, and in the menu by letters of the level's name. */
async function choose(title: string, letters: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  for (let i = 0; i < 8 && (await button().and(panel.locator(":focus")).count()) === 0; i++)
    await press("Tab");
  await press("Enter");
  // The menu takes the focus after it is drawn.
  await panel.getByRole("menuitemradio").and(panel.locator(":focus")).waitFor();
  await vscode.page.keyboard.type(letters);
  await chosen(title).waitFor();
  await press("Enter");
  await button().and(panel.locator(":focus")).waitFor();
}

/** Runs the same task; the subjects of what asked, in order. */
async function whatAsks(): Promise<string[]> {
  const asked: string[] = [];
  await vscode.send("Do the three things");
  const end = vscode.row("text", "That is all.");
  const approve = panel.getByTestId("approve");
  for (;;) {
    await approve.or(end).first().waitFor();
    if (await end.isVisible()) return asked;
    const subject = panel.locator(".ask-subject");
    const before = (await subject.textContent()) ?? "";
    asked.push(/^(?:cat |rm )?made\.txt/.exec(before)?.[0] ?? before);
    await press("ControlOrMeta+k", "y");
    await subject.filter({ hasText: before }).waitFor({ state: "detached" });
  }
}

it("does at each level what it says, in that session alone", async () => {
  await expect.poll(word).toBe("Ask");
  expect(await whatAsks()).toEqual(["made.txt", "cat made.txt", "rm made.txt"]);

  await vscode.newTask();
  await choose("Edits Reading", "Ed");
  await expect.poll(word).toBe("Edits");
  expect(await whatAsks()).toEqual(["cat made.txt", "rm made.txt"]);

  await vscode.newTask();
  await choose("Edits and safe commands", "ee");
  await expect.poll(word).toBe("Safe commands");
  expect(await whatAsks()).toEqual(["rm made.txt"]);

  await vscode.newTask();
  await choose("Everything", "Ev");
  await expect.poll(word).toBe("Everything");
  expect(await whatAsks()).toEqual([]);
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
});

it("keeps the level with its session, seen as long as everything runs, over a reload and in the history", async () => {
  const look = () =>
    button().evaluate((element) => {
      const { outlineStyle, backgroundColor } = getComputedStyle(element);
      return { outlineStyle, backgroundColor };
    });
  await vscode.reload();
  await vscode.openPanel();
  await vscode.row("text", "That is all.").waitFor();
  await expect.poll(word).toBe("Everything");
  const loud = await look();
  await vscode.screenshot("permission-everything");

  await vscode.newTask();
  await expect.poll(word).toBe("Ask");
  expect(await look()).not.toEqual(loud);
  await vscode.runCommand("Nekode: Select What Runs Without Asking");
  await chosen("Ask each time").waitFor();
  await vscode.screenshot("permission-menu");
  await press("Escape");
  await button().and(panel.locator(":focus")).waitFor();

  for (const [index, level] of ["Everything", "Safe commands", "Edits", "Ask"].entries()) {
    await vscode.runCommand("Nekode: Show History");
    await panel.getByTestId("history-item").nth(index).click();
    await vscode.row("text", "That is all.").waitFor();
    await expect.poll(word).toBe(level);
  }
});
