/** Opens the project for `nekode import`. No session is opened, and no model is asked. */
import { defaultConfigDir, systemHome } from "../../node/config/config-dir.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { findSessions } from "../../node/import/find-sessions.ts";
import type { FoundProduct } from "../../node/import/found-session.ts";
import { openProject } from "../../node/open-project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { readOptions } from "../command-options.ts";
import { keyInEnvironment } from "../config/maker-keys.ts";
import { assetsDir, configFileIn, configOf, folderAt, type ProgramContext } from "../program.ts";
import { userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { runImport } from "./import-command.ts";
import type { ImportOptions } from "./import-options.ts";

/** Resolves with the exit code. */
export async function importFromAgents(options: ImportOptions, context: ProgramContext): Promise<number> {
  const { environment, withKeys, stdin, stderr, signals, screen, log, t } = context;
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to store sessions in; specify a folder with --data-dir");
  const root = folderAt(options.cwd);
  const configDir = options.configDir ?? defaultConfigDir(environment);
  const config = await configOf(context, [], configFileIn(context, configDir));
  const { settings, searchKey = "" } = readOptions([], withKeys, root, config);
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
    sessions: { root, onlyReads: options.isDryRun },
    environment,
    settings: () => settings,
    apiKey: async (connection) => keyInEnvironment(connection, withKeys),
    otherKeys: async () => (searchKey === "" ? [] : [searchKey]),
  });
  const interrupt = new AbortController();
  const asked = onEndSignal(signals, () => interrupt.abort());
  let found: FoundProduct[] = [];
  try {
    const { project } = opened;
    const { platform } = process;
    found = await findSessions(options.products, {
      environment,
      home: systemHome(environment),
      assets: host.assets,
      platform,
    });
    return await runImport(found, options, {
      store: project.store,
      root,
      dataDir,
      assets: host.assets,
      clock: host.clock,
      log,
      newId: host.newId,
      keys: project.keys,
      screen,
      t,
      terminal: userTerminal(stdin, stderr),
      progress:
        "isTTY" in stderr && stderr.isTTY
          ? (text) => void stderr.write(`\r\u001b[K${text.slice(0, PROGRESS_WIDTH)}`)
          : undefined,
      signal: interrupt.signal,
    });
  } finally {
    for (const product of found) product.close?.();
    asked.dispose();
    host.shell.dispose();
    await opened.close();
  }
}

/** Characters of the line that shows progress. */
const PROGRESS_WIDTH = 76;
