/** The output of commands, and results that are no fault of anything the user has to know about. */
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { coloredText } from "../../webview-ui/output/colored-lines.ts";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { session, user } from "./support/events.ts";
import { ran } from "./support/output.ts";
import { focused, host, openPanel, overflow, page, picture, row, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

it("folds after ten lines, and shows all of them on a press", async () => {
  const lines = Array.from({ length: 14 }, (_, index) => `line ${index + 1}`);
  await ran(`${lines.join("\n")}\n`);
  const shown = () => row("command").locator(".output").textContent();
  expect(await shown()).toBe(lines.slice(4).join("\n"));
  await page.getByRole("button", { name: "Show all 14 lines" }).click();
  expect(await shown()).toBe(lines.join("\n"));
});

it("says where the command ran, and what the sandbox blocked", async () => {
  await ran("made it\n", { exitCode: 0, sandbox: {} });
  await expect.poll(() => page.getByTestId("sandbox").allTextContents()).toEqual(["Sandbox"]);
  await page.getByTitle("Ran in the sandbox, without network").waitFor();
  await ran("it\n", { exitCode: 0, sandbox: { profile: "read" } });
  await page
    .getByText("Sandbox, read-only")
    .and(page.getByTitle("Ran in the read-only sandbox, without network"))
    .waitFor();
  await ran("it\n", { exitCode: 0, sandbox: { profile: "work", network: true } });
  await page.getByText("Sandbox, network").and(page.getByTitle("Ran in the sandbox, with network")).waitFor();
  const made = { rules: ["AGENTS.md"], others: ["packages/server/.envrc", ".github"], more: 0 };
  await ran("made it\n", { exitCode: 0, sandbox: { made } });
  await expect
    .poll(() => page.getByTestId("made-files").allTextContents())
    .toEqual([
      "New files that instruct agents, not used before your next message: AGENTS.md",
      "New files that take effect by themselves: packages/server/.envrc, .github",
    ]);
  await page.setViewportSize({ width: 250, height: 600 });
  await expect.poll(overflow).toBe(0);
  await picture("made-files-250");
  await page.setViewportSize({ width: 400, height: 600 });
  await ran("npm error EAI_AGAIN\n", {
    exitCode: 1,
    sandbox: { block: { kind: "write", path: "/home/mia/.config/x" } },
  });
  const blocked = "Blocked by the sandbox: writing to /home/mia/.config/x";
  await page.getByText(blocked).waitFor();
  await picture("sandbox-blocked");
});

it("says where a command runs while it runs", async () => {
  host.emit(
    session(),
    user("Set it up"),
    { type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: "npm ci" },
    { type: "call-running", callId: "c", sandbox: { profile: "work", network: true } },
  );
  await openPanel({ width: 250 });
  const place = row("command").getByTestId("sandbox");
  await expect.poll(() => place.textContent()).toBe("Sandbox, network");
  await place.and(page.getByTitle("Runs in the sandbox, with network")).waitFor();
  await expect.poll(overflow).toBe(0);
  host.emit({ type: "call-done", callId: "c", outcome: "done", shown: { exitCode: 0, output: "" } });
  await place.waitFor({ state: "detached" });
});

it("lets a blocked command run with network, or outside the sandbox, by a button, with the keyboard too", async () => {
  await ran("npm error EAI_AGAIN\n", { exitCode: 1, sandbox: { block: { kind: "network" } } });
  const button = page.getByRole("button", { name: "Run with network: npm test" });
  await page.getByTestId("run-blocked").and(page.getByTitle("once in the sandbox, with network")).waitFor();
  await page.setViewportSize({ width: 250, height: 600 });
  await expect.poll(overflow).toBe(0);
  await picture("run-blocked-250");
  await button.focus();
  await page.keyboard.press("Enter");
  expect(await host.called("chat/run-blocked")).toEqual({ callId: "c" });
  await expect.poll(focused).toBe("run-blocked");
  expect(await findings(page)).toEqual([]);

  // While the message is on its way, another press does nothing.
  let take = () => {};
  host.taking = new Promise((resolve) => (take = resolve));
  await button.dblclick();
  take();
  await host.called("chat/run-blocked", 2);

  host.emit({ type: "mode", mode: "plan" });
  const disabled = page.locator("[data-testid=run-blocked][disabled]");
  await disabled.and(page.getByTitle("Commands do not run in plan mode")).waitFor();
  host.emit({ type: "mode", mode: "act" });
  await disabled.waitFor({ state: "detached" });
  host.show(host.view, { ...host.setup, trusted: false });
  await disabled.and(page.getByTitle("Commands do not run in a folder that is not trusted")).waitFor();
  host.show(
    { ...host.view, session: { id: "s", title: "A subtask", isSubtask: true } },
    { ...host.setup, trusted: true },
  );
  await disabled.and(page.getByTitle("A subtask receives no messages")).waitFor();
  expect(host.named("chat/run-blocked")).toHaveLength(2);
});

it.each([250, 340])(
  "shows the end of lines that wrap, also when they wrap in another way: %s px",
  async (width) => {
    const lines = Array.from(
      { length: 13 },
      (_, index) => `line ${index + 1} ${"of a long report ".repeat(6)}`,
    );
    await ran(`${lines.join("\n")}\nLAST-LINE\n`);
    const box = row("command").locator(".output");
    const left = () => box.evaluate((each) => each.scrollHeight - each.clientHeight - each.scrollTop);
    const isLong = () => box.evaluate((each) => each.scrollHeight > each.clientHeight * 2);
    await page.setViewportSize({ width, height: 600 });
    await expect.poll(isLong).toBe(true);
    await expect.poll(left).toBeLessThan(2);
    await picture(`output-end-${width}`);
    await page.getByTestId("all-lines").click();
    await expect.poll(left).toBeLessThan(2);
    // What the user scrolled to stays.
    await box.evaluate((each) => each.scrollTo(0, 0));
    await expect.poll(left).toBeGreaterThan(100);
    await page.setViewportSize({ width: width + 20, height: 600 });
    await expect.poll(left).toBeGreaterThan(100);
  },
);

it("has the colors of the theme's terminal, also those that began before the fold", async () => {
  await ran(
    `\u001b[32mok\u001b[0m 1\n\u001b[1;31mnot ok\u001b[0m <b>2</b>\r\n\u001b[38;5;208morange\u001b[K\u001b[m`,
  );
  await page.evaluate(() =>
    document.documentElement.style.setProperty("--vscode-terminal-ansiGreen", "rgb(1, 200, 3)"),
  );
  const box = row("command").locator(".output");
  await expect.poll(() => box.textContent()).toBe("ok 1\nnot ok <b>2</b>\norange");
  const colors = await box
    .locator("span")
    .evaluateAll((spans) =>
      spans.map((span) => [
        span.textContent,
        getComputedStyle(span).color,
        getComputedStyle(span).fontWeight,
      ]),
    );
  // Six tenths of the terminal's color, the rest of the text's.
  expect(colors.find(([text]) => text === "ok")?.[1]).toMatch(/^color\(srgb 0\.32\d* 0\.79\d* 0\.32\d*\)$/);
  expect(colors.find(([text]) => text === "not ok")?.[2]).toBe("700");
  expect(colors.find(([text]) => text === "orange")?.[1]).toBe("rgb(255, 135, 0)");
  await picture("output-colors");
  await expect.poll(overflow).toBe(0);
});

it("keeps colors only where the text is, and no other control sequence", () => {
  expect(
    coloredText("\u001b[31m10%\r\u001b[32m100%\u001b[0m\n\u001b[31mred\u001b[0m\u001b]0;title\u0007!"),
  ).toBe("100%\n\u001b[31mred\u001b[0m!");
  expect(coloredText("one\n\u001b[31mtwo\u001b[1A\rup")).not.toContain("\u001b");
});

it("an edit that was refused is one gray line; identical content is no failure", async () => {
  const call = (callId: string, tool: string) =>
    ({ type: "call", messageId: "m", callId, tool, subject: "cats.js" }) as const;
  host.emit(
    session(),
    user("x"),
    call("a", "replace_in_file"),
    {
      type: "call-done",
      callId: "a",
      outcome: "failed",
      shown: { text: "Block 1 does not match.\nThe nearest lines are …", note: "refused" },
    },
    call("b", "write_to_file"),
    { type: "call-done", callId: "b", outcome: "done", shown: { note: "unchanged" } },
  );
  await openPanel();
  await row("tool").nth(1).waitFor();
  await expect.poll(() => row("tool").nth(0).locator(".call-state").textContent()).toBe("not applied");
  await expect.poll(() => row("tool").nth(1).locator(".call-state").textContent()).toBe("unchanged");
  expect(await page.locator(".call-state .bad").count()).toBe(0);
  expect(await page.getByText("The nearest lines are").count()).toBe(0);
  await picture("refused-edit");
});

it.each(sampled(["light", "dark"] as const, 2))(
  "a command that waits for input says what it asks, takes the answer without taking the focus, and opens its terminal: %s",
  async (theme) => {
    host.emit(
      session(),
      user("Set it up"),
      { type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: "npm init" },
      { type: "call-running", callId: "c", outside: true },
      { type: "output", callId: "c", delta: "This utility will walk you through it.\npackage name: " },
      { type: "call-running", callId: "c", waits: true, outside: true },
      { type: "status", status: "running" },
    );
    await openPanel({ theme, width: 250 });
    const field = page.getByTestId("command-answer");
    await field.waitFor();
    await expect.poll(() => page.getByTestId("waits").textContent()).toBe("Waiting for inputpackage name:");
    await expect.poll(() => page.getByTestId("sandbox").textContent()).toBe("Outside");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(false);
    // The row that runs is the last one, and has a ring.
    expect(await page.locator(".status").count()).toBe(0);
    await picture(`waits-for-input-${theme}`);
    await expect.poll(overflow).toBe(0);
    const edge = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().right);
    expect(await edge(page.getByTestId("send-answer"))).toBeLessThanOrEqual(await edge(row("command")));
    await page.getByTestId("show-terminal").click();
    expect(await host.called("host/show-terminal")).toEqual({ callId: "c" });
    await field.fill("tama");
    await field.press("Enter");
    expect(await host.called("host/answer-command")).toEqual({ callId: "c", line: "tama" });
    // The next question comes soon, and the focus is where its answer goes.
    host.emit({ type: "call-running", callId: "c" });
    await page.getByTestId("waits").waitFor({ state: "detached" });
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    host.emit(
      { type: "output", callId: "c", delta: "tama\nPassword: " },
      { type: "call-running", callId: "c", waits: true, hidden: true },
    );
    await page.getByText("Waiting for a secret. Type it in the terminal.").waitFor();
    await expect.poll(() => field.count()).toBe(0);
    await picture(`waits-for-secret-${theme}`);
    host.emit({
      ...{ type: "call-done", callId: "c", outcome: "done" },
      shown: { output: "done", exitCode: 0, outside: true },
    });
    await expect.poll(() => page.getByTestId("show-terminal").count()).toBe(0);
    await expect.poll(() => page.getByTestId("sandbox").textContent()).toBe("Outside");
  },
);
