/**
 * An answer in a real VS Code: its diagram and formula under VS Code's own content policy, its code in the theme's colors.
 * test/browser/{rich-answers,code-blocks} prove for `npm test` what is drawn and what its buttons do.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startModelServer } from "../model-server/server.ts";
import { openWorkbench } from "./support/index.ts";

const ANSWER = [
  "The area is $\\pi r^2$.",
  "```mermaid\nflowchart LR\n  A[Cat] --> B[Box]\n```",
  "```ts\nconst cat = 3;\n```",
  "```bash\necho purr > purr.txt\n```",
  "```bash\ngit push --force > pushed.txt\n```",
  "![A cat](cat.svg)",
  "See `a.ts:5` and `purrLoudly()`.",
].join("\n\n");
const CAT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18"/></svg>';

it("draws diagrams and formulas, colors code as the theme does, and uses it where the user says", async () => {
  const server = await startModelServer({
    script: { turns: [{ match: { request: 1 }, answer: [{ text: ANSWER }] }] },
  });
  const vscode = await openWorkbench({
    files: {
      "a.ts": '// one\n// two\n\nexport function purrLoudly(): string {\n  return "purr";\n}\n',
      "cat.svg": CAT,
    },
    modelServer: { baseUrl: server.url },
    settings: {
      "workbench.colorTheme": "Default Dark Modern",
      "nekode.commands.deny": ["git push"],
      // A command in an answer runs outside the sandbox, so this does not let it run without asking.
      "nekode.approval.commandSafe": true,
    },
  });
  try {
    const panel = await vscode.openPanel();
    await vscode.send("Show me");
    await panel.locator('[data-testid="diagram"][data-state="drawn"] img').waitFor();
    await panel.locator("math msup").waitFor();
    await panel.getByRole("img", { name: "A cat" }).waitFor();
    const keyword = panel.locator(".hljs-keyword").first();
    await expect
      .poll(() => keyword.evaluate((element) => getComputedStyle(element).color))
      .toBe("rgb(86, 156, 214)");
    await vscode.screenshot("rich-answer");

    const block = async (text: string) => {
      const code = panel.locator(".code", { hasText: text });
      await code.hover();
      return code;
    };
    const file = (name: string) => path.join(vscode.workspace?.folder ?? "", name);
    const question = vscode.page.locator(".monaco-dialog-box");
    await (await block("purr.txt")).getByTestId("code-run").click();
    await question.getByText("echo purr > purr.txt").waitFor();
    await vscode.answerDialog("Cancel");
    await (await block("pushed.txt")).getByTestId("code-run").click();
    await panel.getByText(/Not run: git push is on the deny list/).waitFor();
    await vscode.screenshot("answer-run-denied");
    await (await block("purr.txt")).getByTestId("code-run").click();
    // Neither the one that was canceled nor the one that is denied ran before.
    expect(await readFile(file("purr.txt"), "utf8").catch(() => "")).toBe("");
    await vscode.answerDialog("Run");
    await expect.poll(() => readFile(file("purr.txt"), "utf8").catch(() => "")).toBe("purr\n");
    expect(await readFile(file("pushed.txt"), "utf8").catch(() => "never")).toBe("never");

    await (await block("const cat")).getByRole("button", { name: "Copy code" }).click();
    await expect
      .poll(() => vscode.page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^const cat = 3;\n?$/);
    await (await block("const cat")).getByTestId("code-new-file").click();
    await vscode.page.locator(".monaco-editor .view-lines", { hasText: "const cat = 3;" }).waitFor();
    await vscode.page.locator(".statusbar-item", { hasText: "TypeScript" }).waitFor();

    const place = (line: number) => vscode.page.locator(".statusbar-item", { hasText: `Ln ${line}, Col` });
    await panel.getByRole("link", { name: "a.ts:5" }).click();
    await vscode.page.locator(".tab.active", { hasText: "a.ts" }).waitFor();
    await place(5).waitFor();
    // The language server has read the file when it knows where in it this is.
    await vscode.page.locator(".breadcrumbs-control").getByText("purrLoudly").waitFor();
    await vscode.tab("Untitled-1").click();
    await panel.getByRole("link", { name: "purrLoudly()" }).click();
    await vscode.page.locator(".tab.active", { hasText: "a.ts" }).waitFor();
    await place(4).waitFor();

    await vscode.editing("a.ts");
    await vscode.page.keyboard.press("ControlOrMeta+Home");
    await (await block("const cat")).getByTestId("code-insert").click();
    await expect.poll(async () => (await vscode.editorText())[0]).toBe("const cat = 3;// one");
    await vscode.editing("a.ts");
    await vscode.page.keyboard.press("Enter");
    await expect
      .poll(async () => (await vscode.editorText()).slice(0, 2))
      .toEqual(["const cat = 3;", "// one"]);
    await vscode.screenshot("answer-inserted");
  } finally {
    await server.close();
  }
});
