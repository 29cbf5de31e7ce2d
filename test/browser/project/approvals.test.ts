/** What is asked before it is done, on a real project: told apart, shown as it is, and never answered by accident. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../../model-server/server.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;
let outside: string;

beforeAll(async () => {
  outside = mkdtempSync(path.join(tmpdir(), "nekode-outside-"));
  writeFileSync(path.join(outside, "one.txt"), "one\n");
  server = await startModelServer({ script: { turns: [] } });
  nekode = await openProjectPanel({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: {
      "nekode.provider.protocol": "native",
      "nekode.commands.deny": ["git push"],
      "nekode.approval.maxRequests": 3,
      "nekode.approval.maxCost": 0.5,
    },
  });
  symlinkSync(outside, path.join(nekode.workspace.folder, "link"));
  page = nekode.page;
});
beforeEach(async () => {
  await nekode.newTask();
});
afterAll(async () => {
  await nekode.close();
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
const asked = () => page.locator(".ask-subject");
const done = () => nekode.row("text", "That is all.").waitFor();

it("takes a comment with a yes, and a queued message for no answer", JOURNEY, async () => {
  script([run("echo asked-$((1 + 1)) > asked.txt")]);
  await nekode.send("Run it");
  await page.getByTestId("approve").waitFor();
  await nekode.send("yes");
  await nekode.send("approve");
  await page.getByTestId("queue-item").nth(1).waitFor();
  expect(nekode.workspace.exists("asked.txt")).toBe(false);
  await page.getByTestId("approve-with-comment").click();
  await page.keyboard.insertText("一度だけ");
  await page.getByTestId("approve").click();
  await nekode.row("command", "一度だけ").waitFor();
  await nekode.row("user", "approve").waitFor();
  await done();
  expect(await nekode.workspace.read("asked.txt")).toBe("asked-2\n");
  expect(told()).toContain("一度だけ");
});

it(
  "writes the changes that are chosen in the card, and tells the comment, whoever approves it",
  JOURNEY,
  async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
    await nekode.workspace.write("lines.txt", lines.join(""));
    const change = (line: number) =>
      `------- SEARCH\nline ${line}\n=======\nchanged ${line}\n+++++++ REPLACE\n`;
    script([{ tool: "replace_in_file", params: { path: "lines.txt", diff: change(2) + change(29) } }]);
    await nekode.send("Change both");
    await page.getByTestId("hunks").getByRole("checkbox").nth(1).click();
    await page.getByTestId("approve-with-comment").click();
    await page.keyboard.insertText("一つだけ");
    const { view } = nekode.host;
    const id = view.active.approvals.first ?? "";
    await expect
      .poll(() => view.active.approvals.prepared(id))
      .toEqual({ comment: "一つだけ", left: [1], edited: [] });
    // As the keybinding, the command and the diff's title do, which know of no card.
    expect(view.active.approve(id)).toBe(true);
    await done();
    expect(await nekode.workspace.read("lines.txt")).toBe(
      lines.map((line) => (line === "line 2\n" ? "changed 2\n" : line)).join(""),
    );
    expect(told()).toContain("一つだけ");
  },
);

it("refuses what the user denied, and says so", JOURNEY, async () => {
  script([run("git push --force")]);
  await nekode.send("Push it");
  await done();
  expect(told()).toContain("git push");
  expect(await nekode.row("approval").count()).toBe(0);
});

it("shows what cannot be seen, and where a link really leads", JOURNEY, async () => {
  script(
    [run("echo safe \u202e/fr- mr\u202c \u200bdone")],
    [{ tool: "write_to_file", params: { path: "link/made.txt", content: "made\n" } }],
  );
  await nekode.send("Hide it");
  await page.getByTestId("approve").waitFor();
  const shown = (await asked().textContent()) ?? "";
  expect(shown).not.toMatch(/[\u202e\u202c\u200b]/);
  expect(shown).toMatch(/202E/i);
  await page.getByTestId("reject").click();
  await nekode.row("approval", path.join(outside, "made.txt")).waitFor();
  await asked()
    .filter({ hasText: path.join(outside, "made.txt") })
    .waitFor();
  await page.getByTestId("reject").click();
  await done();
});

it("pauses at the cap on requests, and goes on when told", JOURNEY, async () => {
  script(...Array.from({ length: 4 }, () => [read("a.txt")]));
  await nekode.send("Read on and on");
  await nekode.row("notice", "Requests for this message: 3.").waitFor();
  const before = server.requests.length;
  await nekode
    .row("notice", "Requests for this message: 3.")
    .getByRole("button", { name: "Continue" })
    .click();
  await done();
  expect(server.requests.length).toBe(before + 2);
});

it("pauses at the cap on cost, and goes on as far again when told", JOURNEY, async () => {
  // More requests than the other cap takes would end it as well.
  priced(0.3, ...Array.from({ length: 4 }, () => [read("a.txt")]));
  await nekode.send("Read for money");
  const first = nekode.row("notice", "This task has cost 0.60 USD. Continue?");
  await first.waitFor();
  await page.getByTestId("cost").filter({ hasText: "0.60" }).waitFor();
  const before = server.requests.length;
  await first.getByRole("button", { name: "Continue" }).click();
  const second = nekode.row("notice", "This task has cost 1.20 USD. Continue?");
  await second.waitFor();
  expect(server.requests.length).toBe(before + 2);
  await first.getByRole("button").waitFor({ state: "detached" });
  // What is said counts as a yes, too.
  await nekode.send("Go on then");
  await done();
  // The price comes at the answer's end, after its text.
  await page.getByTestId("cost").filter({ hasText: "1.50" }).waitFor();
});
