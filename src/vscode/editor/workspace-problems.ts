/** Lists the problems that language servers report for the whole workspace, for the model. */
import * as vscode from "vscode";
import { sliceWhole } from "../../core/text.ts";
import { workspacePath } from "../files/workspace-folders.ts";

const MAX_PROBLEMS = 200;
/** Maximum characters of one message; type checkers may print entire types. */
const MAX_MESSAGE_LENGTH = 400;

/** One per line, errors before warnings; information and hints are omitted. */
export function workspaceProblems(): string[] {
  const found = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === "file")
    .flatMap(([uri, diagnostics]) => diagnostics.map((diagnostic) => ({ uri, diagnostic })))
    .filter(({ diagnostic }) => diagnostic.severity <= vscode.DiagnosticSeverity.Warning)
    .sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const lines = found.slice(0, MAX_PROBLEMS).map(({ uri, diagnostic }) => {
    const { severity, range, message, source } = diagnostic;
    const kind = severity === vscode.DiagnosticSeverity.Error ? "error" : "warning";
    const origin = source === undefined ? "" : ` (${source})`;
    const line = message.replace(/\s*\n\s*/g, " ");
    const text = line.length > MAX_MESSAGE_LENGTH ? `${sliceWhole(line, 0, MAX_MESSAGE_LENGTH)}...` : line;
    return `${workspacePath(uri.fsPath)} line ${range.start.line + 1}: ${kind}: ${text}${origin}`;
  });
  return found.length > MAX_PROBLEMS ? [...lines, `(${found.length - MAX_PROBLEMS} more)`] : lines;
}
