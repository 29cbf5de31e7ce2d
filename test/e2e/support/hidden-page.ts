/** The panel while the side bar shows something else, and what tells of its task then. */
import type { Frame, Locator } from "playwright-core";
import type { ScriptPart } from "../../model-server/server.ts";
import { vscode } from "./usual-window.ts";

/** A command that asks first. */
export const TEST: ScriptPart = {
  tool: "execute_command",
  params: { command: "npm --version", requires_approval: true },
};

export const state = (says: string): Locator => vscode.page.locator(`.statusbar-item[aria-label*="${says}"]`);
export const badge = (): Locator => vscode.panelTab().locator(".badge-content", { hasText: "1" });
export const toast = (says: string): Locator => vscode.page.locator(".notification-toast", { hasText: says });
export const away = (): Promise<void> => vscode.runCommand("View: Show Explorer");

/** Shows the file in the editor and the explorer beside it. The page of the panel stays. */
export async function hide(): Promise<Frame> {
  const frame = await vscode.panelFrame();
  await vscode.openFile("a.txt");
  // The chip of the first file is loaded on demand; it would still appear in the hidden page.
  await frame.getByTestId("current-file").waitFor();
  await vscode.runCommand("View: Show Explorer");
  await frame.locator(":root[data-hidden]").waitFor({ state: "attached" });
  await vscode.openFile("a.txt");
  return frame;
}

/** Records from now on what the page receives and what changes in it, and whether it is the same page. */
export async function watch(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const seen: { messages: string[]; changes: string[] } = { messages: [], changes: [] };
    Reflect.set(window, "seen", seen);
    addEventListener("message", ({ data }) => seen.messages.push(data.name ?? data.frame));
    new MutationObserver((list) => {
      for (const { type, target, attributeName } of list)
        seen.changes.push(
          `${type} of ${target.nodeName} ${attributeName ?? target.textContent?.slice(0, 80)}`,
        );
    }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  });
}
export const seen = (frame: Frame) => frame.evaluate(() => Reflect.get(window, "seen"));
