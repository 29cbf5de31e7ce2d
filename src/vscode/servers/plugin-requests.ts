/** Answers the panel's requests about plugins, independent of the editor. */
import { PluginError } from "../../core/plugins/plugin-error.ts";
import type { PluginManager, PreparedPlugin } from "../../node/plugins/plugin-manager.ts";
import { type PluginAction, type PluginList, pluginActionSchema } from "../../shared/plugin-list.ts";
import type { Result } from "../../shared/protocol.ts";
import { pluginProblemText } from "../../shared/words/plugin-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import * as z from "../../shared/zod.ts";

export interface PluginRequestDeps {
  /** undefined: this host has no data folder, so that no plugin can be installed. */
  manager:
    | Pick<PluginManager, "list" | "prepare" | "prepareUpdate" | "install" | "switch" | "remove">
    | undefined;
  t: Translate;
}

export function pluginRequests({
  manager,
  t,
}: PluginRequestDeps): (ask: unknown) => Promise<Result<"plugins/ask">> {
  /** What the preview shows: exactly that is installed. */
  let prepared: PreparedPlugin | undefined;
  const { signal } = new AbortController();
  const act = async (
    action: PluginAction,
    manages: NonNullable<PluginRequestDeps["manager"]>,
  ): Promise<Omit<PluginList, "plugins">> => {
    switch (action.action) {
      case "preview": {
        const { address, plugin } = action;
        prepared = undefined;
        try {
          prepared = await manages.prepare({ address, ...(plugin === undefined ? {} : { plugin }) }, signal);
        } catch (error) {
          if (!(error instanceof PluginError) || error.problem.code !== "choose-plugin") throw error;
          return { choice: { address, names: error.problem.values } };
        }
        return { preview: prepared.preview };
      }
      case "preview-update":
        prepared = undefined;
        prepared = await manages.prepareUpdate(action.name, signal);
        return { preview: prepared.preview };
      case "install":
        if (prepared?.preview.hash !== action.hash) throw new PluginError("changed-meanwhile", "");
        await manages.install(prepared);
        break;
      case "dismiss":
        break;
      case "switch":
        await manages.switch(action.name, action.on);
        return prepared ? { preview: prepared.preview } : {};
      case "remove":
        await manages.remove(action.name);
    }
    prepared = undefined;
    return {};
  };
  return async (ask) => {
    if (!manager) return { list: { plugins: [] } satisfies PluginList };
    const action = z.nullable(pluginActionSchema).parse(ask);
    try {
      const more = action ? await act(action, manager) : {};
      return { list: { plugins: await manager.list(), ...more } satisfies PluginList };
    } catch (error) {
      throw error instanceof PluginError ? new Error(pluginProblemText(t, error.problem)) : error;
    }
  };
}
