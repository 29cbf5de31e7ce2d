/** The panel's requests about models and connections, independent of the editor. */

import type { ModelCatalog } from "../../core/provider/catalog/model-catalog.ts";
import { type ConnectionCheckDeps, checkConnection } from "../../core/provider/connect/check-connection.ts";
import { bareKey, checkEntered, isThisMachine } from "../../core/provider/connect/entered-connection.ts";
import { findServers, type LocalPorts } from "../../core/provider/connect/find-servers.ts";
import type { Mode } from "../../shared/message.ts";
import type { CheckReport } from "../../shared/models/check.ts";
import {
  type Connection,
  connectionsOf,
  EDITOR_CONNECTION,
  type EndpointConnection,
  modelNamed,
  nameParts,
} from "../../shared/models/connection.ts";
import { hostName, presetAt, presetOf } from "../../shared/models/connection-presets.ts";
import { type ConnectionProblemCode, connectionProblem } from "../../shared/models/connection-problem.ts";
import type { BadEntry, Effort, NewConnection, OfferedModels } from "../../shared/models/model-protocol.ts";
import type { Params, Result } from "../../shared/protocol.ts";
import type { Handlers } from "../../shared/rpc.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Translate } from "../../shared/words/task-words.ts";

export type ModelHandlers = Pick<
  Handlers,
  Extract<keyof Handlers, `models/${string}` | `connections/${string}`>
>;

/** What the user's settings, secret storage and memory offer. Each change is in effect when its promise resolves. */
export interface ModelStore {
  settings(): Settings;
  badEntries(): BadEntry[];
  apiKey(connection: Connection): Promise<string | undefined>;
  /** "" removes the key. */
  storeKey(name: string, key: string): Promise<void>;
  /** Asks the user. */
  askKey(name: string): Promise<void>;
  addConnection(connection: EndpointConnection): Promise<void>;
  removeConnection(name: string): Promise<void>;
  setAddress(name: string, baseUrl: string): Promise<void>;
  setModel(mode: Mode, name: string): Promise<void>;
  setEffort(effort: Effort): Promise<void>;
  remembered(which: RememberedList): readonly string[];
  remember(which: RememberedList, names: readonly string[]): Promise<void>;
}
export type RememberedList = "favorites" | "recents";

export interface ModelRequestDeps {
  store: ModelStore;
  catalog: ModelCatalog;
  host: ConnectionCheckDeps["host"];
  /** Chooses for the active session. */
  choose(mode: Mode, name: string): Promise<void>;
  /** Finds out what a model can do. */
  check(name: string, signal: AbortSignal): Promise<CheckReport>;
  localPorts: LocalPorts;
  /** In milliseconds. */
  now(): number;
  t: Translate;
}

/** Lists are requested again after this time. */
const LIST_AGE_MS = 10 * 60_000;
const MAX_RECENTS = 8;
/** Problems that are known without a request to the endpoint. */
const KNOWN_UNASKED: ReadonlySet<ConnectionProblemCode> = new Set([
  "key-of-another",
  "no-key",
  "bad-address",
]);
/** Aborts with the window. */
const never = new AbortController().signal;

export function modelRequests(deps: ModelRequestDeps): ModelHandlers {
  const requests = new ModelRequests(deps);
  const done = async (work: Promise<void>): Promise<Record<string, never>> => {
    await work;
    return {};
  };
  const { store } = deps;
  return {
    "models/list": () => requests.list(),
    "models/offered": ({ connection, fresh = false }) => requests.offered(connection, fresh),
    "models/choose": ({ name, mode }) => done(requests.choose(name, mode)),
    "models/effort": ({ effort }) => done(store.setEffort(effort)),
    "models/favorite": (params) => done(requests.favorite(params)),
    "connections/add": (params) => requests.add(params),
    "connections/set-address": (params) => done(requests.setAddress(params)),
    "connections/remove": ({ name }) => done(requests.remove(name)),
    "connections/set-key": ({ name }) => done(requests.setKey(name)),
    "connections/find": async () => ({ servers: await findServers(deps.localPorts, deps, never) }),
    "connections/test": (params) => requests.test(params),
    "models/check": ({ name }) => requests.check(name),
  };
}

