/**
 * Renders the raw output of a command as text: without escape sequences, and with overwritten or erased parts in the
 * state that a terminal would show at the end.
 */

/**
 * CSI sequences, except those that move the cursor or erase; OSC and other string sequences (up to BEL or ST, or to
 * the end if incomplete); and all other escape sequences.
 */
const ESCAPES = new RegExp(
  [
    "\\u001b\\[(?!\\d*[ABCDGK])[0-?]*[ -/]*(?:[@-~]|$)",
    "\\u001b[\\]PX^_](?:[^\\u0007\\u001b]|\\u001b(?!\\\\))*(?:\\u0007|\\u001b\\\\|$)",
    "\\u001b(?!\\[)[ -/]*(?:[0-~]|$)",
  ].join("|"),
  "g",
);
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;
/** The last column to which a sequence can move the cursor, so that output cannot create very long blank lines. */
const MAX_COLUMN = 500;
const MOVE = /(\u001b\[\d*[ABCDGK]|[\r\n\b])/;
const MOVE_SEQUENCE = /^\u001b\[\d*[ABCDGK]$/;

interface Screen {
  rows: string[];
  row: number;
  column: number;
}

export function terminalText(raw: string): string {
  const text = raw.replace(ESCAPES, "").replace(/\r+\n/g, "\n").replace(CONTROLS, "");
  if (!/[\r\b\u001b]/.test(text)) return text;
  const at: Screen = { rows: [""], row: 0, column: 0 };
  // Text after a carriage return replaces the whole line. A terminal would keep the rest of a longer line, but
  // programs that redraw a line, such as progress bars, mean to replace it.
  let replacesLine = false;
  for (const token of text.split(MOVE)) {
    if (token === "") continue;
    if (token === "\b") {
      at.column = Math.max(0, at.column - 1);
      continue;
    }
    if (token === "\r") at.column = 0;
    else if (token === "\n") {
      at.rows[++at.row] ??= "";
      at.column = 0;
    } else if (MOVE_SEQUENCE.test(token)) moveOrErase(at, token);
    // An escape character that begins no sequence is invisible in a terminal, too.
    else write(at, token.replaceAll("\u001b", ""), replacesLine);
    replacesLine = token === "\r";
  }
  return at.rows.join("\n");
}

function write(at: Screen, text: string, replacesLine: boolean): void {
  const { rows, row, column } = at;
  const line = replacesLine ? "" : (rows[row] ?? "");
  rows[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
  at.column += text.length;
}

/** Applies `ESC [ count code`. */
function moveOrErase(at: Screen, sequence: string): void {
  const { rows, row, column } = at;
  const count = Number(sequence.slice(2, -1) || 1);
  const code = sequence.at(-1);
  if (code === "A") at.row = Math.max(0, row - count);
  else if (code === "B") at.row = Math.min(rows.length - 1, row + count);
  else if (code === "C") at.column = Math.min(column + count, MAX_COLUMN);
  else if (code === "D") at.column = Math.max(0, column - count);
  else if (code === "G") at.column = Math.min(Math.max(0, count - 1), MAX_COLUMN);
  else rows[row] = sequence.includes("2") ? "" : (rows[row] ?? "").slice(0, column);
}
