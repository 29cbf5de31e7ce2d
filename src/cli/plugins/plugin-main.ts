/** Sets up what `nekode plugin` needs. No session is opened, and no model is asked. */

import { Interrupt } from "../../core/errors.ts";
import { PluginError } from "../../core/plugins/plugin-error.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { systemInfo } from "../../node/machine.ts";
import { InstalledPlugins } from "../../node/plugins/installed-plugins.ts";
import { PluginManager } from "../../node/plugins/plugin-manager.ts";
import { machinePolicy } from "../../node/policy/machine-policy.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { pluginProblemText } from "../../shared/words/plugin-words.ts";
import type { ProgramContext } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { runPluginCommand } from "./plugin-command.ts";
import type { PluginOptions } from "./plugin-options.ts";

/** Resolves with the exit code. */
export async function managePlugins(
  options: PluginOptions,
  { environment, signals, screen, stdin, stderr, log, t }: ProgramContext,
): Promise<number> {
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --data-dir");
  const interrupt = new AbortController();
  const asked = onEndSignal(signals, () => interrupt.abort());
  const { cwd } = options;
  const manager = new PluginManager({
    installed: new InstalledPlugins(dataDir, log, await machinePolicy()),
    ...{ dataDir, environment, roots: () => [cwd], cwd, system: systemInfo(environment), log },
  });
  const terminal = options.yes ? undefined : userTerminal(stdin, stderr);
  try {
    return await runPluginCommand(options, { manager, screen, t, terminal, signal: interrupt.signal });
  } catch (error) {
    if (interrupt.signal.aborted || error instanceof Interrupt) return EXIT_CODE.interrupted;
    throw error instanceof PluginError ? new Error(pluginProblemText(t, error.problem)) : error;
  } finally {
    asked.dispose();
  }
}
