import type { MadeFiles } from "../../shared/message.ts";
import { exitOfSignal, signalOfExit } from "../../shared/signals.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import type { SandboxPlace } from "../ports/sandbox.ts";
import type { CommandEnd, Shell, ShellKind } from "../ports/shell.ts";
import { approvalPrefix } from "../safety/commands/approval-prefix.ts";
import { prepareReader } from "../safety/shells/read.ts";
import { sliceWhole } from "../text.ts";
import { madeFiles, madeFilesText } from "./made-files.ts";
import { ownPortsText, sandboxBlock, sandboxBlockText, shownPlace } from "./sandbox-block.ts";
import { namedScripts } from "./scripts/named-scripts.ts";
import { COMMAND_NAMES, defineTool, type ToolOutput, textOutput } from "./tool.ts";

/** Bytes. Linux allows 128 KiB for one argument, including the terminating NUL. */
const LONGEST_COMMAND = 130_000;

export const executeCommand = defineTool({
  name: "execute_command",
  paramNames: { command: COMMAND_NAMES },
  presentation: {
    icon: "terminal",
    title: { doing: "Run", running: "Running", done: "Ran" },
    row: "command",
  },
  access: "command",
  description:
    "Runs a command line. What still runs after the timeout, such as a server, moves to the background under an id.",
  guide: {
    description:
      "Runs one command line in the user's shell: building, testing, installing, version control, starting a server. To read, search, list or edit files, use the tools for that. The result has the exit code, the duration and the output, of which the middle is left out if it is long. A command that still runs after the timeout continues in the background under an id.",
    params: {
      command: "The command line, for the operating system and shell that SYSTEM INFORMATION names.",
      requires_approval:
        "true if it installs, deletes, moves or overwrites something, commits, changes the system or uses the network; false if it only reads, builds, tests or starts a local server.",
      outside_sandbox:
        "true if the sandbox has blocked something that this command needs, such as a file outside the project; the user is then asked.",
      network:
        "true if the sandbox has blocked the network, which this command needs; the user is then asked, and the command stays in the sandbox.",
      timeout:
        "Seconds after which the command moves to the background. Default: the user's setting, normally 120.",
    },
  },
  schema: z.object({
    command: z.string().check(z.describe("One command line.")),
    requires_approval: z
      .boolean()
      .check(
        z.describe(
          "true if it installs, deletes or overwrites files, commits, or uses the network; otherwise false.",
        ),
      ),
    outside_sandbox: z
      .optional(z.boolean())
      .check(z.describe("true after the sandbox blocked something that the command needs.")),
    network: z.optional(z.boolean()).check(z.describe("true after the sandbox blocked the network.")),
    timeout: z
      .optional(z.number().check(z.gte(1), z.lte(86_400)))
      .check(z.describe("Seconds before it moves; normally 120.")),
  }),
  subjectParam: "command",
  absent: { requires_approval: true },
  stream: ({ host: { assets, shell } }) => ({
    param(name, delta) {
      if (name === "command") prepareReader(assets, shell.kind, delta);
    },
    abandon: async () => undefined,
  }),
  async prepare(params, context) {
    const {
      command,
      timeout,
      requires_approval: requiresApproval,
      outside_sandbox: isOutside,
      network,
    } = params;
    const wantedPlace = isOutside ? "outside" : network ? "network" : undefined;
    const { host } = context;
    const { root } = host.workspace;
    if (root === undefined) throw new ToolError("No folder is open, so commands cannot run.");
    if (!host.workspace.trusted)
      throw new ToolError("The workspace is not trusted, so commands cannot run in it.");
    if (command.trim() === "") throw new ToolError("The parameter command is empty.");
    if (command.includes("\0")) throw new ToolError("The command contains a NUL character.");
    const size = new TextEncoder().encode(command).length;
    if (size > LONGEST_COMMAND) {
      throw new ToolError(
        `The command has ${size} bytes, more than the limit of ${LONGEST_COMMAND}. Write a script with write_to_file and run that.`,
      );
    }
    const seconds = timeout ?? context.settings().commands.timeout;
    const scripts = await namedScripts(command, root, host.files, host.workspace);
    const always = storable(command, host.shell.kind);
    return {
      paths: [],
      command,
      requiresApproval,
      ...(wantedPlace ? { wantedPlace } : {}),
      coverage: scripts,
      view: { command, cwd: root, ...(always === undefined ? {} : { always }) },
      async run({ callId, signal, moveToBackground, sandbox, onOutput, onWaits }) {
        await scripts.refuseChanged();
        const output = new BoundedOutput(context.settings().context.maxResultCharacters);
        const end = await host.shell.run(command, {
          cwd: root,
          timeoutMs: seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000,
          signal,
          ...(sandbox === undefined ? {} : { sandbox }),
          ...(moveToBackground === undefined ? {} : { moveToBackground }),
          call: `${context.sessionId()}/${callId}`,
          ...(onWaits ? { onWaits } : {}),
          onOutput(text) {
            output.add(text);
            onOutput(text);
          },
        });
        host.unseen?.add(end.made ?? [], context.sessionId());
        const made = madeFiles(end.made ?? [], host.workspace);
        return result(end, output, otherShell(host.shell), sandbox && { ...sandbox, made });
      },
    };
  },
});

