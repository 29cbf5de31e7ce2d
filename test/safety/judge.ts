/** The judge with the grammars of this repository, for tests. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Clock } from "../../src/core/ports/system.ts";
import {
  type CommandContext,
  type CommandLists,
  readCommand,
} from "../../src/core/safety/commands/judge-command.ts";
import type { Reason } from "../../src/shared/reason.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm"));

export const assets = { read: async (name: string) => new Uint8Array(await readFile(join(folder, name))) };

export async function judgeCommand(command: string, options: CommandContext & CommandLists) {
  return (await readCommand(assets, command, options)).under(options);
}

/** A reason as one line: its code, then its values. */
export const told = ({ code, values }: Reason) => [code, ...values].join(" ");

/** A clock on which no time passes and no limit ends: however busy the machine is, git and the disk are waited for. */
export function patientClock(clock: Clock): Clock {
  const start = clock.now();
  return { ...clock, now: () => start, after: () => ({ dispose: () => undefined }) };
}
