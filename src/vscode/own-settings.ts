/** What is taken over from other agents, into the user's own settings in the editor. */
import * as vscode from "vscode";
import type { ForeignSettings, OwnSettings } from "../core/foreign-settings/foreign-settings.ts";
import type { Host } from "../core/ports/host.ts";
import { defaultConfigDir, homeFolder } from "../node/config/config-dir.ts";
import { createForeignSettings } from "../node/import/setting-imports.ts";
import { defaultDataDir } from "../node/store/project-store.ts";
import { connectionsOf } from "../shared/models/connection.ts";
import type { Config } from "./editor-settings.ts";

const SECTION = "nekode";
const NAMES = { allow: "commands.allow", deny: "commands.deny", model: "provider.model" } as const;

/** Nothing without a home folder, in which the user's own files are. */
export function editorForeignSettings(
  { workspace, log }: Pick<Host, "workspace" | "log">,
  config: Pick<Config, "settings">,
): { foreignSettings?: ForeignSettings } {
  const { env: environment } = process;
  const [home, configDir, dataDir] = [
    homeFolder(environment),
    defaultConfigDir(environment),
    defaultDataDir(environment),
  ];
  if (home === undefined || configDir === undefined || dataDir === undefined) return {};
  const places = { environment, home, configDir, dataDir };
  return {
    foreignSettings: createForeignSettings({ workspace, log, ...places, own: ownSettingsOf(config) }),
  };
}

function ownSettingsOf(config: Pick<Config, "settings">): OwnSettings {
  const named = (key: keyof typeof NAMES) => `${SECTION}.${NAMES[key]}`;
  const update = async (key: keyof typeof NAMES, value: readonly string[] | string) => {
    const isEmpty = value.length === 0;
    await vscode.workspace
      .getConfiguration(SECTION)
      .update(NAMES[key], isEmpty ? undefined : value, vscode.ConfigurationTarget.Global);
  };
  return {
    names: { allow: named("allow"), deny: named("deny"), model: named("model") },
    async read() {
      const { commands, approval, provider, connections } = config.settings();
      return {
        allow: [...commands.allow],
        deny: [...commands.deny],
        runsUnlisted: approval.commandSafe || approval.commandAll,
        model: provider.model,
        connections: connectionsOf({ provider, connections }),
      };
    },
    setCommands: (list, entries) => update(list, entries),
    setModel: (name) => update("model", name),
  };
}
