/** The main job, as a user does it: a wish in the side bar, a streamed answer, a diff, a decision, a file on disk. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { commandScript } from "../model-server/scripts/command.ts";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { stopScript } from "../model-server/scripts/stop.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

const BEFORE = `${NEKO_BEFORE}\n`;
const AFTER = `${NEKO_AFTER}\n`;

inUsualWindow();

const onDisk = (name: string) => readFile(path.join(vscode.workspace?.folder ?? "", name), "utf8");
const row = (kind: string): Locator => panel.locator(`[data-testid=row][data-kind=${kind}]`);

async function send(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}

/** The text parts of a recorded message. */
function textsOf(message: unknown): string[] {
  const { content } = z.object({ content: z.array(z.object({ text: z.string() })) }).parse(message);
  return content.map((part) => part.text);
}

/** The wish of the reference exchange, its file chosen with the picker. */
async function sendNekoWish(): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.type("@nek");
  await panel.getByTestId("mention-option").filter({ hasText: "neko.txt" }).waitFor();
  await vscode.page.keyboard.press("Enter");
  // The list may still be that of the first letters: then Enter waits for the rest, and another key would end that.
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toBe("@/neko.txt ");
  await vscode.page.keyboard.press("Shift+Enter");
  await vscode.page.keyboard.insertText("猫を犬にしてください");
  await vscode.page.keyboard.press("Enter");
}

describe("the exchange of the reference document", () => {
  it("approved", async () => {
    server.setScript(nekoScript({ chunkSize: 6, holdBeforeEdit: "edit" }));
    await vscode.openFile("neko.txt");
    await vscode.screenshot("neko-0-empty");
    await sendNekoWish();
    await server.waitForHold("edit");
    await row("reasoning").waitFor();
    await vscode.screenshot("neko-1-thinking");
    server.release("edit");
    await panel.getByTestId("approve").waitFor();
    await vscode.modifiedLine(NEKO_AFTER).waitFor();
    await vscode.screenshot("neko-2-diff");
    expect(await onDisk("neko.txt")).toBe(BEFORE);
    await expect.poll(async () => (await vscode.diffEditorText()).original[0]).toBe(NEKO_BEFORE);

    const first = server.chat(1).messages[1];
    const [task, todo, environment] = textsOf(first);
    expect(task).toBe(
      `<task>\n'neko.txt' (see below for file content) \n猫を犬にしてください\n</task>\n\n<file_content path="neko.txt">\n${BEFORE}\n</file_content>`,
    );
    expect(todo).toMatch(/^# TODO LIST RECOMMENDED\n/);
    expect(environment).toMatch(
      /^<environment_details>\n# Visual Studio Code Visible Files\nneko\.txt\n\n# Visual Studio Code Open Tabs\nneko\.txt\n/,
    );

    await panel.getByTestId("approve").click();
    await row("result").filter({ hasText: "犬" }).waitFor();
    expect(await onDisk("neko.txt")).toBe(AFTER);
    expect(JSON.stringify(server.chat(2).messages)).toContain(
      `<final_file_content path=\\"neko.txt\\">\\n${NEKO_AFTER}`,
    );
    await vscode.page.locator(".monaco-diff-editor").waitFor({ state: "hidden" });
    await vscode.screenshot("neko-3-done");
  });
});

it("Stop ends a stream at once, and nothing is asked for after it", async () => {
  server.setScript(stopScript());
  await send("Talk for long");
  await row("text").filter({ hasText: "Line 100 of" }).waitFor();
  await server.waitForHold("middle");
  await vscode.screenshot("streaming");
  await panel.getByTestId("stop").click();
  await row("notice").waitFor();
  await server.requests[0]?.closed;
  expect(server.requests[0]?.abortedByClient).toBe(true);
  expect(server.requests).toHaveLength(1);
  await panel.getByTestId("stop").waitFor({ state: "hidden" });
  await vscode.screenshot("stopped");
});

it("runs a command in a terminal that the user can see, and tells the model its output", async () => {
  server.setScript(commandScript({ command: "echo neko-$((20 + 22)); exit 3", requiresApproval: true }));
  await send("Run it");
  await row("approval").filter({ hasText: "echo neko-$((20 + 22)); exit 3" }).waitFor();
  await vscode.screenshot("command-asked");
  await panel.getByTestId("approve").click();
  await row("result").waitFor();
  await row("command").filter({ hasText: "neko-42" }).waitFor();
  const told = JSON.stringify(server.chat(2).messages);
  expect(told).toContain("Exit code 3");
  expect(told).toContain("neko-42");
  await vscode.screenshot("command-done");
});

it("leaves compiled code, with which the next window starts", async () => {
  const folder = path.join(vscode.home, ".cache/nekode/code");
  await expect.poll(() => readdir(folder).catch(() => []), { timeout: 30_000 }).toHaveLength(1);
});
