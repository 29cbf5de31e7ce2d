/** Looks and rarer states of the list of tasks. sessions.test.ts has it by mouse and by keyboard. */
import { expect, it } from "vitest";
import { item, listed, TASKS } from "./support/sessions.ts";
import { host, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

it("appears with the first other task and goes with the last", async () => {
  await openPanel();
  const list = page.getByTestId("session-list");
  expect(await list.count()).toBe(0);
  host.listTasks({ id: "a", title: "One", state: "working" });
  await page.getByText("1 other task", { exact: true }).waitFor();
  host.listTasks();
  await list.waitFor({ state: "detached" });
});

it("stays folded, also when other tasks come", async () => {
  await listed();
  await page.getByText("5 other tasks, 3 waiting for you").click();
  await item(0).waitFor({ state: "hidden" });
  host.listTasks(...TASKS, { id: "n", title: "New", state: "done" });
  await page.getByText("6 other tasks, 3 waiting for you").waitFor();
  expect(await item(0).isVisible()).toBe(false);
});
