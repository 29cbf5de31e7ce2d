/** Sessions in the side bar and in editor tabs of one window: tasks alpha and gamma write a file, beta's answer is held twice. */
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../../model-server/server.ts";
import { openWorkbench, type Workbench } from "./index.ts";

const FRAME = 'iframe[src*="extensionId=nekode.nekode"]:visible';

export let server: ModelServer;
export let vscode: Workbench;
export let view: FrameLocator;
/** The tab that is in front. */
export let tab: FrameLocator;

const of = (name: string, answer: ScriptPart[]) => ({
  match: { firstUser: `Task ${name}`, request: 1 },
  answer,
});
const writes = (name: string): ScriptPart[] => [
  { text: `I write ${name}.` },
  { tool: "write_to_file", params: { path: `${name}.txt`, content: `of ${name}\n` } },
];

/** Opens the window of a file's tests. Called once, at the head of the file. */
export function openWindow(): void {
  beforeAll(async () => {
    server = await startModelServer({
      script: {
        turns: [
          of("alpha", writes("alpha")),
          of("beta", [
            { text: "beta: first, " },
            { hold: "beta-1" },
            { text: "second, " },
            { hold: "beta-2" },
          ]),
          of("gamma", writes("gamma")),
          { times: true, answer: [{ text: "That is all." }] },
        ],
      },
    });
    vscode = await openWorkbench({
      files: { "a.txt": "a\n" },
      modelServer: { baseUrl: server.url },
      settings: { "nekode.provider.protocol": "native" },
      width: 1500,
    });
    await vscode.openPanel();
    const inFrame = (frame: string) => vscode.page.frameLocator(frame).frameLocator("iframe#active-frame");
    view = inFrame(`${FRAME}[src*="purpose=webviewView"]`);
    tab = inFrame(`${FRAME}:not([src*="purpose=webviewView"])`);
  });
  afterAll(async () => {
    await vscode.close();
    expect(server.refusals).toEqual([]);
    await server.close();
  });
}

export const row = (place: FrameLocator, kind: string, text: string): Locator =>
  place.locator(`[data-testid=row][data-kind=${kind}]`).filter({ hasText: text });
export const listed = (place: FrameLocator, name: string, says: string) =>
  place
    .getByTestId("session-item")
    .filter({ hasText: `Task ${name}` })
    .filter({ hasText: says });
export const title = (place: FrameLocator, name: string) =>
  place.getByTestId("task-title").filter({ hasText: `Task ${name}` });

/** Begins a task in the side bar. */
export async function begin(name: string): Promise<void> {
  // As for `taskBeside`; that one knows only one panel.
  const empty = view.locator(".empty");
  if (!(await empty.isVisible())) await vscode.titleAction("New Task");
  await empty.waitFor();
  await view.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(`Task ${name}`);
  await vscode.page.keyboard.press("Enter");
  await row(view, "user", `Task ${name}`).waitFor();
}
