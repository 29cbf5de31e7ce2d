/** Sets up what `nekode import settings` needs. No session is opened, and no model is asked. */
import { KeyMask } from "../../core/key-mask.ts";
import { defaultConfigDir, systemHome } from "../../node/config/config-dir.ts";
import { UserConfigFile } from "../../node/config/user-config-file.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { connectionsOf } from "../../shared/models/connection.ts";
import { readOptions } from "../command-options.ts";
import { keyInEnvironment } from "../config/maker-keys.ts";
import { configOf, folderAt, type ProgramContext } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { runSettingImport } from "./setting-command.ts";
import type { SettingOptions } from "./setting-options.ts";

/** Resolves with the exit code. */
export async function importSettings(options: SettingOptions, context: ProgramContext): Promise<number> {
  const { environment, withKeys, stdin, stderr, signals, screen, log, t } = context;
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  const configDir = options.configDir ?? defaultConfigDir(environment);
  if (dataDir === undefined || configDir === undefined)
    throw new UsageError("there is no home folder; specify folders with --data-dir and --config-dir");
  const root = folderAt(options.cwd);
  const file = new UserConfigFile(configDir);
  const current = async () => readOptions([], withKeys, root, await configOf(context, [], file));
  const { settings, searchKey = "" } = await current();
  const keys = new KeyMask({
    settings: () => settings,
    apiKey: async (connection) => keyInEnvironment(connection, withKeys),
    otherKeys: async () => (searchKey === "" ? [] : [searchKey]),
  });
  const interrupt = new AbortController();
  const asked = onEndSignal(signals, () => interrupt.abort());
  // Loaded on demand: no other command needs it.
  const { createForeignSettings } = await import("../../node/import/setting-imports.ts");
  try {
    return await runSettingImport(options, {
      settings: createForeignSettings({
        workspace: { root, trusted: true },
        ...{ log, environment, home: systemHome(environment), configDir, dataDir },
        own: {
          names: { allow: "commands.allow", deny: "commands.deny", model: "model" },
          async read() {
            const { config } = await file.read();
            const { approval, provider, connections } = (await current()).settings;
            return {
              allow: config.commands?.allow ?? [],
              deny: config.commands?.deny ?? [],
              runsUnlisted: approval.commandSafe || approval.commandAll,
              model: config.model ?? "",
              connections: connectionsOf({ provider, connections }),
            };
          },
          async setCommands(list, entries) {
            await (entries.length === 0
              ? file.unset(["commands", list])
              : file.set(["commands", list], [...entries]));
          },
          async setModel(name) {
            await (name === "" ? file.unset(["model"]) : file.set(["model"], name));
          },
        },
      }),
      mask: await keys.current(),
      screen,
      t,
      terminal: userTerminal(stdin, stderr),
      signal: interrupt.signal,
    });
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT_CODE.interrupted;
    throw error;
  } finally {
    asked.dispose();
  }
}
