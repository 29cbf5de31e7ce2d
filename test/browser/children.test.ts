/** The row of a call that started a task: its state, its calls when unfolded, and what it asks, in the session that started it. */
import { expect, it } from "vitest";
import { startTask } from "../../src/core/tools/children/start-task.ts";
import { readFile } from "../../src/core/tools/read-file.ts";
import { writeToFile } from "../../src/core/tools/write-to-file.ts";
import type { EventBody } from "../../src/shared/event.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import type { ChildStep, ChildTask } from "../../src/shared/view/child-task.ts";
import { ask, assistant, user } from "./support/events.ts";
import { host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";
import { changeTheme } from "./support/themes.ts";

servePanels({ keepsPanel: true });

type Shown = Omit<ChildTask, "steps" | "more">;
const explorer: Shown = {
  id: "child-a",
  title: "Find every place where an order is priced, in all packages",
  kind: "explore",
  state: "working",
  requests: 3,
  cost: 0.0123,
};
const worker: Shown = { id: "child-b", title: "猫を犬にする", kind: "work", state: "approval", requests: 1 };
const started = (callId: string, { title }: Shown): EventBody[] => [
  { type: "call", messageId: "m", callId, tool: "start_task", subject: title, face: startTask.presentation },
  { type: "call-running", callId },
];
const step = (
  callId: string,
  task: Shown,
  made: ChildStep,
  presentation = readFile.presentation,
): EventBody => ({
  ...{ type: "child", callId, task, face: presentation },
  step: made,
});

async function family(): Promise<void> {
  await openPanel();
  host.emit(
    { type: "session", id: "s", title: "Prices" },
    user("Move all prices"),
    assistant({ type: "text", text: "I look in several places at once." }),
    ...started("a", explorer),
    ...started("b", worker),
    step("a", explorer, {
      id: "1",
      tool: "read_file",
      subject: "packages/shop/src/orders/price.ts",
      state: "done",
    }),
    step("a", explorer, {
      id: "2",
      tool: "read_file",
      subject: "packages/api/src/price.ts",
      state: "running",
    }),
    step(
      "b",
      worker,
      { id: "1", tool: "write_to_file", subject: "cat.txt", state: "approval" },
      writeToFile.presentation,
    ),
  );
  await page.getByTestId("child-task").nth(1).waitFor();
}
const child = (index: number) => page.getByTestId("child-task").nth(index);

it("shows each task in one row, which unfolds to its calls", async () => {
  await family();
  await child(0).getByText("Working · reads only · 3 requests · $0.0123").waitFor();
  await child(1).getByText("Needs approval · in its own worktree · 1 request").waitFor();
  // Only what works turns.
  const row = (index: number) =>
    page
      .getByTestId("row")
      .filter({ has: page.getByTestId("child-task") })
      .nth(index);
  await expect.poll(() => row(0).locator(".call-head .ring").count()).toBe(1);
  expect(await row(1).locator(".call-head .ring").count()).toBe(0);
  expect(await page.locator(".child-steps").count()).toBe(0);
  await child(0).getByText("2 steps").click();
  await expect
    .poll(() => child(0).locator(".child-step").allTextContents())
    .toEqual(["Read packages/shop/src/orders/price.ts", "Reading packages/api/src/price.ts"]);
  // It stays unfolded while it goes on.
  host.emit(
    step(
      "a",
      { ...explorer, requests: 4 },
      { id: "3", tool: "read_file", subject: "c.ts", state: "running" },
    ),
  );
  await child(0).getByText("3 steps").waitFor();
  await expect.poll(() => child(0).locator(".child-step").count()).toBe(3);
  for (const theme of ["light", "dark"] as const) {
    await changeTheme(page, theme);
    for (const width of [250, 420]) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(overflow).toBe(0);
      await picture(`children-${theme}-${width}`);
    }
  }
});

it("opens a task, and stops it alone", async () => {
  await family();
  await child(0).getByTestId("stop-child").click();
  await child(1).getByTestId("open-child").click();
  expect(await host.called("sessions/stop")).toEqual({ id: "child-a" });
  expect(await host.called("history/open")).toEqual({ id: "child-b" });
});

it("asks with whose call it is, and the question goes with the answer", async () => {
  await family();
  const asked = ask("child-b/1", "write_to_file", "cat.txt", {
    ...{ access: "edit", path: "/worktrees/1/cat.txt", reason: reasonOf("editing-asks") },
    task: { id: "child-b", title: worker.title, root: "/worktrees/1" },
  });
  host.emit(...asked);
  await page.getByText("For the subtask “猫を犬にする”, in its worktree").waitFor();
  await page.locator(".ask-what").getByText("cat.txt", { exact: true }).waitFor();
  await page.setViewportSize({ width: 250, height: 700 });
  await expect.poll(overflow).toBe(0);
  await picture("children-asking");
  await page.getByTestId("approve").click();
  expect(await host.called("chat/approve")).toMatchObject({ callId: "child-b/1" });
  host.emit({ type: "call-done", callId: "child-b/1", outcome: "done" });
  await page.getByText("For the subtask “猫を犬にする”").waitFor({ state: "detached" });
  await expect
    .poll(() =>
      page
        .getByTestId("row")
        .filter({ has: page.getByTestId("child-task") })
        .count(),
    )
    .toBe(2);
});

it("shows the changes that a task proposes, file by file, to be taken as a whole", async () => {
  await family();
  host.emit({
    type: "approval",
    callId: "b",
    approval: {
      ...{ callId: "b", access: "edit", reason: reasonOf("editing-asks"), added: 2, removed: 1 },
      files: [
        {
          ...{ path: "cat.txt", kind: "update", added: 1, removed: 1 },
          hunks: { shown: [{ line: 1, removed: ["a cat"], added: ["a dog"] }], more: 0 },
        },
        { path: "old.txt", kind: "delete", added: 0, removed: 1 },
        { path: "scripts/run.sh", kind: "update", added: 0, removed: 0, becomes: "executable" },
        { path: "current", kind: "add", added: 1, removed: 0, becomes: "link" },
      ],
    },
  });
  host.emit({ type: "status", status: "approval" });
  await page.getByText("a dog").waitFor();
  await expect
    .poll(() => page.getByTestId("shown-file").allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Changes\s+cat\.txt/),
      expect.stringMatching(/^Deletes\s+old\.txt/),
      expect.stringMatching(/^Makes executable\s+scripts\/run\.sh/),
      expect.stringMatching(/^Creates symbolic link\s+current/),
    ]);
  expect(await page.getByTestId("take-file").count()).toBe(0);
  await page.setViewportSize({ width: 250, height: 700 });
  await expect.poll(overflow).toBe(0);
  await picture("children-proposal");
});
