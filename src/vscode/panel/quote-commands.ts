/** Commands that insert a piece of code, a problem or terminal output into the composer without sending it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import { linesMention, mentionText } from "../../shared/mentions.ts";
import { linesInRange } from "../editor/selected-lines.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { fileOf, mentionUris } from "./dropped.ts";
import type { Panels } from "./panels.ts";
import { fenced } from "./quote.ts";

export function registerQuoteCommands(panels: Panels): Disposable {
  const store = new DisposableStore();
  store.add(
    vscode.commands.registerCommand("nekode.addSelection", async () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) return sayNoText();
      const text = quoteOf(editor.document, editor.selection);
      // Moves the focus, because what the user types next belongs to the message. In the editor, it would replace the selection.
      await panels.focus();
      panels.notify("composer/insert", { text });
      panels.notify("composer/focus", {});
    }),
  );
  // From the explorer or a tab: the clicked item and everything selected with it; otherwise the active file.
  store.add(
    vscode.commands.registerCommand(
      "nekode.mention",
      async (clicked?: vscode.Uri, selected?: vscode.Uri[]) => {
        const shown = vscode.window.activeTextEditor?.document.uri;
        const uris = selected?.length ? selected : [clicked ?? shown].filter((uri) => uri !== undefined);
        if (uris.length === 0) return sayNoText();
        const { mentions, refused } = await mentionUris(uris.map((uri) => uri.toString()));
        const names = refused.map((uri) => fileOf(uri)?.fsPath ?? uri);
        if (refused.length > 0)
          vscode.window.showWarningMessage(
            vscode.l10n.t("Cannot mention items outside this workspace: {0}", names.join(", ")),
          );
        if (mentions.length === 0) return;
        await panels.show(shown === undefined ? "sideBar" : "editor");
        panels.notify("composer/insert", { text: mentions.join(" ") });
      },
    ),
  );
  store.add(
    vscode.commands.registerCommand("nekode.fixProblem", async (target?: CodeTarget) => {
      const at = target ?? problemAtCursor();
      if (!at) {
        vscode.window.showInformationMessage(vscode.l10n.t("There are no problems at the cursor."));
        return;
      }
      await compose(panels, vscode.l10n.t("Fix this problem:"), at);
    }),
  );
  store.add(
    vscode.commands.registerCommand("nekode.explain", async (target?: CodeTarget) => {
      const editor = vscode.window.activeTextEditor;
      const at = target ?? (editor && { uri: editor.document.uri, range: editor.selection, problems: [] });
      if (!at) return sayNoText();
      const request =
        at.problems.length > 0 ? vscode.l10n.t("Explain this problem:") : vscode.l10n.t("Explain this code:");
      await compose(panels, request, at);
    }),
  );
  store.add(
    vscode.commands.registerCommand("nekode.addTerminalSelection", async () => {
      const text = await terminalSelection();
      if (text.trim() === "") {
        vscode.window.showInformationMessage(vscode.l10n.t("Nothing is selected in the terminal."));
        return;
      }
      await panels.focus();
      panels.notify("composer/insert", { text: fenced(text, "") });
      panels.notify("composer/focus", {});
    }),
  );
  store.add(
    vscode.languages.registerCodeActionsProvider({ scheme: "file" }, new QuoteActions(), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
  return store;
}

function sayNoText(): void {
  vscode.window.showInformationMessage(vscode.l10n.t("No file is open in the active editor."));
}

interface CodeTarget {
  uri: vscode.Uri;
  range: vscode.Range;
  problems: readonly string[];
}

/** Quick fixes of problems. Code without a problem has none, because the menu of the editor has commands for it. */
class QuoteActions implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const problems = [...context.diagnostics];
    if (problems.length === 0) return [];
    const target = targetOf(document.uri, problems);
    return [
      [vscode.l10n.t("Fix with Nekode"), "nekode.fixProblem"] as const,
      [vscode.l10n.t("Explain with Nekode"), "nekode.explain"] as const,
    ].map(([title, command]) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.command = { title, command, arguments: [target] };
      action.diagnostics = problems;
      return action;
    });
  }
}

function targetOf(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): CodeTarget {
  const range = problems.map((problem) => problem.range).reduce((all, next) => all.union(next));
  return { uri, range, problems: problems.map(describeProblem) };
}

function describeProblem({ message, source, code, range }: vscode.Diagnostic): string {
  const name = typeof code === "object" ? code.value : code;
  const origin = [source, name].filter((part) => part !== undefined).join(" ");
  const line = vscode.l10n.t("line {0}", range.start.line + 1);
  return `- ${message} (${[line, origin].filter((part) => part !== "").join(", ")})`;
}

function problemAtCursor(): CodeTarget | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { uri } = editor.document;
  const problems = vscode.languages
    .getDiagnostics(uri)
    .filter(({ range }) => range.intersection(editor.selection) !== undefined);
  return problems.length > 0 ? targetOf(uri, problems) : undefined;
}

async function compose(panels: Panels, request: string, { uri, range, problems }: CodeTarget): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const lines = [request, ...problems, quoteOf(document, range)];
  await panels.focus();
  panels.notify("composer/insert", { text: lines.join("\n") });
  panels.notify("composer/focus", {});
}

/** A mention of the lines that a range touches, or of the file when the range is empty and covers no problem. */
export function quoteOf(document: vscode.TextDocument, range: vscode.Range): string {
  // A document that is not on disk (a new document, an output, one side of a diff) cannot be mentioned.
  if (document.uri.scheme !== "file") {
    const text = document.getText(range.isEmpty ? undefined : range);
    return fenced(text, document.languageId);
  }
  const path = workspacePath(document.uri.fsPath);
  if (range.isEmpty && range instanceof vscode.Selection) return mentionText(path);
  return linesMention({ path, ...linesInRange(range) });
}

/** There is no API for a terminal's selection: reads it through the clipboard, then restores the clipboard's text. */
async function terminalSelection(): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  try {
    await vscode.env.clipboard.writeText("");
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    return await vscode.env.clipboard.readText();
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}
