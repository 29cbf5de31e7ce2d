/** Decides whether an invocation may run without asking. It is judged when it is prepared; anything not allowed needs approval. */
import { basename, isAbsolute, join, relative as pathFrom, resolve } from "node:path";
import type { Mode } from "../../../shared/message.ts";
import {
  approvalWith,
  exceptionFor,
  type SessionSettings,
} from "../../../shared/permission/session-permission.ts";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { addedCommands, allowedCommands } from "../../../shared/safe-commands.ts";
import { reasonInEnglish } from "../../../shared/words/reasons/reasons.ts";
import { type Ignored, IgnoredFiles } from "../../instructions/ignored-files.ts";
import type { Host } from "../../ports/host.ts";
import {
  type CommandOptions,
  type CommandVerdict,
  createCommandJudge,
  type TreeRead,
} from "../../safety/commands/judge-command.ts";
import { entryWords } from "../../safety/commands/prefixes.ts";
import { refusedGit } from "../../safety/git/git-check.ts";
import type { GitUse } from "../../safety/git/git-use.ts";
import { judgePath, type PathVerdict } from "../../safety/paths/judge-path.ts";
import { manifestReason, manifestSteers } from "../../safety/paths/manifests.ts";
import { refusedTree } from "../../safety/paths/tree-check.ts";
import { decide } from "../../safety/policy.ts";
import { grammarOf, loadGrammar } from "../../safety/shells/grammar.ts";
import { runByName } from "../../tools/scripts/run-by-name.ts";
import type { Invocation, PathUse, Tool } from "../../tools/tool.ts";

export interface Permission {
  verdict: "allow" | "ask" | "deny";
  reason: Reason;
  /** The path that decides, as it was given. */
  path?: string;
  /** The real path, if links make it differ. */
  realPath?: string;
  /** The entry of the allow list with which this command would not have asked. */
  always?: string;
}

/** Caches why uses of git ask, so that git runs once while a command is judged against several lists. */
type GitReasons = Map<string, Promise<Reason | undefined>>;

/** The user wants to be asked about this server in this session, whatever they allowed before. */
const NEVER = { always: false };

/** What the judge uses of a host. */
export interface JudgeHost
  extends Pick<Host, "assets" | "files" | "git" | "workspace" | "system" | "clock" | "log"> {
  shell: Pick<Host["shell"], "kind" | "interactive" | "shadowingEntry">;
}

export class Judge {
  readonly #host: JudgeHost;
  readonly #settings: () => SessionSettings;
  readonly #command: ReturnType<typeof createCommandJudge>;
  readonly #ignored: Pick<IgnoredFiles, "rules">;

  constructor(
    host: JudgeHost,
    settings: () => SessionSettings,
    ignored: Pick<IgnoredFiles, "rules"> = new IgnoredFiles(host),
  ) {
    this.#host = host;
    this.#ignored = ignored;
    this.#settings = settings;
    this.#command = createCommandJudge(host.assets);
  }

  /** Loads what commands are read with, so that the first one is judged sooner. */
  prepare(): void {
    const { assets, shell } = this.#host;
    const grammar = grammarOf(shell.kind);
    // What fails is reported when a command is judged.
    if (grammar) loadGrammar(assets, grammar).catch(() => undefined);
  }

