/** The terminal sections of the environment details: the agent's commands, and the user's terminals. */
import { terminalText } from "../../shared/terminal-output.ts";
import { visible } from "../../shared/visible.ts";
import type { Host } from "../ports/host.ts";
import type { TerminalInfo } from "../ports/shell.ts";
import type { UserTerminal } from "../ports/surroundings.ts";
import { sliceWhole } from "../text.ts";

/** Characters of one terminal's new output, of all terminals' output together, and of a command. */
const TERMINAL_LIMIT = 4_000;
const TERMINALS_LIMIT = 16_000;
const COMMAND_LIMIT = 500;
/** Terminals of each kind that are listed. */
const MOST_TERMINALS = 10;

/** Above what a command printed since it was reported last. */
export const NEW_OUTPUT = "### New Output";

/** The two sections; "" for an empty one. Marks the output of the agent's commands as reported. */
export function describeTerminals({ shell, surroundings }: Pick<Host, "shell" | "surroundings">): {
  running: string;
  inactive: string;
} {
  const terminals = shell.terminals();
  const own = surroundings.userTerminals?.() ?? [];
  const section = (running: boolean) =>
    [
      ...commandLines(terminals.filter((terminal) => terminal.running === running)),
      ...bounded(own.filter((terminal) => terminal.running === running).map(userLine)),
    ].join("\n");
  return { running: section(true), inactive: section(false) };
}

function commandLines(terminals: readonly TerminalInfo[]): string[] {
  const each = Math.min(
    TERMINAL_LIMIT,
    Math.floor(TERMINALS_LIMIT / Math.max(1, Math.min(MOST_TERMINALS, terminals.length))),
  );
  return bounded(
    terminals.map((terminal) => {
      const { id, command, running, exitCode, durationMs, newOutput } = terminal;
      const state = running
        ? `running for ${duration(durationMs)}`
        : `ended after ${duration(durationMs)}, exit code ${exitCode ?? "unknown"}`;
      const printed = terminalText(newOutput);
      const output = sliceWhole(printed, printed.length - each, printed.length).trim();
      return `## ${id}: ${inLine(command)} (${state})${output === "" ? "" : `\n${NEW_OUTPUT}\n${output}`}`;
    }),
  );
}

function userLine({ name, running, command, exitCode, durationMs }: UserTerminal): string {
  const title = `## The user's terminal ${JSON.stringify(inLine(name))}`;
  if (command === undefined) return `${title}: no command was seen`;
  if (running)
    return `${title}: ${inLine(command)}${durationMs === undefined ? "" : ` (running for ${duration(durationMs)})`}`;
  const code = exitCode === undefined ? "" : ` (exit code ${exitCode})`;
  return `${title}: idle; last command: ${inLine(command)}${code}`;
}

/** The newest entries, and the number of omitted ones. */
function bounded(lines: readonly string[]): string[] {
  const left = lines.length - MOST_TERMINALS;
  return left > 0 ? [`(${left} more)`, ...lines.slice(-MOST_TERMINALS)] : [...lines];
}

/** Shortens a command or name and makes it a single line. */
function inLine(text: string): string {
  const short = text.length > COMMAND_LIMIT ? `${sliceWhole(text, 0, COMMAND_LIMIT)}...` : text;
  return visible(short).replaceAll("\n", "⏎");
}

/** For example `42s`, `5m 30s`, `2h 5m`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
