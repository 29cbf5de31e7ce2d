/** A window that is reloaded, or whose extension host dies, at each phase of a task: what is seen, and how it goes on. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const TURNS: ScriptTurn[] = [
  {
    match: { firstUser: "Talk", request: 1 },
    answer: [{ text: "The first half. " }, { hold: "middle" }, { text: "The second half." }],
  },
  { match: { firstUser: "Talk" }, times: true, answer: [{ text: "Told to the end." }] },
  {
    match: { firstUser: "Command", request: 1 },
    answer: [
      {
        tool: "execute_command",
        params: { command: "echo begun $((40 + 2)); sleep 300; touch ran-on", requires_approval: true },
      },
    ],
  },
  { match: { firstUser: "Command" }, times: true, answer: [{ text: "I know that it was cut off." }] },
  {
    match: { firstUser: "Ask", request: 1 },
    answer: [
      {
        tool: "ask_followup_question",
        params: { question: "Which colour?", options: ["blue", "緑"] },
      },
    ],
  },
  { match: { firstUser: "Ask" }, times: true, answer: [{ text: "Green it is." }] },
  {
    match: { firstUser: "Write", request: 1 },
    answer: [{ tool: "write_to_file", params: { path: "made.txt", content: "made\n" } }],
  },
  { match: { firstUser: "Write" }, times: true, answer: [{ text: "It is written." }] },
  { times: true, answer: [{ text: "Something else." }] },
];

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  panel = await vscode.openPanel();
});
beforeEach(async () => {
  server.setScript({ turns: TURNS });
  await vscode.newTask();
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const reload = async () => {
  await vscode.reload();
  await vscode.openPanel();
};
/** VS Code starts another extension host, but may take minutes to see that the first is dead: people reload. */
const kill = async () => {
  expect(vscode.killExtensionHosts()).toBeGreaterThan(0);
  await reload();
};
const goOn = () => panel.getByTestId("retry");

/** Kills right after a task is sent; each hits another moment, the more so where something else keeps the disk busy. */
const kills = Number(process.env.NEKODE_KILLS ?? 2);

