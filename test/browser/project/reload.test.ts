/** A project that is reloaded while something waits for the user: a question, a draft, queued messages. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;

const TURNS: ScriptTurn[] = [
  {
    match: { firstUser: "Talk", request: 1 },
    answer: [{ text: "The first half. " }, { hold: "middle" }, { text: "The second half." }],
  },
  {
    match: { firstUser: "Ask", request: 1 },
    answer: [
      { tool: "ask_followup_question", params: { question: "Which color?", options: ["blue", "緑"] } },
    ],
  },
  { match: { firstUser: "Ask" }, times: true, answer: [{ text: "Green it is." }] },
  { times: true, answer: [{ text: "Something else." }] },
];

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  nekode = await openProjectPanel({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  page = nekode.page;
});
beforeEach(async () => {
  server.setScript({ turns: TURNS });
  await nekode.newTask();
});
afterAll(async () => {
  await nekode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

/** A picture of one pixel, as people paste it. */
async function pastePicture(): Promise<void> {
  await nekode.input.evaluate((element) => {
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
const pictures = () => page.locator(".composer img");

it("while a question waits: its answers are there to press", async () => {
  await nekode.send("Ask");
  await page.getByRole("button", { name: "緑" }).waitFor();
  await nekode.reload();
  await page.getByRole("button", { name: "緑" }).waitFor();
  const before = server.requests.length;
  await page.getByRole("button", { name: "緑" }).click();
  await nekode.row("text", "Green it is.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
});

it("with a draft and a picture in the composer: both are there again, and are sent", async () => {
  await nekode.input.click();
  await page.keyboard.insertText("下書き、まだ送らない");
  await pastePicture();
  await pictures().waitFor();
  // The page keeps what it shows only after it has shown it; a reload waits for nothing, a key does.
  await nekode.input.press("End");
  await nekode.reload();
  await pictures().waitFor();
  await expect.poll(() => nekode.input.inputValue()).toBe("下書き、まだ送らない");
  await nekode.input.press("Enter");
  await nekode.row("text", "Something else.").waitFor();
  const sent = JSON.stringify(server.chat(server.requests.length).messages.at(-1));
  expect(sent).toContain("data:image/png;base64,iVBORw0KGgo");
  expect(sent).toContain("下書き、まだ送らない");
});

it("with queued messages, they are in the composer, with their picture", async () => {
  await nekode.send("Talk");
  await server.waitForHold("middle");
  await pastePicture();
  await pictures().waitFor();
  await nekode.send("そのあとでこれも");
  await nekode.send("And this");
  await page.getByTestId("queue-item").nth(1).waitFor();
  await nekode.reload();
  await nekode.row("notice", "interrupted").waitFor();
  await expect
    .poll(async () => [
      await nekode.input.inputValue(),
      ...(await page.getByTestId("queue-item").allTextContents()),
    ])
    .toEqual(["そのあとでこれも\n\nAnd this"]);
  await expect.poll(() => pictures().count()).toBe(1);
});

it("with queued messages, a new task: they stay with their task, and are in the composer when that is dismissed", async () => {
  await nekode.input.fill("");
  await page.getByRole("button", { name: "Remove image 1" }).click();
  await nekode.send("Talk on");
  await server.waitForHold("middle");
  await pastePicture();
  await pictures().waitFor();
  await nekode.send("あとで言う");
  await page.getByTestId("queue-item").waitFor();
  await nekode.host.newTask();
  await nekode.row("user").first().waitFor({ state: "detached" });
  await expect.poll(() => nekode.input.inputValue()).toBe("");
  const other = nekode.otherTask("Talk on").filter({ hasText: "Working" });
  await other.locator(".session-open").click();
  // It works on, and what was queued still waits.
  await page.getByTestId("stop").waitFor();
  await page.getByTestId("queue-item").waitFor();
  await nekode.host.newTask();
  await other.getByTestId("stop-session").click();
  const stopped = nekode.otherTask("Talk on").filter({ hasText: "Interrupted" });
  await stopped.waitFor();
  await stopped.getByTestId("dismiss-session").click();
  await expect.poll(() => nekode.input.inputValue()).toContain("あとで言う");
  await pictures().waitFor();
});
