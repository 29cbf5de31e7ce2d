/** What a terminal printed, as text for a model. */
import stripAnsi from "strip-ansi";

/** Without control sequences; of a line that was redrawn by carriage returns, its last state. */
export function plainOutput(output: string): string {
  return stripAnsi(output)
    .replace(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1))
    .join("\n")
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "");
}
