/**
 * The current file as a chip that follows the editor, and mentions of what the editor knows, in a project in TypeScript.
 * test/browser/current-file and mentions, and the surroundings of the extension host prove its parts for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const userMessage = z.object({ content: z.array(z.object({ text: z.string() })) });

const CATS = `export class TabbyCat {
  name = "Tama";

  purrLoudly(times: number): string {
    return "purr ".repeat(times);
  }
}

export function feedTheCat(cat: TabbyCat): string {
  return cat.name;
}
`;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [{ times: true, answer: [{ text: "I see." }] }] } });
  vscode = await openWorkbench({
    files: {
      "cats.ts": CATS,
      "tsconfig.json": '{ "compilerOptions": { "target": "es2022" } }\n',
      "notes/one.md": "The first note.\n",
      "notes/two.md": "The second note.\n",
      "dogs.txt": "Hachi\nPochi\n",
    },
    git: true,
    modelServer: { baseUrl: server.url },
  });
  panel = await vscode.openPanel();
});
beforeEach(() => server.forgetRequests());
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const chip = (name: string) =>
  panel.getByTestId("current-file").getByRole("button", { name: `Current file: ${name}`, exact: true });
const input = () => panel.getByTestId("chat-input");
const press = async (...keys: string[]) => {
  for (const key of keys) await vscode.page.keyboard.press(key);
};
/** Sends a message in a new task; what its request says beside the system's prompt. */
async function said(text: string): Promise<string> {
  const before = server.requests.length;
  await input().click();
  await press("ControlOrMeta+End");
  await vscode.page.keyboard.insertText(text);
  await press("Enter");
  await vscode.row("text", "I see.").waitFor();
  const told = server.chat(before + 1).messages;
  await vscode.newTask();
  return userMessage
    .parse(told.at(-1))
    .content.map((part) => part.text)
    .join("\n");
}

it("shows and sends the file that the user looks at, wherever the focus is, until it is switched off", async () => {
  await vscode.openFile("cats.ts");
  await chip("cats.ts, included").waitFor();
  await vscode.openFile("dogs.txt");
  await chip("dogs.txt, included").waitFor();
  await press("ControlOrMeta+Home", "Shift+ArrowDown");
  await chip("dogs.txt:1, included").waitFor();
  await input().click();
  await vscode.page.keyboard.type("x");
  await press("Backspace");
  await chip("dogs.txt:1, included").waitFor();
  await vscode.screenshot("current-file");
  expect(await said("What is this?")).toContain("# Current File\n@/dogs.txt:1");

  // The output is read beside the file, which is still in sight.
  await vscode.runCommand("Output: Focus on Output View");
  await vscode.page.locator(".part.panel .monaco-editor.focused").waitFor();
  await chip("dogs.txt:1, included").waitFor();
  await vscode.screenshot("current-file-output");
  await vscode.runCommand("View: Hide Panel");

  await vscode.runCommand("Create: New File...");
  await vscode.page.locator(".quick-input-widget .monaco-list-row").filter({ hasText: "Text File" }).click();
  await vscode.editing("Untitled-1");
  await panel.getByTestId("current-file").waitFor({ state: "detached" });
  const without = await said("And now?");
  expect(without).not.toContain("# Current File");
  expect(without).toContain("dogs.txt");

  await vscode.workspace?.write("cats.ts", CATS.replace("Tama", "Mike"));
  await vscode.openFile("cats.ts");
  // Git has seen the change when it offers to show it.
  const title = vscode.page.locator(".editor-group-container.active .editor-actions");
  await title.getByRole("button", { name: /^Open Changes/ }).click();
  await vscode.page
    .locator(".editor-group-container.active .monaco-diff-editor .editor.modified .monaco-editor.focused")
    .waitFor();
  await chip("cats.ts, included").waitFor();
  await vscode.screenshot("current-file-diff");

  await chip("cats.ts, included").click();
  await chip("cats.ts, not included").waitFor();
  const off = await said("Which file?");
  expect(off).not.toMatch(/# Current File|# Visual Studio Code (?:Visible Files|Open Tabs)/);
  await vscode.openFile("dogs.txt");
  await chip("dogs.txt:1, not included").waitFor();
  await vscode.reload();
  await vscode.openPanel();
  // The browser's reload does not wait until VS Code has stored which editor was last.
  await vscode.openFile("dogs.txt");
  const dogs = (state: string) =>
    panel.getByRole("button", { name: new RegExp(`^Current file: dogs\\.txt(:1)?, ${state}$`) });
  await dogs("not included").click();
  await dogs("included").waitFor();
  expect(await said("Which file now?")).toContain("# Current File\n@/dogs.txt");
});

it("offers what the editor knows by # and @, and sends each mention's content", async () => {
  await vscode.openFile("cats.ts");
  // The language server has read the project when it gives the file's outline.
  await vscode.page.locator(".breadcrumbs-control").getByText("TabbyCat").waitFor();
  const items = panel.getByTestId("mention-option");
  const offered = (text: string | RegExp) => items.filter({ hasText: text }).first();
  await input().click();
  await vscode.page.keyboard.type("Explain #purr");
  await offered(/TabbyCat\.purrLoudly.*cats\.ts:4/).waitFor();
  await vscode.screenshot("mention-symbols");
  await press("Enter");
  await expect.poll(() => input().inputValue()).toBe("Explain @/cats.ts#TabbyCat.purrLoudly ");
  await vscode.page.keyboard.type("@feedThe");
  await offered(/feedTheCat.*cats\.ts:9/).click();
  await vscode.page.keyboard.type("@open");
  await offered("Open editors").waitFor();
  await press("Enter");
  // The list may still be that of the first letters: then Enter waits for the rest.
  await expect.poll(() => input().inputValue()).toMatch(/@open-editors $/);
  await vscode.page.keyboard.type("@folder:not");
  await offered("notes").waitFor();
  await press("Enter");
  await expect.poll(() => input().inputValue()).toMatch(/@\/notes\/ $/);
  await vscode.page.keyboard.type("@/dogs.txt:2 ");
  const chips = () => panel.getByTestId("mention-chip").allTextContents();
  await expect
    .poll(chips)
    .toEqual(["TabbyCat.purrLoudly", "feedTheCat", "Open editors", "notes/", "dogs.txt:2"]);
  await vscode.screenshot("mention-chips");
  const told = await said("please");
  expect(told).toMatch(
    /<symbol_content path="cats.ts" name="TabbyCat\.purrLoudly">\s*lines 4-6:\n {2}purrLoudly/,
  );
  expect(told).toMatch(/name="feedTheCat">\s*lines 9-11:\nexport function/);
  expect(told).toMatch(/<open_editors>\s*cats\.ts\ndogs\.txt/);
  expect(told).toMatch(/<folder_content path="notes\/">.*The first note\..*The second note\./s);
  expect(told).toMatch(/<file_content path="dogs.txt" lines="2-2">\s*Pochi\n/);

  await vscode.openFile("dogs.txt");
  await press("ControlOrMeta+End", "ArrowUp", "Shift+End");
  await input().click();
  await vscode.page.keyboard.type("@sel");
  await offered("Selection").waitFor();
  await press("Enter");
  await expect.poll(chips).toEqual(["Selection"]);
  await expect.poll(() => input().inputValue()).toBe("@selection ");
  expect(await said("what?")).toMatch(/<selection>\s*dogs\.txt, lines 2-2:\nPochi/);
});
