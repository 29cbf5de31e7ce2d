/**
 * What a user gives the model to see, in a workspace of two roots, in Japanese: mentions, commands, rules, steps. test/browser/mentions,
 * test/vscode/{file-index,surroundings} and test/unit/core prove each for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({
    script: {
      turns: [
        {
          match: { said: "手順" },
          answer: [
            {
              tool: "read_file",
              params: { path: "a.txt", task_progress: "- [x] 読む\n- [ ] 直す\n- [ ] 確かめる" },
            },
          ],
        },
        {
          match: { lastUser: 'type="condense"' },
          times: true,
          answer: [{ text: "## Task\nBANANA-SUMMARY" }],
        },
        { times: true, answer: [{ text: "了解しました。" }] },
      ],
    },
  });
  vscode = await openWorkbench({
    files: {
      "front/a.txt": "a\n",
      "front/猫.txt": "表の猫\n",
      "front/壊れた.json": '{ "a": }\n',
      "front/.nekode/rules/言葉.md": "いつも MELON-RULE と書く。\n",
      "front/.nekode/workflows/deploy.md": "# サーバーに置く\nMELON-WORKFLOW をする。\n",
      "back/猫の データ.txt": "裏の猫のデータ\n",
      "back/猫.txt": "裏の猫\n",
      "back/AGENTS.md": "Always MELON-AGENTS.\n",
    },
    roots: ["front", "back"],
    git: true,
    language: "ja",
    theme: "light",
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  panel = await vscode.openPanel();
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const input = () => panel.getByTestId("chat-input");
const option = (text: string | RegExp) => panel.getByTestId("mention-option").filter({ hasText: text });
/** The last request's conversation, or its system prompt. */
const sent = (role: "user" | "system") => {
  const { messages } = server.chat(server.requests.length);
  return messages
    .filter((message) => message.role === role)
    .map(({ content }) => JSON.stringify(content))
    .join("\n");
};
const answered = async (count: number) => {
  await vscode
    .row("text", "了解しました。")
    .nth(count - 1)
    .waitFor();
};

it("finds Japanese names in both roots, and sends the file that was chosen", async () => {
  await panel.getByRole("button", { name: "このプロジェクト" }).first().waitFor();
  await vscode.screenshot("context-empty-ja");
  await input().click();
  await vscode.page.keyboard.insertText("@猫");
  await option("データ").waitFor();
  await expect.poll(() => option("猫.txt").count()).toBe(2);
  await vscode.screenshot("context-picker-ja");
  await vscode.page.keyboard.insertText("の");
  await option("猫.txt").first().waitFor({ state: "detached" });
  await vscode.page.keyboard.press("Enter");
  await vscode.page.keyboard.insertText("を読んで");
  await vscode.page.keyboard.press("Enter");
  await answered(1);
  await vscode.screenshot("context-mention-ja");
  expect(sent("user")).toContain("裏の猫のデータ");
  expect(sent("user")).toContain("猫の データ.txt");
  expect(sent("system")).toContain("MELON-RULE");
  expect(sent("system")).toContain("MELON-AGENTS");
});

it("sends the editor's problems, the terminal's output and what is not committed", async () => {
  await vscode.openFile("壊れた.json");
  await vscode.page.locator(".squiggly-error").first().waitFor();
  await vscode.workspace?.write("front/a.txt", "changed line\n");
  await vscode.runCommand("Terminal: Create New Terminal");
  // In which of the roots: the first.
  await vscode.page.getByPlaceholder("Select current working directory").waitFor();
  await vscode.page.keyboard.press("Enter");
  await vscode.page.locator(".xterm-helper-textarea:focus").waitFor({ state: "attached" });
  // VS Code does not tell the output of what is typed before the shell is ready, nor what it prints at its very start.
  for (const [command, file] of [
    ["touch ../ready.txt", "ready.txt"],
    // The terminal says where its cursor is when it has read all before that, the command's start among it.
    [
      "mkfifo ../go; printf '\\033[6n'; read -rsd R; touch ../waits.txt; cat ../go; echo terminal-$((20 + 22))",
      "waits.txt",
    ],
  ] as const) {
    await vscode.page.keyboard.type(`${command}\n`);
    await expect.poll(() => vscode.workspace?.exists(file), { timeout: 60_000 }).toBe(true);
  }
  await vscode.openPanel();
  await input().click();
  for (const [typed, name] of [
    ["@prob", "問題"],
    ["@ター", "ターミナル"],
    ["@git-", "Git の変更"],
  ] as const) {
    await vscode.page.keyboard.insertText(typed);
    await panel
      .locator("[data-testid=mention-option][aria-selected=true]")
      .filter({ hasText: name })
      .waitFor();
    await vscode.screenshot(`context-${typed.slice(1)}`);
    await vscode.page.keyboard.press("Enter");
    if (name !== "問題") continue;
    // The host has just answered the picker, and heard of the command's start before that.
    await vscode.workspace?.write("go", "");
    await vscode.page.locator(".codicon-terminal-decoration-success").nth(1).waitFor();
  }
  await vscode.page.keyboard.insertText("を見て");
  await vscode.page.keyboard.press("Enter");
  await answered(2);
  const text = sent("user");
  expect(text).toMatch(/<workspace_diagnostics>[\s\S]*壊れた\.json[\s\S]*<\/workspace_diagnostics>/);
  expect(text).toContain("Value expected");
  expect(text).toMatch(/<terminal_output>[\s\S]*terminal-42/);
  expect(text).toMatch(/<git_working_state>[\s\S]*\+changed line/);
});

it("offers commands and the project's own workflows after a slash", async () => {
  await input().click();
  await vscode.page.keyboard.insertText("/");
  const options = panel.getByTestId("slash-option");
  await options.filter({ hasText: "サーバーに置く" }).waitFor();
  await vscode.screenshot("context-slash-ja");
  await vscode.page.keyboard.insertText("dep");
  await expect.poll(() => options.count()).toBe(1);
  await vscode.page.keyboard.press("Enter");
  await vscode.page.keyboard.insertText("いま");
  await vscode.page.keyboard.press("Enter");
  await answered(3);
  expect(sent("user")).toContain("MELON-WORKFLOW");
});

it("shows the steps, and condenses with the summary there to read", async () => {
  await vscode.send("手順を立てて");
  await panel.getByTestId("todo-list").getByText("1/3").waitFor();
  await answered(4);
  await vscode.screenshot("context-todo-ja");
  await vscode.send("/compact");
  const notice = vscode.row("notice").filter({ hasText: "要約" });
  await notice.waitFor();
  await notice.locator("summary").filter({ hasText: "要約を表示" }).click();
  await notice.getByText("BANANA-SUMMARY").waitFor();
  await vscode.screenshot("context-condensed-ja");
  await vscode.send("つづけて");
  await answered(5);
  expect(sent("user")).toContain("BANANA-SUMMARY");
  expect(sent("user")).not.toContain("MELON-WORKFLOW");
});
