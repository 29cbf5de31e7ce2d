/** What the user allowed when they approved calls: for this session, for this workspace, or always. */

import type { AllowedEntry, AllowScope } from "../../../shared/permission/levels.ts";
import type { SessionSettings } from "../../../shared/permission/session-permission.ts";
import { addedCommands } from "../../../shared/safe-commands.ts";
import type { Invocation } from "../../tools/tool.ts";
import type { AllowedTool, WorkspaceCommands } from "./workspace-commands.ts";

export interface AllowanceDeps {
  settings(): SessionSettings;
  /** Adds an entry to the allow list of the user's settings. */
  allowCommand?(entry: string): Promise<void>;
  /** Removes an entry from the allow list of the user's settings. */
  disallowCommand?(entry: string): Promise<void>;
  /** Default: nothing can be allowed for the workspace alone. */
  workspaceCommands?: WorkspaceCommands;
}

/** What an approval offers to allow from now on. */
export interface Offer {
  entry: string;
  /** Set for a tool of an MCP server instead of a command: allows the tool from now on. */
  allowTool: (() => Promise<void>) | undefined;
  /** The identity of that tool; see `ServerUse`. */
  identity?: string | undefined;
}

export class Allowances {
  readonly #deps: AllowanceDeps;
  /** In memory only, so they end with the session. */
  readonly #commands = new Set<string>();
  readonly #tools = new Set<string>();

  constructor(deps: AllowanceDeps) {
    this.#deps = deps;
  }

  /** The user's settings, with the commands that are allowed in this session and this workspace. */
  readonly settings = (): SessionSettings => {
    const settings = this.#deps.settings();
    const more = [...(this.#deps.workspaceCommands?.entries ?? []), ...this.#commands];
    if (more.length === 0) return settings;
    const { commands } = settings;
    return { ...settings, commands: { ...commands, allow: [...new Set([...commands.allow, ...more])] } };
  };

  /** Reads what other windows stored for the workspace. */
  async refresh(): Promise<void> {
    await this.#deps.workspaceCommands?.refresh();
  }

  /** The facts by which a call is judged: a tool that this session or this workspace allows counts as always allowed. */
  judged(invocation: Invocation): Invocation {
    const { server, view } = invocation;
    const { always } = view;
    if (!server || always === undefined) return invocation;
    const isAllowed = (tool: AllowedTool) => tool.entry === always && tool.identity === server.identity;
    const tools = this.#deps.workspaceCommands?.tools ?? [];
    if (!this.#tools.has(always) && !tools.some(isAllowed)) return invocation;
    return { ...invocation, server: { ...server, always: true } };
  }

  /** Applies immediately, and is stored when the promise resolves. */
  async allow({ entry, allowTool, identity }: Offer, scope: AllowScope): Promise<void> {
    const { workspaceCommands } = this.#deps;
    if (scope === "session") (allowTool ? this.#tools : this.#commands).add(entry);
    else if (allowTool && scope === "workspace" && identity !== undefined)
      await workspaceCommands?.addTool({ entry, identity });
    else if (allowTool) await allowTool();
    else if (scope === "workspace") await workspaceCommands?.add(entry);
    else await this.#deps.allowCommand?.(entry);
  }

  /** Everything that was allowed, the narrowest scope first; without the tools that the list of servers shows. */
  async list(): Promise<AllowedEntry[]> {
    await this.refresh();
    const { settings, workspaceCommands } = this.#deps;
    const scoped = (scope: AllowScope, entries: Iterable<string>) =>
      [...entries].map((entry) => ({ entry, scope }));
    return [
      ...scoped("session", [...this.#commands, ...this.#tools]),
      ...scoped("workspace", workspaceCommands?.entries ?? []),
      ...scoped("workspace", workspaceCommands?.tools.map(({ entry }) => entry) ?? []),
      ...scoped("always", addedCommands(settings().commands.allow)),
    ];
  }

  async remove({ entry, scope }: AllowedEntry): Promise<void> {
    if (scope === "session") {
      this.#commands.delete(entry);
      this.#tools.delete(entry);
    } else if (scope === "workspace") await this.#deps.workspaceCommands?.remove(entry);
    else await this.#deps.disallowCommand?.(entry);
  }
}
