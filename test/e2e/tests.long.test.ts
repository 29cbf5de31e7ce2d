/** Tests of another extension of VS Code: run with approval, with the failure as a link, and fixed until they pass. */
import { expect, it } from "vitest";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

inUsualWindow();

const newestRequest = () => JSON.stringify(server.requests.at(-1)?.body);
const RUN = { tool: "run_tests", params: { path: "sums.check" } } as const;

it("/fix-tests runs what the editor knows, repairs it, and runs it again", async () => {
  await vscode.workspace?.write("sums.check", "one: 1 is 1\ntwo: 3 is 2\nthree: ? is 3\n");
  server.setScript({
    turns: [
      { match: { request: 1 }, answer: [RUN] },
      {
        match: { request: 2 },
        answer: [
          {
            tool: "replace_in_file",
            params: {
              path: "sums.check",
              diff: "------- SEARCH\ntwo: 3 is 2\n=======\ntwo: 2 is 2\n+++++++ REPLACE",
            },
          },
        ],
      },
      { match: { request: 3 }, answer: [RUN] },
      {
        match: { request: 4 },
        answer: [{ tool: "attempt_completion", params: { result: "All tests pass." } }],
      },
    ],
  });
  await vscode.send("/fix-tests sums.check");
  // What the editor runs is in no sandbox, so it asks although safe commands run.
  const card = vscode.row("approval", /sums\.check[\s\S]*runs the code itself, outside of any sandbox/);
  await card.waitFor();
  await vscode.screenshot("a run of tests asks");
  await panel.getByTestId("approve").click();
  const first = vscode.row("command", "1 failed · 1 passed · 1 skipped");
  await first.waitFor();
  await vscode.row("approval", "two: 2 is 2").waitFor();
  expect(newestRequest()).toContain("- two (sums.check:2, 5 ms)");
  await vscode.screenshot("a run of tests with a failure");
  await first.getByRole("link", { name: /two/ }).click();
  await vscode.page.locator(".tab.active", { hasText: "sums.check" }).waitFor();
  await panel.getByTestId("approve").click();
  await card.waitFor();
  await panel.getByTestId("approve").click();
  await vscode.row("result", "All tests pass.").waitFor();
  expect(newestRequest()).toContain("2 passed, 1 skipped");
  await vscode.screenshot("tests that pass again");
});
