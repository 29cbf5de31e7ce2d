/** A command's output as a person would have seen it: escape sequences gone, what was drawn over in its last state. */

/** CSI, OSC (to BEL or ST, or the end while it is still coming), other two-character escapes; but for what moves or erases. */
const escapes = new RegExp(
  [
    "\\u001b\\[(?!\\d*[ABCDGK])[0-?]*[ -/]*(?:[@-~]|$)",
    "\\u001b[\\]PX^_](?:[^\\u0007\\u001b]|\\u001b(?!\\\\))*(?:\\u0007|\\u001b\\\\|$)",
    "\\u001b(?!\\[)[ -/]*(?:[0-~]|$)",
  ].join("|"),
  "g",
);
const controls = /[\u0000-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;
/** Columns that are left free for a sequence that moves to the right. */
const WIDEST = 500;
const moves = /(\u001b\[\d*[ABCDGK]|[\r\n\b])/;

export function terminalText(raw: string): string {
  const text = raw.replace(escapes, "").replace(/\r+\n/g, "\n").replace(controls, "");
  if (!/[\r\b\u001b]/.test(text)) return text;
  const rows = [""];
  let row = 0;
  let column = 0;
  // What follows a carriage return takes the place of the whole line, also where a terminal would leave its longer rest.
  let anew = false;
  for (const token of text.split(moves)) {
    const line = rows[row] ?? "";
    const code = token.startsWith("\u001b") ? token.at(-1) : token;
    const count = Number(token.slice(2, -1) || 1);
    if (code === "\n") {
      rows[++row] ??= "";
      column = 0;
      anew = false;
    } else if (code === "\r") {
      column = 0;
      anew = true;
    } else if (code === "\b") column = Math.max(0, column - 1);
    else if (token !== code) {
      if (code === "A") row = Math.max(0, row - count);
      else if (code === "B") row = Math.min(rows.length - 1, row + count);
      else if (code === "C") column = Math.min(column + count, WIDEST);
      else if (code === "D") column = Math.max(0, column - count);
      else if (code === "G") column = Math.min(Math.max(0, count - 1), WIDEST);
      else if (token.includes("2")) rows[row] = "";
      else rows[row] = line.slice(0, column);
      anew = false;
    } else if (token !== "") {
      rows[row] = anew
        ? token
        : line.slice(0, column).padEnd(column) + token + line.slice(column + token.length);
      column += token.length;
      anew = false;
    }
  }
  return rows.join("\n");
}
