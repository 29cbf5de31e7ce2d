/**
 * A review in a real window, from the button of Source Control to a thread that is resolved and one that is dismissed, and comments on a
 * proposed change. test/vscode/review.test.ts and test/unit/node/git-review.test.ts prove its parts for `npm test`.
 */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type ModelServer, type Responder, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const BEFORE = "export function sum(items: number[]): number {\n  let total = 0;\n  return total;\n}\n";
const LOOP = "  for (let i = 0; i <= items.length; i++) total += items[i]!;";
const AFTER = BEFORE.replace("  return total;", `${LOOP}\n  return total;`).replace("let total", "var total");

const findings = [
  {
    ...{ path: "src/sum.ts", start_line: 3, line_text: LOOP, severity: "important", confidence: 0.95 },
    ...{ title: "Reads one item behind the end", suggestion: "Use i < items.length." },
    body: "For the last i, items[i] is undefined, and the sum becomes NaN.",
  },
  {
    ...{ path: "src/sum.ts", start_line: 2, line_text: "  var total = 0;", severity: "nit", confidence: 0.6 },
    ...{ title: "var instead of let", body: "The project uses let." },
  },
];

const edit = {
  path: "src/sum.ts",
  diff: `------- SEARCH\n${LOOP}\n=======\n${LOOP.replace("<=", "<")}\n+++++++ REPLACE`,
};

const model: Responder = ({ tools, said, firstUser, request }) => {
  if (tools.includes("report_findings"))
    return { answer: [{ nativeTool: { name: "report_findings", params: { findings } } }] };
  if (tools.includes("report_verdicts")) {
    const verdicts = [1, 2].map((finding) => ({ finding, holds: true, reason: "Read it." }));
    return { answer: [{ nativeTool: { name: "report_verdicts", params: { verdicts } } }] };
  }
  const last = said.at(-1)?.text ?? firstUser;
  const replace = { answer: [{ nativeTool: { name: "replace_in_file", params: edit } }] };
  if (/^(?:Fix this|レビューのこの指摘だけ)/m.test(last) && request <= 3) return replace;
  return { answer: [{ text: "Done." }], usage: { promptTokens: 10, completionTokens: 2, cost: 0.01 } };
};

describe.each([
  ["dark", undefined],
  ["light", "ja"],
] as const)("a review in a %s window", (theme, language) => {
  let server: ModelServer;
  let vscode: Workbench;
  const name = (step: string) => `review-${theme}-${step}`;

  afterEach(async () => expect(server.refusals).toEqual([]));
  afterAll(async () => {
    await vscode.close();
    await server.close();
  });

  it("is a button of Source Control, whose findings are threads that are fixed and dismissed", async () => {
    server = await startModelServer({ script: model });
    vscode = await openWorkbench({
      files: { "src/sum.ts": BEFORE, "REVIEW.md": "Look for loops.\n" },
      ...{ git: true, modelServer: { baseUrl: server.url }, theme, width: 1500, height: 900 },
      settings: { "nekode.provider.protocol": "native", "workbench.startupEditor": "none" },
      ...(language ? { language } : {}),
    });
    const { page } = vscode;
    await vscode.workspace?.write("src/sum.ts", AFTER);
    await vscode.openFile("src/sum.ts");
    await page.keyboard.press("Control+Shift+g");
    await page.locator(".scm-view").first().waitFor();
    // The buttons of a title are there while the mouse is on it.
    await page.locator(".pane-header", { hasText: "Changes" }).first().hover();
    const button = page.getByRole("button", { name: language ? "変更をレビュー" : "Review Changes" }).first();
    await button.waitFor();
    await vscode.screenshot(name("1-scm"));
    await button.click();
    // The command shows the panel: a press of its icon meanwhile would hide it again.
    const panel = vscode.panel();
    await panel
      .getByText(language ? "検証済み" : "confirmed")
      .first()
      .waitFor();
    await vscode.screenshot(name("2-summary"));
    expect(server.requests[0]?.text).toContain("Look for loops.");
    await page.locator(".comments-panel").getByText("For the last i").click();
    const thread = page.locator(".review-widget").filter({ hasText: "Reads one item" });
    await thread.waitFor();
    await vscode.screenshot(name("3-thread"));
    // The threads are there again after a reload, although nobody opens the panel.
    await vscode.reload();
    await page.locator(".comments-panel").getByText("The project uses let").waitFor();
    await page.locator(".comments-panel").getByText("For the last i").click();
    await thread.waitFor();
    await vscode.screenshot(name("3-thread-after-reload"));
    await vscode.openPanel();
    await thread.getByRole("button", { name: language ? "これを修正" : "Fix This" }).click();
    await panel.getByTestId("approve").waitFor();
    await vscode.screenshot(name("4-approval"));
    await panel.getByTestId("approve").click();
    await panel.getByText("Done.").first().waitFor();
    await expect.poll(() => vscode.workspace?.read("src/sum.ts")).toContain("i < items.length");
    // A resolved thread is folded.
    await thread.waitFor({ state: "hidden" });
    await page.locator(".comments-panel").getByText("For the last i").click();
    await thread.getByText(language ? "(修正済み)" : "(fixed)").waitFor();
    await vscode.screenshot(name("5-fixed"));
    await page.locator(".comments-panel").getByText("The project uses let").click();
    const other = page.locator(".review-widget").filter({ hasText: "var instead of let" });
    await other.getByRole("button", { name: language ? "閉じる" : "Dismiss" }).click();
    await other.waitFor({ state: "detached" });
    await vscode.screenshot(name("6-dismissed"));
    // It opens the window twice, which takes long on a busy machine.
  }, 400_000);
});