it.each([
  ["a reload", reload],
  ["a kill of the extension host", kill],
])("in mid-stream, %s: said, and gone on with at a press", async (name, cut) => {
  await vscode.send("Talk");
  await server.waitForHold("middle");
  await vscode.row("text", "The first half.").waitFor();
  const before = server.requests.length;
  await cut();
  await vscode.row("notice", "interrupted").waitFor();
  await vscode.row("user", "Talk").waitFor();
  await vscode.screenshot(`reload-stream-${name.split(" ")[1]}`);
  expect(server.requests).toHaveLength(before);
  await goOn().click();
  await vscode.row("text", "Told to the end.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
  await goOn().waitFor({ state: "detached" });
});

it.each([
  ["a reload", reload],
  ...Array.from({ length: kills }, (_, i) => [`kill ${i + 1} of the extension host`, kill] as const),
] as const)(
  "right after a task is sent, %s: it is said, or still in the composer, and sent once",
  async (name, cut) => {
    const wish = `Wish before ${name}`;
    const input = panel.getByTestId("chat-input");
    const said = vscode.row("user", wish);
    await vscode.send(wish);
    // The host has it, and the disk at least as a draft: before that, a reload takes what the page has not passed on.
    await panel.getByTestId("stop").or(said).first().waitFor();
    await cut();
    // One of the two, whichever moment the window ended at.
    await expect.poll(async () => (await said.count()) + Number((await input.inputValue()) === wish)).toBe(1);
    const answer = vscode.row("text", "Something else.");
    if ((await said.count()) === 0) await input.press("Enter");
    else {
      await goOn().or(answer).first().waitFor();
      if (await goOn().isVisible()) await goOn().click();
    }
    await answer.waitFor();
    await expect.poll(() => said.count()).toBe(1);
    await vscode.screenshot(`reload-sent-${name.split(" ").slice(0, 2).join("-")}`);
  },
);

it.each([
  ["a reload", reload],
  ["a kill of the extension host", kill],
])("while a command runs, %s: the user and the model are told", async (name, cut) => {
  await vscode.send("Command");
  await panel.getByTestId("approve").click();
  await vscode.row("command", "begun 42").waitFor();
  await cut();
  await vscode.row("command", /interrupted|ended by/).waitFor();
  await vscode.screenshot(`reload-command-${name.split(" ")[1]}`);
  await goOn().click();
  await vscode.row("text", "I know that it was cut off.").waitFor();
  const { messages } = server.chat(server.requests.length);
  expect(JSON.stringify(messages.filter(({ role }) => role === "tool"))).toMatch(/interrupted|SIGTERM/i);
  expect(vscode.workspace?.exists("ran-on")).toBe(false);
});

it("while a question waits: its answers are there to press", async () => {
  await vscode.send("Ask");
  await panel.getByRole("button", { name: "緑" }).waitFor();
  await reload();
  await panel.getByRole("button", { name: "緑" }).waitFor();
  await vscode.screenshot("reload-question");
  const before = server.requests.length;
  await panel.getByRole("button", { name: "緑" }).click();
  await vscode.row("text", "Green it is.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
});

it("while an approval waits, a kill of the extension host: it asks again", async () => {
  await vscode.send("Write");
  await panel.getByTestId("approve").waitFor();
  await kill();
  await panel.getByTestId("approve").waitFor();
  await vscode.screenshot("reload-approval-kill");
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await panel.getByTestId("approve").click();
  await vscode.row("text", "It is written.").waitFor();
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");
});

/** A picture of one pixel, as people paste it. */
async function pastePicture(): Promise<void> {
  await panel.getByTestId("chat-input").evaluate((element) => {
    const bytes = Uint8Array.from(
      atob(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      ),
      (character) => character.charCodeAt(0),
    );
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "dot.png", { type: "image/png" }));
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
}

it("with a draft and a picture in the composer: both are there again, and are sent", async () => {
  const input = panel.getByTestId("chat-input");
  await input.click();
  await vscode.page.keyboard.insertText("下書き、まだ送らない");
  await pastePicture();
  const pictures = panel.locator(".composer img");
  await pictures.waitFor();
  // The page keeps what it shows only after it has shown it; a reload waits for nothing, a key does.
  await input.press("End");
  await reload();
  await pictures.waitFor();
  await expect.poll(() => input.inputValue()).toBe("下書き、まだ送らない");
  await vscode.screenshot("reload-draft");
  await input.press("Enter");
  await vscode.row("text", "Something else.").waitFor();
  const sent = JSON.stringify(server.chat(server.requests.length).messages.at(-1));
  expect(sent).toContain("data:image/png;base64,iVBORw0KGgo");
  expect(sent).toContain("下書き、まだ送らない");
});

it("with queued messages, they are in the composer, with their picture", async () => {
  await vscode.send("Talk");
  await server.waitForHold("middle");
  await pastePicture();
  await panel.locator(".composer img").waitFor();
  await vscode.send("そのあとでこれも");
  await vscode.send("And this");
  await panel.getByTestId("queue-item").nth(1).waitFor();
  await reload();
  await vscode.row("notice", "interrupted").waitFor();
  await vscode.screenshot("reload-queue");
  await expect
    .poll(async () => [
      await panel.getByTestId("chat-input").inputValue(),
      ...(await panel.getByTestId("queue-item").allTextContents()),
    ])
    .toEqual(["そのあとでこれも\n\nAnd this"]);
  await expect.poll(() => panel.locator(".composer img").count()).toBe(1);
});

it("with queued messages, a new task: they stay with their task, and are in the composer when that is dismissed", async () => {
  const input = panel.getByTestId("chat-input");
  await input.fill("");
  await panel.getByRole("button", { name: "Remove image 1" }).click();
  await vscode.send("Talk on");
  await server.waitForHold("middle");
  await pastePicture();
  await panel.locator(".composer img").waitFor();
  await vscode.send("あとで言う");
  await panel.getByTestId("queue-item").waitFor();
  await vscode.runCommand("Nekode: New Task");
  await vscode.row("user").first().waitFor({ state: "detached" });
  await expect.poll(() => input.inputValue()).toBe("");
  const other = vscode.otherTask("Talk on").filter({ hasText: "Working" });
  await other.locator(".session-open").click();
  // It works on, and what was queued still waits.
  await panel.getByTestId("stop").waitFor();
  await panel.getByTestId("queue-item").waitFor();
  await vscode.runCommand("Nekode: New Task");
  await other.getByTestId("stop-session").click();
  const stopped = vscode.otherTask("Talk on").filter({ hasText: "Interrupted" });
  await stopped.waitFor();
  await vscode.screenshot("reload-queue-stopped");
  await stopped.getByTestId("dismiss-session").click();
  await expect.poll(() => input.inputValue()).toContain("あとで言う");
  await panel.locator(".composer img").waitFor();
  await vscode.screenshot("reload-queue-new-task");
});
