/** May this invocation run without asking? Judged when it is prepared; anything that is not allowed asks. */
import { join } from "node:path";
import type { Mode } from "../../shared/message.ts";
import { defaultSettings, type Settings } from "../../shared/settings.ts";
import type { Host } from "../ports.ts";
import { createCommandJudge } from "../safety/commands.ts";
import { createIgnoreRules } from "../safety/ignore.ts";
import { judgePath } from "../safety/paths.ts";
import { decide } from "../safety/policy.ts";
import type { Invocation, Tool } from "../tools/tool.ts";

export interface Permission {
  verdict: "allow" | "ask" | "deny";
  reason: string;
  /** Where the path really leads, when links take it elsewhere. */
  realPath?: string;
}

type Ignored = (path: string) => boolean;
const ignoreFile = ".nekodeignore";

export class Judge {
  readonly #host: Host;
  readonly #settings: () => Settings;
  readonly #command: ReturnType<typeof createCommandJudge>;
  #ignore: { version: string; ignored: Ignored } | undefined;

  constructor(host: Host, settings: () => Settings) {
    this.#host = host;
    this.#settings = settings;
    this.#command = createCommandJudge(host.assets);
  }

  async permission(
    tool: Pick<Tool, "access">,
    invocation: Pick<Invocation, "paths" | "command">,
    mode: Mode,
  ): Promise<Permission> {
    const { approval, commands } = this.#settings();
    const ignored = await this.#ignored();
    const { root = "", roots } = this.#host.workspace;
    const paths = await Promise.all(
      invocation.paths.map(async ({ path, access }) => ({
        path,
        ...(await judgePath(path, {
          root,
          roots: roots.map((folder) => folder.path),
          access,
          realpath: (target) => this.#host.files.realpath(target),
          ...(ignored ? { ignored } : {}),
        })),
      })),
    );
    const command =
      invocation.command === undefined
        ? undefined
        : await this.#command(invocation.command, {
            shell: this.#host.shell.kind,
            allow: commands.allow,
            deny: commands.deny,
            ...(ignored ? { ignored } : {}),
          });
    const listed =
      command?.verdict === "allow" && (await this.#allowedByPerson(invocation.command ?? "", ignored));
    const { decision, reason } = decide({
      access: tool.access,
      mode,
      paths,
      ...(command ? { command } : {}),
      settings: listed ? { ...approval, commandSafe: true } : approval,
    });
    const moved = paths.find(({ path, resolved }) => resolved !== path);
    return { verdict: decision, reason, ...(moved ? { realPath: moved.resolved } : {}) };
  }

  /** Why the file at this path is not read without a call that asks; undefined: it is an ordinary one of the project's. */
  async unreadable(path: string): Promise<string | undefined> {
    const ignored = await this.#ignored();
    const { root = "", roots } = this.#host.workspace;
    const { verdict, reason } = await judgePath(path, {
      root,
      roots: roots.map((folder) => folder.path),
      access: "read",
      realpath: (target) => this.#host.files.realpath(target),
      ...(ignored ? { ignored } : {}),
    });
    return verdict === "allow" ? undefined : reason;
  }

  /** By entries that the person added to the list: they hold even where the commands that we call safe ask. */
  async #allowedByPerson(command: string, ignored: Ignored | undefined): Promise<boolean> {
    const { allow, deny } = this.#settings().commands;
    const own = allow.filter((entry) => !defaultSettings.commands.allow.includes(entry));
    if (own.length === 0) return false;
    const options = { shell: this.#host.shell.kind, allow: own, deny, ...(ignored ? { ignored } : {}) };
    return (await this.#command(command, options)).verdict === "allow";
  }

  /** What .nekodeignore names, read again when it changed. */
  async #ignored(): Promise<Ignored | undefined> {
    const { files, workspace } = this.#host;
    if (workspace.root === undefined) return undefined;
    const path = join(workspace.root, ignoreFile);
    const stat = await files.stat(path);
    if (stat?.kind !== "file") return undefined;
    if (this.#ignore?.version !== stat.version) {
      const { text } = await files.readText(path);
      const rules = createIgnoreRules([{ folder: "", text }]);
      this.#ignore = { version: stat.version, ignored: (named) => rules.ignores(named) };
    }
    return this.#ignore.ignored;
  }
}
