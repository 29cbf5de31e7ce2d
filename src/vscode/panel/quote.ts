/** Pieces of files and terminals as text for the composer. */
import { mentionText } from "../../shared/mentions.ts";

/** A fenced block around `text` that `text` itself cannot close. */
export function fenced(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text.replace(/\r\n?/g, "\n").replace(/\n$/, "")}\n${fence}\n`;
}

/** Lines of a file with their 1-based numbers, the first being `startLine`. */
export function numbered(text: string, startLine: number): string {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  const width = String(startLine + lines.length - 1).length;
  return lines.map((line, index) => `${String(startLine + index).padStart(width)} | ${line}`).join("\n");
}

/** A selection: its location, then its text. */
export function quoteSelection(path: string, language: string, text: string, startLine: number): string {
  return `${mentionText(path)}\n${fenced(numbered(text, startLine), language)}`;
}
