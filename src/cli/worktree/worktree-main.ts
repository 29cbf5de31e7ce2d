/** Opens the project for `nekode worktree`. No session is opened, and no model is asked. */
import { onEndSignal } from "../../node/end-signals.ts";
import { openProject } from "../../node/open-project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { settingsSchema } from "../../shared/settings.ts";
import { assetsDir, type ProgramContext } from "../program.ts";
import { userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { runWorktreeCommand } from "./worktree-command.ts";
import type { WorktreeOptions } from "./worktree-options.ts";

/** Resolves with the exit code. */
export async function manageWorktrees(
  options: WorktreeOptions,
  { environment, stdin, stderr, signals, screen, log, t }: ProgramContext,
): Promise<number> {
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --data-dir");
  const root = options.cwd;
  const host = await openTerminalHost({
    root,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  const opened = await openProject({
    host,
    dataDir,
    sessions: { root },
    environment,
    settings: () => settingsSchema.parse({}),
    apiKey: async () => undefined,
  });
  const interrupt = new AbortController();
  const asked = onEndSignal(signals, () => interrupt.abort());
  try {
    return await runWorktreeCommand(options, {
      screen,
      t,
      signal: interrupt.signal,
      project: opened.project,
      terminal: userTerminal(stdin, stderr),
    });
  } finally {
    asked.dispose();
    host.shell.dispose();
    await opened.close();
  }
}
