/** What is asked before it is done, as a user answers it: told apart, shown as it is, and never answered by accident. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;
let outside: string;

beforeAll(async () => {
  outside = mkdtempSync(path.join(tmpdir(), "nekode-outside-"));
  writeFileSync(path.join(outside, "one.txt"), "one\n");
  writeFileSync(path.join(outside, "two.txt"), "two\n");
  server = await startModelServer({ script: { turns: [] } });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: {
      "nekode.provider.protocol": "native",
      "nekode.commands.deny": ["git push"],
      "nekode.approval.maxRequests": 3,
      "nekode.approval.maxCost": 0.5,
    },
    // The allow list is stored in its settings.
    fresh: true,
  });
  symlinkSync(outside, path.join(vscode.workspace?.folder ?? "", "link"));
  panel = await vscode.openPanel();
});
beforeEach(async () => {
  await vscode.newTask();
});
afterAll(async () => {
  await vscode.close();
  rmSync(outside, { recursive: true, force: true });
  expect(server.refusals).toEqual([]);
  await server.close();
});

const run = (command: string): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: false },
});
const read = (file: string): ScriptPart => ({ tool: "read_file", params: { path: file } });

/** Each answer follows the one before; the last one ends it. */
function script(...answers: ScriptPart[][]): void {
  priced(undefined, ...answers);
}
/** The same, each answer at this price in USD. */
function priced(cost: number | undefined, ...answers: ScriptPart[][]): void {
  const all: ScriptPart[][] = [...answers, [{ text: "That is all." }]];
  const usage = cost === undefined ? {} : { usage: { cost } };
  server.setScript({
    turns: all.map((answer, i) => ({ match: { request: i + 1 }, times: true, answer, ...usage })),
  });
}
const told = () => JSON.stringify(server.chat(server.requests.length).messages);
const asked = () => panel.locator(".ask-subject");
const done = () => vscode.row("text", "That is all.").waitFor();

it("tells several that wait apart, and answers them by keyboard from wherever the user is", async () => {
  script([read(path.join(outside, "one.txt")), read(path.join(outside, "two.txt"))]);
  await vscode.send("Read both");
  await vscode.row("approval").nth(0).filter({ hasText: "one.txt" }).waitFor();
  await vscode.row("approval").nth(1).filter({ hasText: "two.txt" }).waitFor();
  await vscode.screenshot("approvals-several");
  // From the editor, by the keyboard.
  await vscode.openFile("a.txt");
  await asked().filter({ hasText: "one.txt" }).waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await asked().filter({ hasText: "two.txt" }).waitFor();
  await vscode.screenshot("approvals-second");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("x");
  await done();
  // It was never the panel's: the user stays where they were.
  await vscode.page.locator(".editor-instance .monaco-editor.focused").waitFor();
  const results = server.chat(2).messages.filter(({ role }) => role === "tool");
  expect(JSON.stringify(results[0])).toContain("one");
  expect(JSON.stringify(results[1])).toContain("rejected");
  await expect.poll(() => vscode.editorText()).toEqual(["a", ""]);
});

it("answers from a diff's title the change that the diff shows, and none that is not whole", async () => {
  const write = (file: string): ScriptPart => ({
    tool: "write_to_file",
    params: { path: file, content: `${file}\n` },
  });
  script([write("made-one.txt"), write("made-two.txt")]);
  await vscode.send("Make both");
  await asked().filter({ hasText: "made-one.txt" }).waitFor();
  await vscode.showTab(vscode.tab("made-two.txt"));
  const title = vscode.page.locator(".editor-group-container.active .editor-actions");
  await title.getByRole("button", { name: "Approve" }).click();
  await vscode.notification("This change is not waiting for approval.").waitFor();
  await vscode.screenshot("approvals-other-title");
  expect(vscode.workspace?.exists("made-one.txt")).toBe(false);
  await vscode.showTab(vscode.tab("made-one.txt"));
  await title.getByRole("button", { name: "Approve" }).click();
  await asked().filter({ hasText: "made-two.txt" }).waitFor();
  expect(await vscode.workspace?.read("made-one.txt")).toBe("made-one.txt\n");
  // The product does not wait long for the window to close the tab: until then the title is that of the first change.
  await vscode.tab("made-one.txt").waitFor({ state: "detached" });
  await title.getByRole("button", { name: "Reject" }).click();
  await done();
  expect(vscode.workspace?.exists("made-two.txt")).toBe(false);
});

