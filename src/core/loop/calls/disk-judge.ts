/** Judges paths and commands by what is on the disk, whatever the settings say. */
import { isAbsolute, join, relative as pathFrom, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { SandboxState } from "../../../shared/sandbox-state.ts";
import { cachedValue } from "../../cached-value.ts";
import { skillFolders } from "../../instructions/catalogue.ts";
import type { Ignored } from "../../instructions/ignored-files.ts";
import type { Host } from "../../ports/host.ts";
import type { SandboxPlace, SandboxUse } from "../../ports/sandbox.ts";
import { folderPaths, isInside } from "../../roots.ts";
import { type CommandContext, type JudgedCommand, readCommand } from "../../safety/commands/judge-command.ts";
import { refusedGit } from "../../safety/git/git-check.ts";
import type { GitUse } from "../../safety/git/git-use.ts";
import { judgePath, type PathVerdict } from "../../safety/paths/judge-path.ts";
import { refusedTree } from "../../safety/paths/tree-check.ts";
import type { FolderRead } from "../../safety/programs/reading-programs.ts";

/** What the judge uses of a host. */
export interface JudgeHost
  extends Pick<Host, "assets" | "files" | "git" | "workspace" | "system" | "clock" | "log"> {
  shell: Pick<Host["shell"], "kind" | "interactive" | "shadowingEntry" | "sandbox">;
}

/**
 * Judges each path, command and use of git once, and caches the answer. The disk may change, so an object serves only one call, or one
 * explanation, which judges the same call under many settings.
 */
export class DiskJudge {
  readonly #host: JudgeHost;
  readonly #ignored: Ignored | undefined;
  /** By access and path. */
  readonly #paths = new Map<string, Promise<PathVerdict>>();
  readonly #commands = new Map<string, Promise<JudgedCommand>>();
  /** Why uses of git ask, by use and folder. */
  readonly #gitReasons = new Map<string, Promise<Reason | undefined>>();

  #sandbox: Promise<SandboxState> | undefined;
  #skillFolders: Promise<string[]> | undefined;

  /** `ignored`: the rules of .nekodeignore. */
  constructor(host: JudgeHost, ignored: Ignored | undefined) {
    this.#host = host;
    this.#ignored = ignored;
  }

  /** The command as it was read; any lists can judge it. Rejects only if a grammar cannot be loaded. */
  command(text: string): Promise<JudgedCommand> {
    return cachedValue(this.#commands, text, () =>
      readCommand(this.#host.assets, text, this.#commandContext()),
    );
  }

  /** Whether commands of this project can run in a sandbox. */
  sandbox(): Promise<SandboxState> {
    const { shell, workspace } = this.#host;
    this.#sandbox ??=
      shell.sandbox?.(folderPaths(workspace)) ??
      Promise.resolve({ engine: undefined, why: "system", detail: "" });
    return this.#sandbox;
  }

  /** Everything that the sandbox has to know of this project. */
  sandboxUse(place: SandboxPlace): SandboxUse {
    const ignored = this.#ignored;
    return { ...place, roots: folderPaths(this.#host.workspace), ...(ignored ? { isIgnored: ignored } : {}) };
  }

  /** The verdict on a path; links are followed. */
  path(path: string, access: "read" | "write"): Promise<PathVerdict> {
    return cachedValue(this.#paths, `${access} ${path}`, () => this.#judgePath(path, access));
  }

  async #judgePath(path: string, access: "read" | "write"): Promise<PathVerdict> {
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
      ...(this.#ignored ? { ignored: this.#ignored } : {}),
    });
  }

  /** Whether a real path is in a folder of skills, which the model reads without a question. */
  async isOfSkill(resolved: string): Promise<boolean> {
    this.#skillFolders ??= skillFolders(this.#host);
    return (await this.#skillFolders).some((folder) => isInside(folder, resolved));
  }

  #commandContext(): CommandContext {
    const { files, shell, workspace, system } = this.#host;
    return {
      shell: shell.kind,
      interactive: shell.interactive ?? false,
      platform: system.platform,
      reads: {
        judge: (path) => this.path(path, "read"),
        tree: (read) => this.#tree(read),
        git: (use, folder) =>
          cachedValue(this.#gitReasons, JSON.stringify([use, folder]), () => this.#git(use, folder)),
        program(name) {
          const entry = shell.shadowingEntry?.(name);
          return entry === undefined
            ? undefined
            : reasonOf("program-from-project", name, entry === "" ? '""' : entry);
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
      ...(this.#ignored ? { ignored: this.#ignored } : {}),
    };
  }

  /** Why a command that reads this whole folder asks. */
  async #tree({ folder, ...how }: FolderRead): Promise<Reason | undefined> {
    const { files, workspace, clock } = this.#host;
    const { root } = workspace;
    if (root === undefined) return undefined;
    try {
      const { verdict, reason, resolved } = await this.path(folder, "read");
      if (verdict !== "allow") return reason;
      const home = await this.#homeOf(resolved, root);
      return await refusedTree(resolved, pathBelow(home, resolved), how, {
        files,
        clock,
        join,
        ignored: (path) => this.#ignored?.(path, home) ?? false,
      });
    } catch {
      // A folder that cannot be searched may contain anything.
      return reasonOf("folder-not-searchable", folder);
    }
  }

  /** Why a command that uses git in this folder asks. */
  async #git(use: GitUse, folder: string): Promise<Reason | undefined> {
    const { files, git, clock, workspace } = this.#host;
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
      homes: await this.#homes(),
      ignored: (file) => this.#ignored?.(pathBelow(home, file), home) ?? false,
    });
  }

  /** The real paths of the workspace's folders. */
  #homes(): Promise<string[]> {
    const { files, workspace } = this.#host;
    return Promise.all(folderPaths(workspace).map((each) => files.realpath(each)));
  }

  /** The real path of the workspace folder that contains a real path. */
  async #homeOf(path: string, root: string): Promise<string> {
    const roots = await this.#homes();
    return roots.find((each) => !/^\.\.(?:$|\/)/.test(pathBelow(each, path))) ?? root;
  }
}

/** The path relative to `root`, with `/`; "": the root itself. */
function pathBelow(root: string, path: string): string {
  return pathFrom(root, path).replaceAll("\\", "/");
}
