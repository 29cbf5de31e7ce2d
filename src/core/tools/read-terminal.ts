import * as z from "zod";
import { signalOfExit } from "../../shared/signals.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import { ToolError } from "../errors.ts";
import { truncateMiddle } from "../text.ts";
import { defineTool, textOutput } from "./tool.ts";

function describeCode(exitCode: number | null): string {
  const signal = exitCode === null ? undefined : signalOfExit(exitCode);
  return `exit code ${exitCode ?? "unknown"}${signal === undefined ? "" : `, by the signal ${signal}`}`;
}

export const readTerminal = defineTool({
  name: "read_terminal",
  face: { icon: "tools", title: { doing: "Reading terminal", done: "Read terminal" }, row: "tool" },
  access: "read",
  polls: true,
  description:
    "Shows what a command that went on in the background printed since you last saw it, and whether it still runs. It can wait until something comes.",
  schema: z.object({
    id: z.string().describe("The terminal's id, as listed under Actively Running Terminals."),
    wait_seconds: z
      .number()
      .min(0)
      .max(600)
      .optional()
      .describe("Longest wait for new output or the command's end; 0 if left out."),
  }),
  subjectParam: "id",
  async prepare({ id: named, wait_seconds: seconds }, context) {
    const id = named.trim();
    return {
      paths: [],
      view: {},
      async run({ signal }) {
        const { shell } = context.host;
        const info = await shell.readTerminal(id, (seconds ?? 0) * 1000, signal);
        if (!info) {
          throw new ToolError(
            `There is no background command with the id ${JSON.stringify(id)}. Those that run are listed under Actively Running Terminals; one that ended is gone once its end was told.`,
          );
        }
        const state = info.running ? "still running" : `ended with ${describeCode(info.exitCode ?? null)}`;
        const output = terminalText(info.newOutput);
        const told = truncateMiddle(output, {
          max: context.settings().context.maxResultCharacters,
          headShare: 0.2,
          next: "redirect the output to a file to read all of it",
        });
        const body = output.trim() === "" ? "(nothing new)" : `New output:\n${told}`;
        return textOutput(`${info.command}\n(${state})\n${body}`, { output: told.slice(-20_000) });
      },
    };
  },
});
