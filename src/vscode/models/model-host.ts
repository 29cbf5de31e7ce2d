/**
 * The models and connections in the editor, from the user's settings, the secret storage and the stored lists of favorite and
 * recent models.
 */
import * as vscode from "vscode";
import type { ConnectionCheckDeps } from "../../core/provider/connect/check-connection.ts";
import { LOCAL_PORTS, type LocalPorts } from "../../core/provider/connect/find-servers.ts";
import { DEFAULT_CONNECTION } from "../../shared/models/connection.ts";
import { presetIdSchema } from "../../shared/models/preset-ids.ts";
import { translator } from "../../shared/words/task-words.ts";
import type { Config } from "../editor-settings.ts";
import type { ProjectView } from "../panel/requests/context.ts";
import { type ModelHandlers, type ModelStore, modelRequests } from "./model-requests.ts";
import { storedNames, withAddress, withoutConnection } from "./stored-connections.ts";

const SECTION = "nekode";
/** Keys of the memory that all windows share. */
const MEMORY = { favorites: "nekode.favouriteModels", recents: "nekode.recentModels" } as const;

/** The names of the favorites and of the models used last. */
export function rememberedModels(memory: vscode.Memento): string[] {
  return Object.values(MEMORY).flatMap((key) => storedNames(memory.get(key)));
}

export interface ModelHostDeps extends ProjectView {
  config: Config;
  memory: vscode.Memento;
  host: ConnectionCheckDeps["host"];
  environment: NodeJS.ProcessEnv;
}

export function createModelRequests({
  config,
  memory,
  project,
  view,
  host,
  environment,
}: ModelHostDeps): ModelHandlers {
  const t = translator(vscode.l10n.bundle ?? {});
  const read = (key: string): unknown => vscode.workspace.getConfiguration(SECTION).inspect(key)?.globalValue;
  const write = async (key: string, value: unknown) =>
    vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
  /** Keeps the user's entries unchanged, including those that cannot be used. */
  const entries = (): unknown[] => {
    const value = read("connections");
    return Array.isArray(value) ? value : [];
  };
  const store: ModelStore = {
    settings: () => config.settings(),
    badEntries: () => config.badEntries("connections"),
    apiKey: (connection) => config.apiKey(connection),
    async storeKey(name, key) {
      if (key !== "") config.keepSecret(key);
      await config.storeKey(name, key);
    },
    askKey: (name) => config.askKey(name),
    async addConnection({ name, api, baseUrl, headers }) {
      const some = Object.keys(headers).length > 0 ? { headers } : {};
      await write("connections", [...entries(), { name, api, baseUrl, ...some }]);
    },
    removeConnection: (name) => write("connections", withoutConnection(entries(), name)),
    async setAddress(name, baseUrl) {
      const isOwn = name !== DEFAULT_CONNECTION || config.settings().provider.baseUrl.trim() === "";
      if (isOwn) await write("connections", withAddress(entries(), name, baseUrl));
      else await write("provider.baseUrl", baseUrl);
    },
    setModel: (mode, name) =>
      write(mode === "act" ? "provider.model" : "provider.planModel", name || undefined),
    setEffort: (effort) => write("provider.reasoningEffort", effort === "default" ? undefined : effort),
    remembered: (which) => storedNames(memory.get(MEMORY[which])),
    remember: async (which, names) => memory.update(MEMORY[which], names),
  };
  return modelRequests({
    store,
    catalog: project.models,
    host,
    check: (name, signal) => project.checkModel(name, signal),
    choose: async (mode, name) => (await view.settled()).chooseModel(mode, name),
    localPorts: portsIn(environment.NEKODE_LOCAL_PORTS) ?? LOCAL_PORTS,
    now: () => Date.now(),
    t,
  });
}

/** Ports as tests set them, such as `ollama=40123,vllm=40124`, so that they ask nothing that runs on the machine. */
function portsIn(text: string | undefined): LocalPorts | undefined {
  return text?.split(",").flatMap((entry) => {
    const [id, port] = entry.split("=");
    const preset = presetIdSchema.safeParse(id);
    return preset.success ? [{ preset: preset.data, port: Number(port) }] : [];
  });
}
