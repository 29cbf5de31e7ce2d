/** Sets up what `nekode hooks` needs. No session is opened, and no model is asked. */
import { Interrupt, ToolError } from "../../core/errors.ts";
import { createProjectHooks } from "../../node/config/hook-setup.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import { assetsDir, type ProgramContext } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { UsageError } from "../usage-error.ts";
import { runHooksCommand } from "./hooks-command.ts";
import type { HooksOptions } from "./hooks-options.ts";

/** Resolves with the exit code. */
export async function manageHooks(
  options: HooksOptions,
  { environment, signals, screen, log, t }: ProgramContext,
): Promise<number> {
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --data-dir");
  const host = await openTerminalHost({
    root: options.cwd,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  const interrupt = new AbortController();
  const asked = onEndSignal(signals, () => interrupt.abort());
  try {
    const hooks = createProjectHooks(host, dataDir);
    return await runHooksCommand(options, { hooks, host, screen, t, signal: interrupt.signal });
  } catch (error) {
    if (interrupt.signal.aborted || error instanceof Interrupt) return EXIT_CODE.interrupted;
    throw error instanceof ToolError && error.fault ? new Error(reasonWords(t, error.fault)) : error;
  } finally {
    asked.dispose();
    host.shell.dispose();
  }
}
