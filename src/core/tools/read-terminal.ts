import { signalOfExit } from "../../shared/signals.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import { truncateMiddle } from "../text.ts";
import { defineTool, textOutput } from "./tool.ts";

function describeCode(exitCode: number | null): string {
  const signal = exitCode === null ? undefined : signalOfExit(exitCode);
  return `exit code ${exitCode ?? "unknown"}${signal === undefined ? "" : `, by the signal ${signal}`}`;
}

export const readTerminal = defineTool({
  name: "read_terminal",
  presentation: {
    icon: "tools",
    title: { doing: "Reading terminal", done: "Read terminal" },
    row: "tool",
    work: "other",
  },
  access: "read",
  polls: true,
  description: "Shows new output and the state of a command in the background.",
  guide: {
    description:
      "Shows what a command in the background printed since you last looked, and whether it still runs or how it ended. Use it to see whether a server has started or a long build is done.",
    params: {
      id: "The id that the command's result, or the list Actively Running Terminals in environment_details, gives.",
      wait_seconds:
        "How long to wait for new output or the end of the command. Default: 0, which returns at once.",
    },
  },
  schema: z.object({
    id: z.string().check(z.describe("From the command's result or Actively Running Terminals.")),
    wait_seconds: z
      .optional(z.number().check(z.gte(0), z.lte(600)))
      .check(z.describe("Seconds to wait for output; default: 0.")),
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
            `There is no background command with the id ${JSON.stringify(id)}. Running commands are listed under Actively Running Terminals; a command that ended is removed once its end was reported.`,
          );
        }
        const state = info.running ? "still running" : `ended with ${describeCode(info.exitCode ?? null)}`;
        const output = terminalText(info.newOutput);
        const shown = truncateMiddle(output, {
          max: context.settings().context.maxResultCharacters,
          headShare: 0.2,
          next: "redirect the output to a file to read all of it",
        });
        const body = output.trim() === "" ? "(nothing new)" : `New output:\n${shown}`;
        return textOutput(`${info.command}\n(${state})\n${body}`, { output: shown.slice(-20_000) });
      },
    };
  },
});
