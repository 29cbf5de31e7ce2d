/** A shell of a test's own, what its commands print, and whether processes live. */
import { onTestFinished } from "vitest";
import type { Shell } from "../../../src/core/ports/shell.ts";
import {
  type CommandControl,
  createShell,
  type ShellOptions,
} from "../../../src/node/shell/process-shell.ts";
import { neverAborted } from "./support.ts";

export function shellAt(file: string, options: ShellOptions = {}): Shell {
  const shell = createShell({ shell: file, ...options });
  onTestFinished(() => shell.dispose());
  return shell;
}

export interface Watched {
  control: CommandControl;
  /** All that its terminal showed so far. */
  shown: string;
}

/** One that somebody watches on a terminal; `onOutput` is what they do about what they see. */
export function watchedShellAt(
  file: string,
  onOutput: (watched: Watched) => void = () => {},
  {
    showsWaiting = false,
    controlled = () => {},
    ...options
  }: ShellOptions & { showsWaiting?: boolean; controlled?: (control: CommandControl) => void } = {},
): Shell {
  const watch: ShellOptions["watch"] = (_started, control) => {
    const watched: Watched = { control, shown: "" };
    controlled(control);
    return {
      size: { columns: 97, rows: 31 },
      output(text) {
        watched.shown += text;
        onOutput(watched);
      },
      ...(showsWaiting ? { waits() {} } : {}),
      ended() {},
    };
  };
  // Whatever a busy machine takes for it: these programs hide nothing that is typed.
  const patience = { prompt: 60_000, echo: 60_000, ...options.patience };
  return shellAt(file, { watch, ...options, patience });
}

type RunOptions = Partial<Omit<Parameters<Shell["run"]>[1], "onOutput">>;

export async function run(shell: Shell, command: string, cwd: string, options: RunOptions = {}) {
  let output = "";
  const onOutput = (text: string) => {
    output += text;
  };
  const end = await shell.run(command, {
    cwd,
    timeoutMs: 60_000,
    signal: neverAborted,
    onOutput,
    ...options,
  });
  return { ...end, output };
}
