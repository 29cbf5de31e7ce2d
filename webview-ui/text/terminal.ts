/** A command's output as a person would have seen it: escape sequences gone, overwritten lines in their last state. */

/** CSI, OSC (to BEL or ST, or the end while it is still coming), other two-character escapes. */
const escapes = new RegExp(
  [
    "\\u001b\\[[0-?]*[ -/]*(?:[@-~]|$)",
    "\\u001b[\\]PX^_](?:[^\\u0007\\u001b]|\\u001b(?!\\\\))*(?:\\u0007|\\u001b\\\\|$)",
    "\\u001b[ -/]*(?:[0-~]|$)",
  ].join("|"),
  "g",
);
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function terminalText(raw: string): string {
  return raw
    .replace(escapes, "")
    .replace(/\r+\n/g, "\n")
    .replace(/[^\n]*\r(?!$)/g, "")
    .replace(/\r/g, "")
    .replace(controls, "");
}
