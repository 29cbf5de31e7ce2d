/** What the language servers report over the whole workspace, for the model. */
import * as vscode from "vscode";
import { sliceWhole } from "../../core/text.ts";
import { workspacePath } from "../files/workspace-folders.ts";

const most = 200;
/** Characters of one message: some checkers print whole types. */
const longest = 400;

/** One a line, errors before warnings; what is only a hint is left out. */
export function workspaceProblems(): string[] {
  const found = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === "file")
    .flatMap(([uri, diagnostics]) => diagnostics.map((diagnostic) => ({ uri, diagnostic })))
    .filter(({ diagnostic }) => diagnostic.severity <= vscode.DiagnosticSeverity.Warning)
    .sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const lines = found.slice(0, most).map(({ uri, diagnostic }) => {
    const { severity, range, message, source } = diagnostic;
    const kind = severity === vscode.DiagnosticSeverity.Error ? "error" : "warning";
    const origin = source === undefined ? "" : ` (${source})`;
    const line = message.replace(/\s*\n\s*/g, " ");
    const text = line.length > longest ? `${sliceWhole(line, 0, longest)}...` : line;
    return `${workspacePath(uri.fsPath)} line ${range.start.line + 1}: ${kind}: ${text}${origin}`;
  });
  return found.length > most ? [...lines, `(${found.length - most} more)`] : lines;
}
