/** Several tasks at once in one project: what waits, what streams, what is stopped, and what a reload in the middle leaves. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../../model-server/server.ts";
import { openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;

const writes = (name: string): ScriptPart[] => [
  { text: `I write ${name}.` },
  { tool: "write_to_file", params: { path: `${name}.txt`, content: `of ${name}\n` } },
];
const streams = (name: string): ScriptPart[] => [
  { text: `${name}: first, ` },
  { hold: `${name}-1` },
  { text: "second, " },
  { hold: `${name}-2` },
  { text: "third." },
];
const of = (name: string, answer: ScriptPart[]) => ({
  match: { firstUser: `Task ${name}`, request: 1 },
  answer,
});

beforeAll(async () => {
  server = await startModelServer({
    script: {
      turns: [
        of("alpha", writes("alpha")),
        of("beta", writes("beta")),
        of("gamma", streams("gamma")),
        of("delta", streams("delta")),
        of("epsilon", writes("epsilon")),
        { times: true, answer: [{ text: "That is all." }] },
      ],
    },
  });
  nekode = await openProjectPanel({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  page = nekode.page;
});
afterAll(async () => {
  await nekode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const state = (name: string, says: string) => nekode.otherTask(`Task ${name}`).filter({ hasText: says });
const text = (name: string, says: string) => nekode.row("text", `${name}: ${says}`);
const isWritten = (name: string) => nekode.workspace.exists(`${name}.txt`);

/** Begins a task beside those that there are. */
async function begin(name: string): Promise<void> {
  if (!(await page.locator(".empty").isVisible())) await nekode.taskBeside();
  await nekode.send(`Task ${name}`);
  await nekode.row("user", `Task ${name}`).waitFor();
}

it("four tasks work at once, those that wait first", async () => {
  for (const name of ["gamma", "alpha", "beta", "delta"]) await begin(name);
  await Promise.all([server.waitForHold("gamma-1"), server.waitForHold("delta-1")]);
  await state("alpha", "Needs approval").waitFor();
  await state("beta", "Needs approval").waitFor();
  await state("gamma", "Working").waitFor();
  await page.getByText("3 other tasks, 2 waiting for you").waitFor();
  const titles = page.getByTestId("session-item").locator(".session-named");
  await expect.poll(() => titles.allTextContents()).toEqual(["Task alpha", "Task beta", "Task gamma"]);
  await text("delta", "first, ").waitFor();
});

it("one that waits is approved, and the other one still waits", async () => {
  await nekode.switchTo("Task alpha");
  await nekode.row("approval").waitFor();
  await page.getByTestId("approve").click();
  await nekode.row("text", "That is all.").waitFor();
  expect(isWritten("alpha")).toBe(true);
  await state("beta", "Needs approval").waitFor();
  expect(isWritten("beta")).toBe(false);
});

it("tasks are switched between while they stream, and each has all of its own text", async () => {
  await nekode.switchTo("Task gamma");
  await text("gamma", "first, ").waitFor();
  server.release("gamma-1");
  await text("gamma", "first, second, ").waitFor();
  await nekode.switchTo("Task delta");
  server.release("delta-1");
  await server.waitForHold("delta-2");
  await text("delta", "first, second, ").waitFor();
  await expect.poll(() => nekode.row("text").count()).toBe(1);
  await nekode.switchTo("Task gamma");
  await server.waitForHold("gamma-2");
  await text("gamma", "first, second, ").waitFor();
  await expect.poll(() => nekode.row("text").count()).toBe(1);
});

it("one that waits is stopped from the list, and does nothing", async () => {
  await state("beta", "Needs approval").getByTestId("stop-session").click();
  await nekode.otherTask("Task beta").waitFor({ state: "detached" });
  expect(isWritten("beta")).toBe(false);
  await expect.poll(() => nekode.row("text").count()).toBe(1);
});

it("a reload in the middle loses none: the one on screen is there, and the others are listed as they were", async () => {
  await begin("epsilon");
  await nekode.row("approval").waitFor();
  await nekode.switchTo("Task gamma");
  const before = server.requests.length;
  await nekode.reload();
  await nekode.row("user", "Task gamma").waitFor();
  await text("gamma", "first, second, ").waitFor();
  await nekode.row("notice", "interrupted").waitFor();
  await state("epsilon", "Needs approval").waitFor();
  await state("delta", "Interrupted").waitFor();
  await expect.poll(() => page.getByTestId("session-item").count()).toBe(2);
  expect(server.requests).toHaveLength(before);

  await nekode.switchTo("Task epsilon");
  await page.getByTestId("approve").click();
  await nekode.row("text", "That is all.").waitFor();
  expect(isWritten("epsilon")).toBe(true);
  await nekode.switchTo("Task delta");
  await text("delta", "first, second, ").waitFor();
  await page.getByTestId("retry").click();
  await nekode.row("text", "That is all.").waitFor();
  // Each is in the history once.
  await nekode.openHistory();
  await expect.poll(() => page.getByTestId("history-item").count()).toBe(5);
});