  async permission(
    tool: Pick<Tool, "access"> & { name?: string | undefined },
    invocation: Pick<
      Invocation,
      "paths" | "command" | "requiresApproval" | "received" | "site" | "server" | "allowAlways"
    > & {
      view?: Pick<Invocation["view"], "always" | "server">;
    },
    mode: Mode,
  ): Promise<Permission> {
    const settings = this.#settings();
    const { commands } = settings;
    const exception = exceptionFor(settings, tool.name, invocation.view?.server?.name);
    const approval = approvalWith(settings.approval, tool.access, exception);
    const ignored = await this.#ignored.rules();
    const gitReasons: GitReasons = new Map();
    const paths = await Promise.all(
      invocation.paths.map(async ({ path, access, change }) => ({
        path,
        ...this.#withScripts(withContent(await this.#judge(path, access, ignored), change), access),
      })),
    );
    const command =
      invocation.command === undefined
        ? undefined
        : await this.#command(
            invocation.command,
            this.#commandOptions(allowedCommands(commands.allow, this.#host.shell.kind), ignored, gitReasons),
          );
    const asked = (invocation.requiresApproval ?? false) && !approval.ignoreRequiresApproval;
    const text = invocation.command ?? "";
    // The user's entries apply even if built-in safe commands ask.
    const own = addedCommands(commands.allow);
    const listed = command?.verdict === "allow" && (await this.#allowedBy(own, text, ignored, gitReasons));
    const { decision, reason } = decide({
      access: tool.access,
      mode,
      paths,
      ...(command ? { command: { ...command, requiresApproval: asked } } : {}),
      received: invocation.received ?? false,
      ...(invocation.site ? { site: invocation.site } : {}),
      ...(invocation.server ? { server: { ...invocation.server, ...(exception === false && NEVER) } } : {}),
      settings: listed ? { ...approval, commandSafe: true } : approval,
    });
    const moved = paths.find(({ path, resolved }) => resolved !== path);
    const deciding = paths.find((path) => path.reason === reason) ?? paths[0];
    const entry = decision === "ask" && !listed ? invocation.view?.always : undefined;
    const storable =
      entry !== undefined &&
      invocation.allowAlways === undefined &&
      !asked &&
      !commands.allow.includes(entry) &&
      (await this.#allowedBy([...own, entry], text, ignored, gitReasons));
    return {
      verdict: decision,
      reason,
      ...(deciding ? { path: deciding.path } : {}),
      ...(moved ? { realPath: moved.resolved } : {}),
      ...(entry !== undefined && (storable || invocation.allowAlways) ? { always: entry } : {}),
    };
  }

  /** Edits to scripts that the allow list runs need approval, because the edit would later run without asking. */
  #withScripts(judged: PathVerdict, access: "read" | "write"): PathVerdict {
    const { root = "" } = this.#host.workspace;
    if (access === "read" || judged.verdict !== "allow") return judged;
    const entries = addedCommands(this.#settings().commands.allow).map(entryWords);
    const words = entries.flat();
    // A plain word (`npm test`) is not a path.
    const paths = words.map((word) => word.replaceAll("\\", "/")).filter((word) => /[/.]/.test(word));
    const written = basename(judged.resolved);
    // `make` reads the Makefile of any folder it runs in. Changes to manifests are judged by their content.
    const byName = entries
      .flatMap(([program = ""]) => runByName(program))
      .find((name) => name.toLowerCase() === written.toLowerCase() && !manifestReason(name.toLowerCase()));
    const named = paths.find((path) => resolve(root, path) === judged.resolved) ?? byName;
    if (named === undefined) return judged;
    return { ...judged, verdict: "ask", guard: "protected", reason: reasonOf("steers-what-runs", named) };
  }

  /** The verdict on a command, independent of what the settings approve. */
  async command(text: string): Promise<CommandVerdict> {
    const ignored = await this.#ignored.rules();
    const allow = allowedCommands(this.#settings().commands.allow, this.#host.shell.kind);
    return this.#command(text, this.#commandOptions(allow, ignored, new Map()));
  }

  /** For the model: why reading the file at this path needs approval or is denied; undefined: it may be read. */
  async unreadable(path: string): Promise<string | undefined> {
    const refused = await this.refusal(path);
    return refused && reasonInEnglish(refused.reason);
  }

  /** Like `unreadable`, as a verdict with its guard. */
  async refusal(path: string): Promise<PathVerdict | undefined> {
    const judged = await this.#judge(path, "read", await this.#ignored.rules());
    return judged.verdict === "allow" ? undefined : judged;
  }

  async #judge(path: string, access: "read" | "write", ignored: Ignored | undefined): Promise<PathVerdict> {
    const { files, workspace } = this.#host;
    const copied = (await workspace.copied?.()) ?? [];
    return judgePath(path, {
      root: workspace.root ?? "",
      roots: workspace.roots.map((folder) => folder.path),
      access,
      originals: copied.map(({ original }) => original),
      realpath: (target) => files.realpath(target),
      readlink: (target) => files.readlink(target),
      isReadonly: (target) => workspace.isReadonly?.(target) ?? false,
      ...(ignored ? { ignored } : {}),
    });
  }

  #commandOptions(allow: string[], ignored: Ignored | undefined, gitReasons: GitReasons): CommandOptions {
    const { files, shell, workspace, system } = this.#host;
    return {
      shell: shell.kind,
      interactive: shell.interactive ?? false,
      allow,
      deny: this.#settings().commands.deny,
      platform: system.platform,
      reads: {
        judge: (path, access) => this.#judge(path, access, ignored),
        tree: (tree) => this.#tree(tree, ignored),
        git: (use, folder) => {
          const key = JSON.stringify([use, folder]);
          const answer = gitReasons.get(key) ?? this.#git(use, folder, ignored);
          gitReasons.set(key, answer);
          return answer;
        },
        program(name) {
          const entry = shell.shadowingEntry?.(name);
          return entry === undefined
            ? undefined
            : reasonOf("program-from-project", name, entry === "" ? '""' : entry);
        },
        async text(name) {
          const path = resolve(workspace.root ?? "", name);
          return (await files.stat(path))?.kind === "file" ? (await files.readText(path)).text : undefined;
        },
        async list(folder) {
          const path = resolve(workspace.root ?? "", folder);
          try {
            if ((await files.stat(path))?.kind !== "directory") return [];
            return (await files.list(path)).map((entry) => entry.name);
          } catch {
            // The pattern's matches there are unknown, so the command asks.
            return undefined;
          }
        },
      },
      ...(ignored ? { ignored } : {}),
    };
  }