it("takes a comment with a yes, and a queued message for no answer", async () => {
  script([run("echo asked-$((1 + 1)) > asked.txt")]);
  await vscode.send("Run it");
  await panel.getByTestId("approve").waitFor();
  await vscode.send("yes");
  await vscode.send("approve");
  await panel.getByTestId("queue-item").nth(1).waitFor();
  await vscode.screenshot("approvals-queued");
  expect(vscode.workspace?.exists("asked.txt")).toBe(false);
  await panel.getByTestId("approve-with-comment").click();
  await vscode.page.keyboard.insertText("一度だけ");
  await vscode.page.keyboard.press("Enter");
  await vscode.page.keyboard.press("Enter");
  await vscode.row("command", "一度だけ").waitFor();
  await vscode.row("user", "approve").waitFor();
  await done();
  expect(await vscode.workspace?.read("asked.txt")).toBe("asked-2\n");
  expect(told()).toContain("一度だけ");
});

it("asks no more for what is always allowed, and stores it with the user's own settings", async () => {
  script([run("date -u +%Y")], [run("date -u +%Y")]);
  await vscode.send("The year");
  const more = panel.getByTestId("approve-more");
  await more.focus();
  await vscode.page.keyboard.press("Enter");
  await panel.getByRole("menuitem", { name: "Always allow" }).waitFor();
  await vscode.screenshot("approvals-always");
  await panel.getByRole("menuitem", { name: "Always allow" }).click();
  await done();
  await vscode.unfold();
  await expect.poll(() => vscode.row("command").count()).toBe(2);
  // It holds before it is stored.
  const machine = path.join(vscode.userDataDir, "Machine/settings.json");
  await expect.poll(() => readFileSync(machine, "utf8")).toContain("date -u +%Y");
  const settings: unknown = JSON.parse(readFileSync(machine, "utf8"));
  expect(settings).toMatchObject({ "nekode.commands.allow": expect.arrayContaining(["date -u +%Y"]) });
});

it("refuses what the user denied, and says so", async () => {
  script([run("git push --force")]);
  await vscode.send("Push it");
  await done();
  await vscode.screenshot("approvals-denied");
  expect(told()).toContain("git push");
  expect(await vscode.row("approval").count()).toBe(0);
});

it("shows what cannot be seen, and where a link really leads", async () => {
  script(
    [run("echo safe \u202e/fr- mr\u202c \u200bdone")],
    [{ tool: "write_to_file", params: { path: "link/made.txt", content: "made\n" } }],
  );
  await vscode.send("Hide it");
  await panel.getByTestId("approve").waitFor();
  await vscode.screenshot("approvals-invisible");
  const shown = (await asked().textContent()) ?? "";
  expect(shown).not.toMatch(/[\u202e\u202c\u200b]/);
  expect(shown).toMatch(/202E/i);
  await panel.getByTestId("reject").click();
  await vscode.row("approval", path.join(outside, "made.txt")).waitFor();
  await asked()
    .filter({ hasText: path.join(outside, "made.txt") })
    .waitFor();
  await vscode.screenshot("approvals-link");
  await panel.getByTestId("reject").click();
  await done();
});

it("pauses at the cap on requests, and goes on when told", async () => {
  script(...Array.from({ length: 4 }, () => [read("a.txt")]));
  await vscode.send("Read on and on");
  await vscode.row("notice", "3 requests were made").waitFor();
  await vscode.screenshot("approvals-cap");
  const before = server.requests.length;
  await vscode.row("notice", "3 requests").getByRole("button", { name: "Continue" }).click();
  await done();
  expect(server.requests.length).toBe(before + 2);
});

it("pauses at the cap on cost, and goes on as far again when told", async () => {
  // More requests than the other cap takes would end it as well.
  priced(0.3, ...Array.from({ length: 4 }, () => [read("a.txt")]));
  await vscode.send("Read for money");
  const first = vscode.row("notice", "This task has cost 0.60 USD. Continue?");
  await first.waitFor();
  await panel.getByTestId("cost").filter({ hasText: "0.60" }).waitFor();
  await vscode.screenshot("approvals-cost");
  const before = server.requests.length;
  await first.getByRole("button", { name: "Continue" }).click();
  const second = vscode.row("notice", "This task has cost 1.20 USD. Continue?");
  await second.waitFor();
  expect(server.requests.length).toBe(before + 2);
  await first.getByRole("button").waitFor({ state: "detached" });
  // What is said counts as a yes, too.
  await vscode.send("Go on then");
  await done();
  // The price comes at the answer's end, after its text.
  await panel.getByTestId("cost").filter({ hasText: "1.50" }).waitFor();
});
