/** Commands in the background: their row, the list above the composer, and how they are stopped. */
import { expect, it } from "vitest";
import type { BackgroundCommand } from "../../src/shared/view/background-command.ts";
import { user } from "./support/events.ts";
import { host, openPanel, overflow, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

/** The page's clock stands still: however long a machine takes, as much time has passed. */
const NOW = Date.parse("2026-01-01T00:01:23Z");

const command: BackgroundCommand = {
  id: "3",
  callId: "c",
  session: "s",
  command: "npm run dev -- --port 5173",
  startedAt: "2026-01-01T00:00:00Z",
};

/** A command that moved to the background after three seconds. */
async function moved(): Promise<void> {
  await openPanel({ prepare: (page) => page.clock.setFixedTime(NOW) });
  host.emit(
    { type: "session", id: "s", title: "A task" },
    user("Start the server"),
    { type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: command.command },
    { type: "call-running", callId: "c" },
    { type: "output", callId: "c", delta: "starting\n" },
    {
      type: "call-done",
      callId: "c",
      outcome: "done",
      shown: { output: "starting\n", exitCode: null, durationMs: 3_000, background: "3" },
    },
    {
      type: "background",
      commands: [command, { ...command, id: "4", callId: "d", command: "npm run watch" }],
    },
    { type: "status", status: "idle" },
  );
}

it("the row says that it runs and for how long, goes on with its log, and stops it", async () => {
  await moved();
  const state = row("command").getByTestId("background-state");
  await state.filter({ hasText: /Running in the background \(terminal 3\) · 1 min 23 s/ }).waitFor();
  await expect.poll(() => row("command").locator(".call-title").textContent()).toBe("Running");
  await expect.poll(() => row("command").locator(".call-state").textContent()).toBe("");
  host.emit({ type: "output", callId: "c", delta: "listening on 5173\n" });
  await row("command").locator(".output", { hasText: "starting\nlistening on 5173" }).waitFor();
  await row("command").getByTestId("stop-background").click();
  expect(await host.called("chat/end-background")).toEqual({ id: "3" });
  host.emit({
    type: "background",
    commands: [{ ...command, ended: { exitCode: 1, durationMs: 84_000 } }],
  });
  await state.filter({ hasText: "Ended in the background · exit code 1 · 1 min 24 s" }).waitFor();
  await expect.poll(() => row("command").locator(".call-title").textContent()).toBe("Ran");
  await page.getByTestId("background-commands").waitFor({ state: "detached" });
});

it("all of them are in one line above the composer, which opens to a list", async () => {
  await moved();
  const line = page.getByTestId("background-commands");
  await line.filter({ hasText: "2 commands in background" }).waitFor();
  expect(await line.locator("li").first().isVisible()).toBe(false);
  await line.locator("summary").click();
  await line.getByTestId("background-command").nth(1).filter({ hasText: "npm run watch" }).waitFor();
  await picture("background-list");
  await page.setViewportSize({ width: 250, height: 600 });
  await expect.poll(overflow).toBe(0);
  await picture("background-list-250");
  await line.getByRole("button", { name: "Stop npm run watch" }).click();
  expect(await host.called("chat/end-background")).toEqual({ id: "4" });
});
