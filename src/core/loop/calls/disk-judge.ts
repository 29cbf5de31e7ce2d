/** Judges paths and commands by what is on the disk, whatever the settings say. */
import { isAbsolute, relative as pathFrom, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { SandboxState } from "../../../shared/sandbox-state.ts";
import { cachedValue } from "../../cached-value.ts";
import { skillFolders } from "../../instructions/catalogue.ts";
import type { Ignored, IgnoredFiles } from "../../instructions/ignored-files.ts";
import type { Host } from "../../ports/host.ts";
import type { SandboxPlace, SandboxUse } from "../../ports/sandbox.ts";
import { folderPaths, isInside } from "../../roots.ts";
import { type CommandContext, type JudgedCommand, readCommand } from "../../safety/commands/judge-command.ts";
import { refusedGit } from "../../safety/git/git-check.ts";
import type { GitUse } from "../../safety/git/git-use.ts";
import { judgePath, type PathVerdict } from "../../safety/paths/judge-path.ts";

/** What the judge uses of a host. */
export interface JudgeHost
  extends Pick<Host, "assets" | "files" | "git" | "workspace" | "system" | "clock" | "log" | "given">,
    Partial<Pick<Host, "policy">> {
  shell: Pick<Host["shell"], "kind" | "interactive" | "shadowingEntry" | "sandbox">;
}

/**
 * Judges each path, command and use of git once, and caches the answer. The disk may change, so an object serves only one call, or one
 * explanation, which judges the same call under many settings.
 */
export class DiskJudge {
  readonly #host: JudgeHost;
  readonly #ignored: Ignored | undefined;
  readonly #realpath: JudgeHost["files"]["realpath"];
  /** By access and path. */
  readonly #paths = new Map<string, Promise<PathVerdict>>();
  readonly #commands = new Map<string, Promise<JudgedCommand>>();
  /** The names in each folder; undefined if it cannot be read. */
  readonly #names = new Map<string, Promise<string[] | undefined>>();
  /** Why uses of git ask, by use and folder. */
  readonly #gitReasons = new Map<string, Promise<Reason | undefined>>();

  #sandbox: Promise<SandboxState> | undefined;
  #skillFolders: Promise<string[]> | undefined;

  static async of(host: JudgeHost, ignored: Pick<IgnoredFiles, "rules">): Promise<DiskJudge> {
    const real = new Map<string, Promise<string>>();
    const realpath = (path: string) => cachedValue(real, path, () => host.files.realpath(path));
    return new DiskJudge(host, await ignored.rules(realpath), realpath);
  }

  /** `ignored`: the rules of .nekodeignore. */
  private constructor(
    host: JudgeHost,
    ignored: Ignored | undefined,
    realpath: JudgeHost["files"]["realpath"],
  ) {
    this.#host = host;
    this.#ignored = ignored;
    this.#realpath = realpath;
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
    const judged = await judgePath(path, {
      root: workspace.root ?? "",
      roots: workspace.roots.map((folder) => folder.path),
      access,
      originals: copied.map(({ original }) => original),
      realpath: this.#realpath,
      readlink: (target) => files.readlink(target),
      isReadonly: (target) => workspace.isReadonly?.(target) ?? false,
      ...(this.#ignored ? { ignored: this.#ignored } : {}),
    });
    return access === "read" ? this.#withGiven(judged) : judged;
  }

  /** What the user gave may be read wherever it is, except for secrets. */
  #withGiven(judged: PathVerdict): PathVerdict {
    const isOutside = judged.verdict === "ask" && !judged.inside && judged.guard === undefined;
    if (!isOutside || !this.#host.given?.has(judged.resolved)) return judged;
    return { ...judged, verdict: "allow", reason: reasonOf("reading-approved") };
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
        git: (use, folder) =>
          cachedValue(this.#gitReasons, JSON.stringify([use, folder]), () => this.#git(use, folder)),
        program(name) {
          const entry = shell.shadowingEntry?.(name);
          return entry === undefined
            ? undefined
            : reasonOf("program-from-project", name, entry === "" ? '""' : entry);
        },
        list: (folder) => {
          const path = resolve(workspace.root ?? "", folder);
          return cachedValue(this.#names, path, () => namesIn(path, files));
        },
      },
      ...(this.#ignored ? { ignored: this.#ignored } : {}),
    };
  }

  /** Why a command that uses git in this folder asks. */
  async #git(use: GitUse, folder: string): Promise<Reason | undefined> {
    const { files, git, clock, workspace } = this.#host;
    const { root } = workspace;
    if (root === undefined) return undefined;
    const path = resolve(root, folder);
    const real = await this.#realpath(path).catch(() => path);
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
    return Promise.all(folderPaths(this.#host.workspace).map((each) => this.#realpath(each)));
  }

  /** The real path of the workspace folder that contains a real path. */
  async #homeOf(path: string, root: string): Promise<string> {
    const roots = await this.#homes();
    return roots.find((each) => !/^\.\.(?:$|\/)/.test(pathBelow(each, path))) ?? root;
  }
}

async function namesIn(folder: string, files: Host["files"]): Promise<string[] | undefined> {
  try {
    if ((await files.stat(folder))?.kind !== "directory") return [];
    return (await files.list(folder)).map((entry) => entry.name);
  } catch {
    // What a pattern matches there is unknown, so the command asks.
    return undefined;
  }
}

/** The path relative to `root`, with `/`; "": the root itself. */
function pathBelow(root: string, path: string): string {
  return pathFrom(root, path).replaceAll("\\", "/");
}