  /** Why a command that reads this whole folder asks. */
  async #tree(tree: TreeRead, ignored: Ignored | undefined): Promise<Reason | undefined> {
    const { files, workspace, clock } = this.#host;
    const { root } = workspace;
    if (root === undefined) return undefined;
    try {
      const { verdict, reason, resolved } = await this.#judge(tree.folder, "read", ignored);
      if (verdict !== "allow") return reason;
      const home = await this.#homeOf(resolved, root);
      return await refusedTree(tree, resolved, pathBelow(home, resolved), {
        files,
        clock,
        root: home,
        join,
        ignored: (path) => ignored?.(path, home) ?? false,
      });
    } catch {
      // A folder that cannot be searched may contain anything.
      return reasonOf("folder-not-searchable", tree.folder);
    }
  }

  /** Why a command that uses git in this folder asks. */
  async #git(use: GitUse, folder: string, ignored: Ignored | undefined): Promise<Reason | undefined> {
    const { files, git, clock, workspace, system } = this.#host;
    const { root } = workspace;
    if (root === undefined) return undefined;
    const path = resolve(root, folder);
    const real = await files.realpath(path).catch(() => path);
    const home = await this.#homeOf(real, root);
    const below = pathBelow(home, real);
    if (isAbsolute(below) || /^\.\.(?:$|\/)/.test(below)) return reasonOf("outside-project", real);
    return refusedGit(use, real, {
      files,
      git,
      clock,
      home: system.home,
      ignored: (file) => ignored?.(pathBelow(home, file), home) ?? false,
    });
  }

  /** The real path of the workspace folder that contains a real path. */
  async #homeOf(path: string, root: string): Promise<string> {
    const { files, workspace } = this.#host;
    const all = [root, ...workspace.roots.map((folder) => folder.path)];
    const roots = await Promise.all(all.map((each) => files.realpath(each)));
    return roots.find((each) => !/^\.\.(?:$|\/)/.test(pathBelow(each, path))) ?? root;
  }

  async #allowedBy(
    entries: string[],
    command: string,
    ignored: Ignored | undefined,
    gitReasons: GitReasons,
  ): Promise<boolean> {
    if (entries.length === 0) return false;
    const options = this.#commandOptions(entries, ignored, gitReasons);
    return (await this.#command(command, options)).verdict === "allow";
  }
}

/** The path relative to `root`, with `/`; "": the root itself. */
function pathBelow(root: string, path: string): string {
  return pathFrom(root, path).replaceAll("\\", "/");
}

/** A change to a manifest that does not change what it runs is treated like any other edit. */
function withContent(judged: PathVerdict, change: PathUse["change"]): PathVerdict {
  if (judged.guard !== "scripts" || !change || change.after === null) return judged;
  if (manifestSteers(judged.reason, change.before ?? undefined, change.after)) return judged;
  const { guard: _, ...rest } = judged;
  return rest.inside
    ? { ...rest, verdict: "allow", reason: reasonOf("inside-project") }
    : { ...rest, reason: reasonOf("outside-project", rest.resolved) };
}
