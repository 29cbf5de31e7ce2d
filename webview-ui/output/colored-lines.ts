import { terminalText } from "../../src/shared/terminal-output.ts";

/** Sequences that set colors and styles. */
const STYLES = /(\u001b\[[\d;:]*m)/;

/** Characters that move back in a line. The colors of such a line would not match its text. */
const REDRAWN = /[\r\b]|\u001b\[\d*[CDG]|\u001b\[[12]K/;

export function hasColors(raw: string): boolean {
  return STYLES.test(raw);
}

/**
 * A command's output as a terminal would finally show it, with the colors of its lines: styles are the only control sequences.
 * A line that was redrawn has no colors, nor has output that moves between lines.
 */
export function coloredText(raw: string): string {
  const text = raw.replace(/\r+\n/g, "\n");
  if (/\u001b\[\d*[AB]/.test(text)) return terminalText(raw);
  return text
    .split("\n")
    .map((line) => (REDRAWN.test(line) ? terminalText(line) : withStyles(line)))
    .join("\n");
}

function withStyles(line: string): string {
  return line
    .split(STYLES)
    .map((part, index) => (index % 2 === 1 ? part : terminalText(part.replace(/\u001b\[0?K/g, ""))))
    .join("");
}
