/**
 * A task in a worktree: begun from the panel, seen there, continued after a reload, merged or discarded by its review.
 * test/unit/core/agent/worktrees, test/unit/node/git-worktrees* and test/cli/worktrees prove its parts for `npm test`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";
import { screenshotFile } from "./support/results.ts";

let server: ModelServer;
let vscode: Workbench;

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: vscode.workspace?.folder, encoding: "utf8" });

beforeAll(async () => {
  server = await startModelServer({ script: nekoScript() });
  vscode = await openWorkbench({
    files: { "neko.txt": `${NEKO_BEFORE}\n`, ".gitignore": "*.log\n" },
    git: true,
    modelServer: { baseUrl: server.url },
    width: 1300,
    theme: "light",
  });
  git("config", "user.name", "U");
  git("config", "user.email", "u@example.org");
  await vscode.openPanel();
});
afterAll(async () => {
  await vscode.close();
  await server.close();
});

const byId = (id: string) => vscode.panel().getByTestId(id);
const inQuickPick = (text: string) =>
  vscode.page.locator(".quick-input-list .monaco-list-row", { hasText: text });

/** The folder of the only worktree. */
function worktree(): string {
  const line = git("worktree", "list", "--porcelain").split("\n\n")[1]?.split("\n")[0] ?? "";
  return line.replace("worktree ", "");
}

async function send(text: string): Promise<void> {
  await byId("chat-input").fill(text);
  await byId("chat-input").press("Enter");
  await byId("approve").first().waitFor();
}

it("begins by the keyboard, and proposes and saves the change in the worktree alone", async () => {
  await vscode.runCommand("Nekode: New Task in Worktree");
  await expect.poll(() => byId("worktree-begin").getAttribute("aria-pressed")).toBe("true");
  await vscode.screenshot("worktree-begin");
  await send("@/neko.txt 猫を犬に");
  await byId("worktree-review").filter({ hasText: "nekode/neko-txt-猫を犬に" }).waitFor();
  await vscode.page.locator(".monaco-diff-editor", { hasText: "犬である" }).first().waitFor();
  await vscode.screenshot("worktree-proposal");
  await byId("approve").first().click();
  await vscode.row("result").waitFor();
  // A reload while the panel loads a part would leave the new panel blank for 30 s: VS Code's service worker waits for the old one.
  await byId("review-strip").waitFor();
  expect(readFileSync(path.join(worktree(), "neko.txt"), "utf8")).toBe(`${NEKO_AFTER}\n`);
  expect(await vscode.workspace?.read("neko.txt")).toBe(`${NEKO_BEFORE}\n`);
});

it("is still there after a reload, and its review shows the changes, and opens a window on it", async () => {
  await vscode.reload();
  await vscode.openPanel();
  await byId("worktree-review").click();
  await inQuickPick("Merge").waitFor();
  await vscode.screenshot("worktree-review");
  await inQuickPick("Show Changes").click();
  await vscode.editing(`${path.basename(worktree())}.diff`);
  await expect.poll(() => vscode.editorText()).toContain(`+${NEKO_AFTER}`);
  await vscode.screenshot("worktree-changes");
  await byId("worktree-review").click();
  const opened = vscode.page.context().waitForEvent("page");
  await inQuickPick("Open in New Window").click();
  const page = await opened;
  await page.locator(".explorer-folders-view").getByRole("treeitem", { name: "neko.txt" }).waitFor();
  expect(new URL(page.url()).searchParams.get("folder")).toBe(worktree());
  await page
    .locator(".activitybar")
    .getByRole("tab", { name: /^Nekode/ })
    .click();
  const there = page
    .frameLocator('iframe[src*="extensionId=nekode.nekode"]:visible')
    .frameLocator("iframe#active-frame");
  await there.getByTestId("task-here-note").getByText("This folder is the worktree of the task").waitFor();
  await page.screenshot({ path: screenshotFile("worktree-window") });
  // Leaving the page ends the window's extension host.
  await page.goto("about:blank");
  await page.close();
});

it("a merge brings it to the folder", async () => {
  const folder = worktree();
  await vscode.resizeSideBar(250);
  await vscode.screenshot("worktree-narrow");
  await byId("worktree-review").click();
  await inQuickPick("Merge").click();
  await expect.poll(() => vscode.workspace?.read("neko.txt")).toBe(`${NEKO_AFTER}\n`);
  await byId("worktree-review").waitFor({ state: "detached" });
  expect(existsSync(folder)).toBe(false);
  expect(git("log", "-1", "--format=%an").trim()).toBe("U");
  expect(git("branch", "--list", "nekode/*")).toBe("");
});

it("is discarded only with what is named", async () => {
  server.setScript(nekoScript({ before: NEKO_AFTER, after: NEKO_BEFORE }));
  // The panel is too narrow for the button while it is not pressed.
  await vscode.runCommand("Nekode: New Task in Worktree");
  await expect.poll(() => byId("worktree-begin").getAttribute("aria-pressed")).toBe("true");
  await send("@/neko.txt 犬を猫に");
  await byId("approve").first().click();
  await vscode.row("result").waitFor();
  const folder = worktree();
  const discard = async (button: string) => {
    await vscode.runCommand("Nekode: Review Worktree");
    await inQuickPick("Discard").click();
    const dialog = vscode.page.locator(".monaco-dialog-box");
    await dialog.filter({ hasText: "neko.txt" }).waitFor();
    await vscode.screenshot("worktree-discard");
    await dialog.getByRole("button", { name: button }).click();
  };
  await discard("Cancel");
  expect(readdirSync(folder)).toContain("neko.txt");
  await discard("Discard");
  // The folder goes first, then what the repository knows of it.
  await byId("worktree-review").waitFor({ state: "detached" });
  expect(existsSync(folder)).toBe(false);
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(await vscode.workspace?.read("neko.txt")).toBe(`${NEKO_AFTER}\n`);
});
