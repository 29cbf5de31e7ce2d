import * as z from "zod";
import { exitOfSignal, signalOfExit } from "../../shared/signals.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import { ToolError } from "../errors.ts";
import type { CommandEnd, Shell } from "../ports/shell.ts";
import { approvalPrefix } from "../safety/commands/approval-prefix.ts";
import { sliceWhole } from "../text.ts";
import { namedScripts } from "./scripts/named-scripts.ts";
import { commandNames } from "./shared-names.ts";
import { defineTool, textOutput } from "./tool.ts";

/** Bytes; Linux takes 128 KiB as one argument, its name and end included. */
const longestCommand = 130_000;

export const executeCommand = defineTool({
  name: "execute_command",
  paramNames: { command: commandNames },
  face: { icon: "terminal", title: { doing: "Run", running: "Running", done: "Ran" }, row: "command" },
  access: "command",
  description:
    "Runs a command line in the working directory, in the person's own shell, where they can see it. The answer has the output and the exit code. A command that keeps running, such as a server, goes on in the background and is listed under Actively Running Terminals.",
  schema: z.object({
    command: z
      .string()
      .describe("The command line, in the syntax of the shell named under SYSTEM INFORMATION."),
    requires_approval: z
      .boolean()
      .describe(
        "true for a command that changes, installs, deletes or reaches the network; false for a harmless one.",
      ),
    timeout: z
      .number()
      .min(1)
      .max(86_400)
      .optional()
      .describe("Seconds after which it goes on in the background."),
  }),
  subjectParam: "command",
  absent: { requires_approval: true },
  async prepare({ command, timeout, requires_approval: requiresApproval }, context) {
    const { host } = context;
    const { root } = host.workspace;
    if (root === undefined) throw new ToolError("No folder is open, so there is nowhere to run a command.");
    if (!host.workspace.trusted)
      throw new ToolError("The workspace is not trusted, so commands do not run in it.");
    if (command.trim() === "") throw new ToolError("The parameter command is empty.");
    if (command.includes("\0")) throw new ToolError("The command contains a NUL character.");
    const size = new TextEncoder().encode(command).length;
    if (size > longestCommand) {
      throw new ToolError(
        `The command has ${size} bytes, more than the ${longestCommand} that systems take. Write a script with write_to_file and run that.`,
      );
    }
    const seconds = timeout ?? context.settings().commands.timeout;
    const scripts = await namedScripts(command, root, host.files, host.workspace);
    const always = storable(command, host.shell.kind);
    return {
      paths: [],
      command,
      requiresApproval,
      view: { command, cwd: root, ...(always === undefined ? {} : { always }) },
      async run({ signal, goOn, onOutput }) {
        await scripts.refuseChanged();
        const output = new BoundedOutput(context.settings().context.maxResultCharacters);
        const end = await host.shell.run(command, {
          cwd: root,
          timeoutMs: seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000,
          signal,
          ...(goOn === undefined ? {} : { goOn }),
          onOutput(text) {
            output.add(text);
            onOutput(text);
          },
        });
        const text = terminalText(output.text());
        const exitCode = end.exitCode ?? (end.signal === null ? null : (exitOfSignal(end.signal) ?? null));
        const shown = { output: output.tail(), exitCode, durationMs: end.durationMs };
        const how = `${describeEnd(end)}${otherShell(host.shell)}`;
        return textOutput(`${how}\n${text.trim() === "" ? "(no output)" : `Output:\n${text}`}`, shown);
      },
    };
  },
});

function describeEnd({ exitCode, signal, durationMs, backgroundId }: CommandEnd): string {
  const took = `after ${(durationMs / 1000).toFixed(1)} s`;
  if (backgroundId !== undefined)
    return `Still running ${took}; it goes on in the background as terminal ${backgroundId}.`;
  if (signal !== null) return `Ended by the signal ${signal} ${took}.`;
  if (exitCode === null) return `Ended ${took}; the editor did not tell its exit code.`;
  const meant = signalOfExit(exitCode);
  return `Exit code ${exitCode} ${took}${meant === undefined ? "" : `: ended by the signal ${meant}`}.`;
}

/** Shells whose results have said so. */
const told = new WeakSet<Shell>();

/** Said once: the person's own shell is another one. */
function otherShell(shell: Shell): string {
  const { insteadOf } = shell;
  if (insteadOf === undefined || told.has(shell)) return "";
  told.add(shell);
  const why = {
    missing: "does not exist",
    unknown: "is not one that is known here",
    "in-project": "is in a folder of the project",
  }[insteadOf.why];
  return `\nIt ran in ${shell.path}, because the person's own shell ${insteadOf.path} ${why}.`;
}

/** What "always allow this" would store; never a script by its path, which may say something else tomorrow. */
function storable(command: string, kind: Shell["kind"]): string | undefined {
  const prefix = approvalPrefix(command, kind);
  return prefix === undefined || /^'?[^\s']*[/\\]/.test(prefix) ? undefined : prefix;
}

/** The head and the tail of what a command printed; memory stays bounded however much that is. */
class BoundedOutput {
  readonly #limit: number;
  #head = "";
  #tail = "";
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#limit / 2 - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.#tail += rest;
    // Cut now and then, not at every chunk, so that a chunk costs what it is long.
    if (this.#tail.length > this.#limit * 2) this.#tail = this.#tail.slice(-this.#limit);
  }

  text(): string {
    if (this.#total <= this.#limit) return this.#head + this.#tail;
    const tail = sliceWhole(this.#tail, this.#tail.length - this.#limit / 2, this.#tail.length);
    const left = this.#total - this.#head.length - tail.length;
    return `${this.#head}\n[... ${left} characters left out; to see them, filter the output or redirect it to a file that read_file can page through ...]\n${tail}`;
  }

  tail(): string {
    return (this.#head + this.#tail).slice(-20_000);
  }
}
