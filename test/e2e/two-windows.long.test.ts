/**
 * Two windows on one project: each knows what the other works on, and neither takes anything from it unasked.
 * test/unit/core/sessions and test/browser/history prove its parts for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openAnotherWindow, openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let first: Workbench;
let second: Workbench;

beforeAll(async () => {
  server = await startModelServer({
    script: {
      turns: [
        {
          match: { said: "Long story" },
          answer: [{ text: "Once upon a time " }, { hold: "middle" }, { text: "it ended." }],
        },
        { match: { said: "Short story" }, times: true, answer: [{ text: "The end of the short one." }] },
        { times: true, answer: [{ text: "Something else." }] },
      ],
    },
  });
  first = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  await first.openPanel();
});
afterAll(async () => {
  await second?.close();
  await first.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const itemOf = (panel: FrameLocator, text: string) =>
  panel.getByTestId("history-item").filter({ hasText: text });
const openHistory = (window: Workbench) => window.titleAction("Show History");
const back = (window: Workbench) =>
  window.panel().getByRole("button", { name: "Back to conversation" }).click();

it("a task that runs in one window is not the other's, which says so and works on its own", async () => {
  await first.send("Long story");
  await server.waitForHold("middle");
  second = await openAnotherWindow(first);
  const panel = await second.openPanel();
  await panel.getByRole("heading", { name: "Nekode" }).waitFor();
  await openHistory(second);
  await itemOf(panel, "Long story").getByText("open in another window").waitFor();
  await itemOf(panel, "Long story").click();
  await panel.getByTestId("take-over").waitFor();
  await second.screenshot("windows-elsewhere");
  await panel.getByRole("button", { name: "Cancel" }).click();
  await back(second);

  await second.send("Short story");
  await second.row("text", "The end of the short one.").waitFor();
  server.release("middle");
  await first.row("text", "it ended.").waitFor();

  await openHistory(first);
  await itemOf(first.panel(), "Short story").waitFor();
  await first.screenshot("windows-history");
  await back(first);
});

it("takes a task over when told, and the window that had it says so and loses no word", async () => {
  const panel = second.panel();
  await openHistory(second);
  await itemOf(panel, "Long story").click();
  await panel.getByTestId("take-over").click();
  await second.row("text", "it ended.").waitFor();
  await second.screenshot("windows-taken");

  await first.send("And then?");
  await first.row("notice", "Another window took over this session").waitFor();
  await first.screenshot("windows-lost");
  await expect.poll(() => first.panel().getByTestId("chat-input").inputValue()).toBe("And then?");

  await second.send("What else?");
  await second.row("text", "Something else.").waitFor();
  expect(JSON.stringify(server.chat(server.requests.length).messages)).not.toContain("And then?");
  await first.newTask();
  await first.row("notice").waitFor({ state: "detached" });
  await first.panel().getByTestId("chat-input").fill("Short story");
  await first.panel().getByTestId("chat-input").press("Enter");
  await first.row("text", "The end of the short one.").waitFor();
});
