/** One project in a VS Code window and on a terminal at once: one history, one at a time at each session. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Started, startCli } from "../cli/support.ts";
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
          match: { said: "held" },
          times: true,
          answer: [{ text: "Before it. " }, { hold: "working" }, { text: "After the hold." }],
        },
        { times: true, answer: [{ tool: "attempt_completion", params: { result: "吾輩は犬である。" } }] },
      ],
    },
  });
  vscode = await openWorkbench({ files: { "a.txt": "a\n" }, modelServer: { baseUrl: server.url } });
});
afterAll(async () => {
  await vscode.close();
  await server.close();
});

/** The terminal host on the window's folder. Both take the data folder that the window's server was given. */
function terminal(...args: string[]): Started {
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
  return startCli(vscode.workspace?.folder ?? "", path.join(vscode.userDataDir, "nekode"), args, env);
}
const ran = async (...args: string[]) => terminal(...args).ended;

async function say(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}
const entry = (title: string) => panel.getByTestId("history-item").filter({ hasText: title });
const notice = (text: string) => panel.locator("[data-testid=row][data-kind=notice]").getByText(text);

it("each lists the other's sessions, says which are open there, and takes over when told", async () => {
  const first = await ran("from the terminal");
  expect(first, first.stderr).toMatchObject({ code: 0 });
  panel = await vscode.openPanel();
  // A session that the terminal has ended is not what the window goes on with.
  await vscode.titleAction("Show History");
  await entry("from the terminal").waitFor();
  await panel.getByTestId("history-search").fill("犬である");
  await entry("from the terminal").locator("mark", { hasText: "犬である" }).waitFor();
  // The first one empties the search.
  for (let times = 0; times < 2; times++) await vscode.page.keyboard.press("Escape");

  await say("held in the window");
  await server.waitForHold("working");
  const [line = ""] = (await ran("--list", "--search", "held in the window")).stdout.split("\n");
  expect(line).toContain("(open in another window or terminal)");
  const id = line.split(" ")[0] ?? "";
  const refused = await ran("--resume", id, "me too");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("--take-over");
  const taken = await ran("--resume", id, "--take-over", "go on in the terminal");
  expect(taken, taken.stderr).toMatchObject({ code: 0 });
  expect(taken.stdout).toContain("吾輩は犬である。");
  server.release("working");
  await notice("Another window took over this session").waitFor();
  await vscode.screenshot("taken-over-by-terminal");

  const held = terminal("held in the terminal");
  await server.waitForHold("working");
  await vscode.titleAction("Show History");
  await entry("held in the terminal").getByText("open in another window").waitFor();
  await entry("held in the terminal").click();
  await panel.getByText("is open in another window or terminal").waitFor();
  await vscode.screenshot("open-in-terminal");
  await panel.getByTestId("take-over").click();
  await panel.locator("[data-testid=row][data-kind=user]").getByText("held in the terminal").waitFor();
  server.release("working");
  const ended = await held.ended;
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain("took over this session");
  await say("go on in the window");
  await panel.getByTestId("transcript").getByText("吾輩は犬である。").waitFor();
  const listed = await ran("--list", "--search", "held in the terminal");
  const exported = await ran("--export", listed.stdout.split(" ")[0] ?? "");
  expect(exported.stdout).toContain("go on in the window");
  expect(exported.stdout).not.toContain("After the hold.");
  expect(server.refusals).toEqual([]);
});

it("another project's sessions are behind a switch: read in an editor, or gone on with as a copy", async () => {
  const other = await mkdtemp(path.join(tmpdir(), "nekode-other-"));
  onTestFinished(() => rm(other, { recursive: true, force: true }));
  const env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
  const dataDir = path.join(vscode.userDataDir, "nekode");
  const first = await startCli(other, dataDir, ["in the other project"], env).ended;
  expect(first.code, first.stderr).toBe(0);
  panel = await vscode.openPanel();
  await vscode.titleAction("Show History");
  await panel.getByTestId("history-all-projects").check();
  await entry("in the other project").click();
  await panel.getByText(`belongs to another project: ${other}`).waitFor();
  await vscode.screenshot("other-project");
  await panel.getByTestId("other-read").click();
  await vscode.tab("in the other project.md").waitFor();
  await expect.poll(async () => (await vscode.editorText()).join("\n")).toContain("# in the other project");
  await vscode.screenshot("other-project-read");
  await panel.getByTestId("other-copy").click();
  // The session before it had the same answer.
  await panel.locator("[data-testid=row][data-kind=user]").getByText("in the other project").waitFor();
  await say("go on with it");
  await panel.locator("[data-testid=row][data-kind=user]").getByText("go on with it").waitFor();
  const there = await startCli(other, dataDir, ["--list", "--search", "go on with it"], env).ended;
  expect(there.stdout).toBe("");
});
