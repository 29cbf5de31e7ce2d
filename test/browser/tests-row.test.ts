/** The row of a run of tests: what passed and failed, and the failures as links into the editor. */
import { describe, expect, it } from "vitest";
import type { ShownResult } from "../../src/shared/message.ts";
import { japanese } from "./support/boot.ts";
import { session, user } from "./support/events.ts";
import { host, openPanel, overflow, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

const FAILURES: ShownResult = {
  tests: { path: "src/shop", passed: 11, failed: 2, skipped: 1, notRun: 0 },
  hits: {
    found: [
      { path: "src/shop/a-very-long-name-of-a-test-file.test.ts", line: 12, text: "Cart > adds prices" },
      { path: "src/shop/cart.test.ts" },
    ],
    more: 0,
  },
  durationMs: 2_400,
};

function ran(subject: string, shown: ShownResult, outcome: "done" | "failed"): void {
  host.emit(
    session(),
    user("Run the tests"),
    { type: "call", messageId: "m", callId: "t", tool: "run_tests", subject },
    { type: "call-done", callId: "t", outcome, shown },
  );
}

describe("tests that the editor ran", () => {
  it("are counted, and a failure opens its file", async () => {
    ran("", FAILURES, "failed");
    await openPanel({ width: 340 });
    await expect
      .poll(() => page.getByTestId("tests").textContent())
      .toBe("src/shop 2 failed · 11 passed · 1 skipped · Run by the editor");
    await page.getByRole("link", { name: "Cart > adds prices" }).click();
    await host.called("host/open-file", 1);
    expect(host.named("host/open-file")).toEqual([
      { path: "src/shop/a-very-long-name-of-a-test-file.test.ts", line: 12 },
    ]);
    await page.getByTestId("test-failures").press("Enter");
    await page.getByTestId("hits").waitFor({ state: "detached" });
  });

  it.each([
    ["light", 250],
    ["dark", 250],
    ["light", 400],
  ] as const)("fit in Japanese: %s, %s px", async (theme, width) => {
    ran("", FAILURES, "failed");
    await openPanel({ width, theme, boot: japanese });
    await page.getByTestId("hits").waitFor();
    await expect.poll(overflow).toBe(0);
    await expect.poll(() => row("command").textContent()).toContain("2 件失敗 · 11 件成功 · 1 件スキップ");
    await picture(`tests-${theme}-${width}`);
  });
});

it("tests that a command ran show it, its output, and the places that this names", async () => {
  const found = [{ path: "test/cart.test.ts", line: 3, text: "assert.equal(sum(1), 2);" }];
  const shown: ShownResult = {
    ...{ output: "not ok 1\n", exitCode: 1, durationMs: 1_200, sandbox: {}, tests: { command: "npm test" } },
    hits: { found, more: 0 },
  };
  // As after a reload, when only the parameters are known.
  ran("", shown, "done");
  await openPanel({ width: 340 });
  await expect.poll(() => page.getByTestId("tests").textContent()).toBe("Command line npm test");
  await expect.poll(() => page.getByTestId("sandbox").textContent()).toBe("Sandbox");
  await page.getByRole("link", { name: "assert.equal" }).waitFor();
  await picture("tests-command");
});
