/** Opens the project for `nekode worktree`. No session is opened, and no model is asked. */
import { openProject } from "../../node/project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { createTerminalHost } from "../../node/terminal-host.ts";
import { settingsSchema } from "../../shared/settings.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { assetsDir, log } from "../program.ts";
import type { Screen } from "../screen.ts";
import { userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { runWorktreeCommand } from "./worktree-command.ts";
import type { WorktreeOptions } from "./worktree-options.ts";

const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves with the exit code. */
export async function manageWorktrees(
  options: WorktreeOptions,
  { screen, t }: { screen: Screen; t: Translate },
): Promise<number> {
  const dataDir = options.dataDir ?? defaultDataDir(process.env);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --data-dir");
  const root = options.cwd;
  const host = createTerminalHost({ root, assetsDir, dataDir, log });
  const project = await openProject({
    ...{ host, dataDir, sessions: { root }, environment: process.env },
    settings: () => settingsSchema.parse({}),
    apiKey: async () => undefined,
  });
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  for (const name of ENDINGS) process.on(name, onSignal);
  try {
    return await runWorktreeCommand(options, {
      ...{ screen, t, signal: interrupt.signal, worktrees: project.agent.worktrees },
      terminal: userTerminal(process.stdin, process.stderr),
    });
  } finally {
    for (const name of ENDINGS) process.off(name, onSignal);
    host.shell.dispose();
    await project.close();
  }
}