/** `place`: in the sandbox, where the command ran, and what it made that takes effect by itself. */
function result(
  end: CommandEnd,
  output: BoundedOutput,
  note: string,
  place: (SandboxPlace & { made: MadeFiles | undefined }) | undefined,
): ToolOutput {
  const text = terminalText(output.text());
  const exitCode = end.exitCode ?? (end.signal === null ? null : (exitOfSignal(end.signal) ?? null));
  const { durationMs, stoppedByUser, backgroundId: background } = end;
  const failed = exitCode !== 0 && background === undefined && !stoppedByUser;
  const block = place !== undefined && failed ? sandboxBlock(text, place.network) : undefined;
  const made = place?.made;
  const shown = {
    output: output.tail(),
    exitCode,
    durationMs,
    ...(stoppedByUser ? { stoppedByUser } : {}),
    ...(background === undefined ? {} : { background }),
    ...(place === undefined
      ? {}
      : { sandbox: { ...shownPlace(place), ...(block ? { block } : {}), ...(made ? { made } : {}) } }),
  };
  const how = background !== undefined ? "background" : failed ? "failed" : undefined;
  const ports = place && !place.network && how ? ownPortsText(text, how) : undefined;
  const notes = [block && sandboxBlockText(block), ports, made && madeFilesText(made)];
  const head = [`${describeEnd(end)}${note}`, ...notes].filter((line) => line !== undefined).join("\n");
  return textOutput(`${head}\n${text.trim() === "" ? "(no output)" : `Output:\n${text}`}`, shown);
}

function describeEnd({ exitCode, signal, durationMs, backgroundId }: CommandEnd): string {
  const took = `after ${(durationMs / 1000).toFixed(1)} s`;
  if (backgroundId !== undefined)
    return `Still running ${took}; it continues in the background as terminal ${backgroundId}.`;
  if (signal !== null) return `Ended by the signal ${signal} ${took}.`;
  if (exitCode === null) return `Ended ${took}; the editor did not tell its exit code.`;
  const meant = signalOfExit(exitCode);
  return `Exit code ${exitCode} ${took}${meant === undefined ? "" : `: ended by the signal ${meant}`}.`;
}

/** Shells for which the note was already given. */
const noted = new WeakSet<Shell>();

/** A note, given once, that the command did not run in the user's shell, and why. */
function otherShell(shell: Shell): string {
  const { insteadOf } = shell;
  if (insteadOf === undefined || noted.has(shell)) return "";
  noted.add(shell);
  const why = {
    missing: "does not exist",
    unknown: "is not one that is known here",
    "in-project": "is in a folder of the project",
  }[insteadOf.why];
  return `\nIt ran in ${shell.path}, because the user's shell ${insteadOf.path} ${why}.`;
}

/** The prefix that "always allow this" stores. Never a script's path, because the script's content may change. */
function storable(command: string, kind: ShellKind): string | undefined {
  const prefix = approvalPrefix(command, kind);
  return prefix === undefined || /^'?[^\s']*[/\\]/.test(prefix) ? undefined : prefix;
}

/** The head and the tail of a command's output, in bounded memory. */
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
    // Not cut at every chunk, so that the cost of a chunk is proportional to its length.
    if (this.#tail.length > this.#limit * 2) this.#tail = this.#tail.slice(-this.#limit);
  }

  text(): string {
    if (this.#total <= this.#limit) return this.#head + this.#tail;
    const tail = sliceWhole(this.#tail, this.#tail.length - this.#limit / 2, this.#tail.length);
    const left = this.#total - this.#head.length - tail.length;
    return `${this.#head}\n[... ${left} characters omitted; to see them, filter the output or redirect it to a file that read_file can page through ...]\n${tail}`;
  }

  tail(): string {
    return (this.#head + this.#tail).slice(-20_000);
  }
}
