/** The list of hooks, and the rows of their runs. */

import { expect, it } from "vitest";
import * as z from "zod/mini";
import { hookActionSchema, hookNoticeValues } from "../../src/shared/hook-list.ts";
import { someHooks } from "./support/fixtures.ts";
import { host, openPanel, overflow, page, servePanels, showScreen } from "./support/suite.ts";

servePanels();

it("shows what a changed hook would run, and approves exactly that", async () => {
  const asked: unknown[] = [];
  host.hooks = someHooks;
  host.hooksAfter = (ask) => {
    asked.push(ask);
    const [first, ...others] = someHooks.hooks;
    const action = z.nullable(hookActionSchema).parse(ask);
    return action?.action === "approve" && first
      ? { ...someHooks, hooks: [{ ...first, state: "approved" as const }, ...others] }
      : someHooks;
  };
  await openPanel({ width: 250 });
  showScreen("hooks");
  const [changed, approved] = [page.getByTestId("hook-item").first(), page.getByTestId("hook-item").last()];
  await changed.locator(".server-line.added").waitFor();
  await changed.getByText("changed, requires approval").waitFor();
  await approved.getByText("approved · GitHub Copilot · Stop, Notification").waitFor();
  await page.getByText("hooks of the type http are not supported").waitFor();
  await expect.poll(overflow).toBe(0);
  await changed.getByRole("button", { name: ".claude/hooks/no-push.sh", exact: true }).click();
  const opens = () => host.calls.filter(({ name }) => name === "host/open-file");
  await expect.poll(opens).toMatchObject([{ params: { path: ".claude/hooks/no-push.sh" } }]);
  await page.getByTestId("approve-hook").click();
  await page.getByTestId("hook-approval").waitFor({ state: "detached" });
  expect(asked).toEqual([null, { action: "approve", id: "aaaa1111", content: someHooks.hooks[0]?.content }]);
});

it("a run is one row, which changes when the run ends and folds what the hook printed", async () => {
  await openPanel();
  const run = { event: "PreToolUse" as const, command: "no-push.sh", why: "", output: "" };
  const show = (values: string[]) => host.emit({ type: "notice", id: "run", code: "hook", values });
  show(hookNoticeValues({ ...run, outcome: "running" }));
  await page.getByTestId("row").getByText("Hook PreToolUse: no-push.sh: is running…").waitFor();
  show(hookNoticeValues({ ...run, outcome: "blocked", why: "Not from here.", output: "first\nsecond" }));
  await page.getByTestId("row").getByText("Hook PreToolUse: no-push.sh: blocked. Not from here.").waitFor();
  await expect.poll(() => page.locator('[data-row="run"]').count()).toBe(1);
  await expect.poll(() => page.getByTestId("output").count()).toBe(0);
  await page.getByText("Show output").click();
  await page.getByTestId("output").getByText("second").waitFor();
});

it("a row says how many hooks wait, and opens the list", async () => {
  await openPanel();
  host.emit({ type: "notice", id: "waiting", code: "hooks-waiting", values: ["2"] });
  await page.getByTestId("row").getByText("2 hooks do not run until you approve them.").waitFor();
  await page.getByTestId("show-hooks").click();
  await page.getByTestId("hooks-list").waitFor();
});
