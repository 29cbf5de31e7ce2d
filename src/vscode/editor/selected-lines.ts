import type * as vscode from "vscode";

/** The lines that a range touches, 1-based and inclusive. A range that ends at the start of a line does not touch that line. */
export function linesInRange({ start, end }: Pick<vscode.Range, "start" | "end">): {
  start: number;
  end: number;
} {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { start: start.line + 1, end: last + 1 };
}