class ModelRequests {
  readonly #deps: ModelRequestDeps;
  /** The lists that arrived, by the name of the connection. */
  readonly #lists = new Map<string, { at: number; models: OfferedModels["models"] }>();

  constructor(deps: ModelRequestDeps) {
    this.#deps = deps;
  }

  async list(): Promise<Result<"models/list">> {
    const { store } = this.#deps;
    const settings = store.settings();
    const own = new Set(settings.connections.map(({ name }) => name));
    const editor = (await this.#editorModels()).length > 0 ? [EDITOR_CONNECTION] : [];
    const connections = [...connectionsOf(settings), ...editor].map(async (connection) => {
      const { name, api, baseUrl } = connection;
      const title = api === "editor" ? "VS Code" : presetAt(baseUrl)?.title;
      return {
        name,
        api,
        baseUrl,
        ...(title === undefined ? {} : { title }),
        hasKey: (await store.apiKey(connection)) !== undefined,
        isLocal: api !== "editor" && isThisMachine(baseUrl),
        isRemovable: own.has(name),
      };
    });
    return {
      connections: await Promise.all(connections),
      favorites: [...store.remembered("favorites")],
      recents: [...store.remembered("recents")],
      badEntries: store.badEntries(),
    };
  }

  async offered(name: string, fresh: boolean): Promise<OfferedModels> {
    const connection = this.#find(name);
    if (!connection) return { models: [], problem: connectionProblem("no-connection", name) };
    if (connection.api === "editor") return { models: await this.#editorModels() };
    const { now, store } = this.#deps;
    const cached = this.#lists.get(name);
    if (cached && !fresh && now() - cached.at < LIST_AGE_MS) return { models: cached.models };
    const key = await store.apiKey(connection);
    const wrong = checkEntered({ preset: "other", baseUrl: connection.baseUrl, key: key ?? "" });
    if (wrong && KNOWN_UNASKED.has(wrong.code)) return { models: [], problem: wrong };
    const checked = await checkConnection(connection, key, this.#deps, never);
    if ("problem" in checked) return { models: [], ...checked };
    this.#lists.set(name, { at: now(), models: checked.models });
    return checked;
  }

  /** The models that the editor offers, which the catalog knows without asking an endpoint. */
  async #editorModels(): Promise<OfferedModels["models"]> {
    // If the editor does not answer, it offers no models. A request to one of its models reports the reason.
    return this.#deps.catalog.list(EDITOR_CONNECTION, never).catch(() => []);
  }

  async choose(name: string, mode: Mode): Promise<void> {
    const { store, choose, t } = this.#deps;
    const connection = name.slice(0, name.indexOf("/"));
    const isSameAsAct = mode === "plan" && name === "";
    if (!isSameAsAct && modelNamed(name, store.settings()).connection.name !== connection)
      throw new Error(t("There is no connection named {0}.", connection));
    await choose(mode, name);
    await store.setModel(mode, name);
    if (isSameAsAct) return;
    const others = store.remembered("recents").filter((each) => each !== name);
    await store.remember("recents", [name, ...others].slice(0, MAX_RECENTS));
  }

  async favorite({ name, favorite }: Params<"models/favorite">): Promise<void> {
    const { store } = this.#deps;
    const others = store.remembered("favorites").filter((each) => each !== name);
    await store.remember("favorites", favorite ? [...others, name] : others);
  }

  async add(entered: NewConnection): Promise<Result<"connections/add">> {
    const { store } = this.#deps;
    const key = bareKey(entered.key ?? "");
    const wrong = checkEntered({ ...entered, key });
    if (wrong) return { models: [], problem: wrong };
    const { api, headers = {} } = entered;
    const baseUrl = entered.baseUrl.trim().replace(/\/+$/, "");
    const known = connectionsOf(store.settings()).find(
      (each) => each.api === api && each.baseUrl.trim().replace(/\/+$/, "") === baseUrl,
    );
    const preset = presetAt(baseUrl) ?? presetOf(entered.preset);
    const wanted = preset.id === "other" ? (hostName(baseUrl) ?? preset.name) : preset.name;
    const name = known?.name ?? this.#freeName(wanted);
    const added: EndpointConnection = { name, api, baseUrl, headers };
    const connection = known ?? added;
    const usedKey = key === "" ? known && (await store.apiKey(known)) : key;
    const checked = await checkConnection(connection, usedKey, this.#deps, never);
    const isListless =
      "problem" in checked && checked.problem.code === "no-list" && entered.unlisted === true;
    if ("problem" in checked && !isListless) return { models: [], ...checked };
    if (key !== "") await store.storeKey(name, key);
    if (!known) await this.#addConnection(added);
    const models = "models" in checked ? checked.models : [];
    this.#lists.delete(name);
    if (models.length > 0) this.#lists.set(name, { at: this.#deps.now(), models });
    if (entered.model !== undefined) await this.choose(`${name}/${entered.model}`, "act");
    return { name, models };
  }

  /** Removes the key again if the settings cannot be written, for example because their file is damaged. */
  async #addConnection(connection: EndpointConnection): Promise<void> {
    const { store } = this.#deps;
    try {
      await store.addConnection(connection);
    } catch (error) {
      await store.storeKey(connection.name, "");
      throw error;
    }
  }

  async setAddress({ name, baseUrl }: Params<"connections/set-address">): Promise<void> {
    this.#lists.delete(name);
    await this.#deps.store.setAddress(name, baseUrl.trim());
  }

  async setKey(name: string): Promise<void> {
    this.#lists.delete(name);
    await this.#deps.store.askKey(name);
  }

  /** Clears choices of its models, because their names would be read as ids of another connection. */
  async remove(name: string): Promise<void> {
    const { store, choose } = this.#deps;
    const { model, planModel } = store.settings().provider;
    const chosen = { act: model, plan: planModel } as const;
    for (const mode of ["act", "plan"] as const) {
      if (!chosen[mode].startsWith(`${name}/`)) continue;
      await choose(mode, "");
      await store.setModel(mode, "");
    }
    for (const which of ["favorites", "recents"] as const) {
      const remaining = store.remembered(which).filter((each) => !each.startsWith(`${name}/`));
      await store.remember(which, remaining);
    }
    this.#lists.delete(name);
    await store.removeConnection(name);
    await store.storeKey(name, "");
  }

  async test({ name, model }: Params<"connections/test">): Promise<Result<"connections/test">> {
    const { models, problem } = await this.offered(name, true);
    if (problem) return { problem, count: 0 };
    const isGone = model !== undefined && !models.some((each) => each.name === `${name}/${model}`);
    return {
      count: models.length,
      ...(isGone ? { problem: connectionProblem("unknown-model", model) } : {}),
    };
  }

  async check(name: string): Promise<CheckReport> {
    const report = await this.#deps.check(name, never);
    // The next list must include what the check found out.
    this.#lists.delete(nameParts(name).connection);
    return report;
  }

  #find(name: string): Connection | undefined {
    return [...connectionsOf(this.#deps.store.settings()), EDITOR_CONNECTION].find(
      (each) => each.name === name,
    );
  }

  #freeName(wanted: string): string {
    const { settings } = this.#deps.store;
    const used = new Set(connectionsOf(settings()).map(({ name }) => name));
    let name = wanted;
    for (let number = 2; used.has(name); number++) name = `${wanted}-${number}`;
    return name;
  }
}
