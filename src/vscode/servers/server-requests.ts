/** Requests of the panel's list of MCP servers, independent of the editor. */

import { faultOf, ToolError } from "../../core/errors.ts";
import { readEnteredServers } from "../../core/servers/config/entered-servers.ts";
import { checkServer } from "../../core/servers/config/pasted-servers.ts";
import { listServers } from "../../core/servers/listed-servers.ts";
import type { ProjectServers } from "../../core/servers/project-servers.ts";
import type { UserServersFile } from "../../node/config/config-writer.ts";
import type { Params, Result } from "../../shared/protocol.ts";
import type { Handlers } from "../../shared/rpc.ts";
import type { ServerList } from "../../shared/server-list.ts";
import type { ServerAction } from "../../shared/server-protocol.ts";
import { unreachable } from "../../shared/unreachable.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";

export type ServerHandlers = Pick<Handlers, Extract<keyof Handlers, `servers/${string}`>>;

export interface ServerRequestDeps {
  servers: ProjectServers;
  workspace: Parameters<typeof listServers>[1];
  /** The user's configuration file. */
  entries: Pick<UserServersFile, "add" | "remove" | "set">;
  /** Opens a configuration file; creates the user's if it does not exist. */
  openFile(file: string, line: number): Promise<void>;
  showLog(server: string): void;
  t: Translate;
}

/** Aborts when the window closes, so that a slow start is stopped together with the server. */
const never = new AbortController().signal;

export function serverRequests(deps: ServerRequestDeps): ServerHandlers {
  const requests = new ServerRequests(deps);
  const inWords =
    <P>(work: (params: P) => Promise<void>) =>
    async (params: P): Promise<Record<string, never>> => {
      try {
        await work(params);
      } catch (error) {
        if (error instanceof ToolError && error.fault) throw new Error(reasonWords(deps.t, error.fault));
        throw error;
      }
      return {};
    };
  return {
    "servers/list": () => requests.list(),
    "servers/trust": inWords((params) => requests.trust(params)),
    "servers/act": inWords(({ name, action }) => requests.act(name, action)),
    "servers/tool": inWords((params) => requests.choose(params)),
    "servers/open": inWords((params) => requests.open(params)),
    "servers/add": (params) => requests.add(params),
  };
}

class ServerRequests {
  readonly #deps: ServerRequestDeps;

  constructor(deps: ServerRequestDeps) {
    this.#deps = deps;
  }

  list(): Promise<ServerList> {
    return listServers(this.#deps.servers, this.#deps.workspace);
  }

  async trust({ name, content }: Params<"servers/trust">): Promise<void> {
    await this.#deps.servers.trust(name, content);
    await this.#start(name);
  }

  async act(name: string, action: ServerAction): Promise<void> {
    const { servers, showLog, openFile, entries } = this.#deps;
    const { definition } = this.#find(name);
    const isOwn = definition.source === "user";
    switch (action) {
      case "start":
        return this.#start(name);
      case "stop":
        return servers.stop(name);
      case "sign-in":
        return servers.signIn(name, never);
      case "sign-out":
        return servers.signOut(name);
      case "log":
        return showLog(name);
      case "edit":
        return openFile(definition.file, definition.line);
      case "enable":
      case "disable":
        if (!isOwn) return openFile(definition.file, definition.line);
        await entries.set(name, "disabled", action === "disable");
        return servers.reload();
      case "forget":
        await servers.forget(name);
        if (!isOwn) return;
        await entries.remove(name);
        return servers.reload();
      default:
        return unreachable(action);
    }
  }

  async choose({ name, tool, choice, on }: Params<"servers/tool">): Promise<void> {
    const { choices } = this.#find(name);
    const key = choice === "on" ? "off" : choice;
    const others = choices[key].filter((each) => each !== tool);
    const isListed = choice === "on" ? !on : on;
    await this.#deps.servers.setChoices(name, { ...choices, [key]: isListed ? [...others, tool] : others });
  }

  /** Accepts only files from the list, because the panel shows names from workspaces. */
  async open({ file, line }: Params<"servers/open">): Promise<void> {
    const { all, problems, userFile } = this.#deps.servers;
    const known = [
      userFile,
      ...problems.map((each) => each.file),
      ...all.map(({ server }) => server.definition.file),
    ];
    if (!known.includes(file)) throw new Error(`${file} is not a configuration file`);
    await this.#deps.openFile(file, line);
  }

  async add({ text, name, replace }: Params<"servers/add">): Promise<Result<"servers/add">> {
    const result: Result<"servers/add"> = { added: [], existing: [], problems: [] };
    const { servers, entries } = this.#deps;
    try {
      const entered = readEnteredServers(text, name);
      for (const server of entered)
        for (const reason of checkServer(server).problems)
          result.problems.push({ server: server.name, reason });
      if (result.problems.length > 0) return result;
      for (const { name: chosen, ...server } of entered) {
        const isAdded = await entries.add(chosen, server, replace);
        (isAdded ? result.added : result.existing).push(chosen);
      }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      result.problems.push({ reason: faultOf(error) });
    }
    await servers.reload();
    return result;
  }

  #find(name: string) {
    const entry = this.#deps.servers.all.find(({ server }) => server.name === name);
    if (!entry) throw new Error(this.#deps.t("There is no MCP server named {0}.", name));
    return { definition: entry.server.definition, choices: entry.choices };
  }

  /** Does not reject if the server's state, which the list shows, explains why the server did not start. */
  async #start(name: string): Promise<void> {
    const { servers } = this.#deps;
    try {
      await servers.restart(name, never);
    } catch (error) {
      const state = servers.all.find(({ server }) => server.name === name)?.server.state;
      if (state !== "failed" && state !== "sign-in") throw error;
    }
  }
}
