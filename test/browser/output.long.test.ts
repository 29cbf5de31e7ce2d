/** Looks and rarer results. output.test.ts has the fold, the colors and refused edits. */
import { expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { ran } from "./support/output.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

it("a server that ended is one line, whose log has what it printed; a rejected call tells of nothing that happens", async () => {
  const trace = "Error: no database\n    at connect (db.js:1:1)\n    at main (main.js:2:2)";
  host.emit(
    session(),
    user("x"),
    { type: "notice", id: "n", code: "server-gave-up", values: ["memory", "mcp-exit-code", "1", trace] },
    { type: "call", messageId: "m", callId: "r", tool: "write_to_file", subject: "src/lib/currency.js" },
    { type: "call-done", callId: "r", outcome: "rejected" },
  );
  await openPanel({ width: 340 });
  await row("notice").getByText("The MCP server memory keeps failing").waitFor();
  await picture("server-gave-up");
  expect(await row("notice").textContent()).not.toContain("db.js");
  await page.getByTestId("show-log").click();
  expect(await host.called("servers/act")).toEqual({ name: "memory", action: "log" });
  await expect.poll(() => row("tool").textContent()).toBe("Rejected src/lib/currency.js");
});

it("one line more than the first ones is shown at once", async () => {
  const lines = Array.from({ length: 11 }, (_, index) => `line ${index + 1}`);
  await ran(`${lines.join("\n")}\n`);
  await expect.poll(() => row("command").locator(".output").textContent()).toBe(lines.join("\n"));
  expect(await page.getByTestId("all-lines").count()).toBe(0);
});
