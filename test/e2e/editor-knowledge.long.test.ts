/**
 * What the editor knows, in a real window and in both languages: a rename over 20 files, comments on a proposed change by mouse, a commit
 * message, tests and cells. test/vscode and the files for tests, notebooks and reviews beside this one prove the parts for `npm test`.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, type Responder, startModelServer } from "../model-server/server.ts";
import { JUPYTER } from "../support/notebooks.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const COUNT = 20;
const NAMES = Array.from({ length: COUNT - 1 }, (_, n) => `src/use${n}.ts`);
const usedIn = (n: number, name: string) =>
  `import { ${name} } from "./total";\n\n// The total is ${n}.\nexport const t${n} = ${name}([${n}]);\n`;
const FILES: Record<string, string> = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext" }, "include": ["src"] }\n',
  "src/total.ts": "export function total(items: number[]): number {\n  return items.length;\n}\n",
  ...Object.fromEntries(NAMES.map((name, n) => [name, usedIn(n, "total")])),
  "poem.txt": "cat\ndog\nowl\n",
  "sums.check": "one: 1 is 1\ntwo: 3 is 2\n",
  "cats.ipynb": JUPYTER,
};

const call = (name: string, params: Record<string, string | number>) => ({
  answer: [{ nativeTool: { name, params } }],
});
const done = (text: string) => ({
  answer: [{ nativeTool: { name: "attempt_completion", params: { result: text } } }],
});
const block = (search: string, replace: string) =>
  `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE`;

describe.each([
  ["dark", undefined],
  ["light", "ja"],
] as const)("in a %s window", (theme, language) => {
  let server: ModelServer;
  let vscode: Workbench;
  const picture = (step: string) => vscode.screenshot(`knowledge-${theme}-${step}`);
  /** The answers of the next task, in order. */
  function plays(...answers: ReturnType<Responder>[]): void {
    const left = [...answers];
    const other = { answer: [{ text: "A title" }] };
    server.setScript(({ tools }) => (tools.includes("attempt_completion") && left.shift()) || other);
  }

  beforeAll(async () => {
    server = await startModelServer({ script: { turns: [] } });
    vscode = await openWorkbench({
      ...{ files: FILES, git: true, modelServer: { baseUrl: server.url }, theme, width: 1400, height: 900 },
      settings: { "nekode.provider.protocol": "native", "workbench.startupEditor": "none" },
      ...(language ? { language } : {}),
    });
    await vscode.openPanel();
  });
  afterEach(() => expect(server.refusals).toEqual([]));
  afterAll(async () => {
    await vscode.close();
    await server.close();
  });
  const read = (name: string) => vscode.workspace?.read(name);
  async function startOver(): Promise<void> {
    if ((await vscode.tab("").count()) > 0) await vscode.runCommand("View: Close All Editors");
    await vscode.tab("").first().waitFor({ state: "detached" });
    const title = vscode.page.locator(".part.sidebar .composite.title");
    await title.getByRole("button", { name: /^(?:New Task|新しいタスク)/ }).click();
    await vscode.row("user").first().waitFor({ state: "detached" });
  }

  it("renames in 20 files with one approval", async () => {
    const panel = vscode.panel();
    const rename = call("refactor_code", { path: "src/total.ts", line: 1, symbol: "total", new_name: "sum" });
    // On a slow machine the first answer is that the language server is still starting.
    server.setScript(({ tools, toolResults }) => {
      if (!tools.includes("attempt_completion")) return { answer: [{ text: "A title" }] };
      return /still starting/.test(toolResults.at(-1)?.text ?? "still starting") ? rename : done("Renamed.");
    });
    await vscode.send("Rename total to sum");
    await panel.getByTestId("approve").waitFor();
    await picture("rename-1-approval");
    expect(await read("src/use3.ts")).toBe(FILES["src/use3.ts"]);
    await panel.getByTestId("approve").click();
    await vscode.row("result", "Renamed.").waitFor();
    for (const [n, name] of NAMES.entries()) expect(await read(name)).toBe(usedIn(n, "sum"));
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("src/use18.ts");
    await picture("rename-2-done");
  });

  it("takes comments on a proposed change by mouse", async () => {
    await startOver();
    const { page } = vscode;
    plays(
      call("replace_in_file", { path: "poem.txt", diff: block("dog", "wolf") }),
      call("replace_in_file", { path: "poem.txt", diff: block("dog", "fox") }),
      done("As you said."),
    );
    await vscode.send("Another animal");
    await vscode.modifiedLine("wolf").waitFor();
    await vscode.panel().getByTestId("approve").waitFor();
    const right = page.locator(".editor.modified");
    const glyph = right.locator(".comment-range-glyph").nth(1);
    await glyph.hover({ force: true });
    await picture("comments-1-glyph");
    await glyph.click({ force: true });
    const widget = page.locator(".review-widget").filter({ has: page.locator(".comment-form") });
    await widget.first().waitFor();
    await page.keyboard.type("A fox, please.");
    await picture("comments-2-typed");
    await widget.getByRole("button", { name: language ? "コメントを追加" : "Add Comment" }).click();
    await widget.locator(".review-comment").getByText("A fox, please.").waitFor();
    await picture("comments-3-added");
    await widget.getByRole("button", { name: language ? "コメントを送信" : "Send Comments" }).click();
    await vscode.modifiedLine("fox").waitFor();
    await vscode.panel().getByTestId("approve").waitFor();
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("A fox, please.");
    await picture("comments-4-sent");
    await vscode.panel().getByTestId("approve").click();
    await vscode.row("result", "As you said.").waitFor();
  });

  it("repairs a failing test, and edits and runs a cell", async () => {
    await startOver();
    const panel = vscode.panel();
    const approve = async () => {
      const button = await panel.getByTestId("approve").elementHandle();
      await button?.click();
      // The next call may ask at once.
      await button?.waitForElementState("hidden");
    };
    const run = call("run_tests", { path: "sums.check" });
    const cell = { path: "cats.ipynb", cell: "load" };
    plays(
      run,
      call("replace_in_file", { path: "sums.check", diff: block("two: 3 is 2", "two: 2 is 2") }),
      run,
      done("All tests pass."),
    );
    await vscode.send("/fix-tests sums.check");
    for (const step of ["run", "edit", "again"]) {
      await panel.getByTestId("approve").waitFor();
      await picture(`tests-${step}`);
      await approve();
    }
    await vscode.row("result", "All tests pass.").waitFor();
    await picture("tests-pass");
    await startOver();
    plays(
      call("read_file", { path: "cats.ipynb" }),
      call("edit_notebook", { ...cell, operation: "replace", source: "x = 2\nprint(x)" }),
      call("run_cell", cell),
      done("It ran."),
    );
    await vscode.send("Set x to 2 and run it");
    for (const step of ["edit", "run"]) {
      await vscode.row("approval", step === "edit" ? /x = 1/ : /print\(x\)/).waitFor();
      await picture(`cell-${step}`);
      await approve();
    }
    await vscode.row("result", "It ran.").waitFor();
    await picture("cell-ran");
  });

  it("writes a commit message into its box", async () => {
    const { page } = vscode;
    server.setScript(() => ({ answer: [{ text: "Rename total to sum" }] }));
    await vscode.runCommand("View: Close All Editors");
    await page.keyboard.press("Control+Shift+g");
    const view = page.locator(".scm-view").first();
    await view.waitFor();
    await page.locator(".pane-header").first().hover();
    const name = language ? "コミット メッセージ" : "Write Commit Message";
    await page
      .getByRole("button", { name: new RegExp(name) })
      .first()
      .click();
    await view.getByText("Rename total to sum").first().waitFor();
    await picture("commit-message");
  });
});
