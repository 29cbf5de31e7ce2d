/**
 * A commit of a git repository, read without a working tree: git fetches it into an empty repository of its own and prints the content of
 * files. There is no checkout, so that no hook, filter or attribute of the repository has an effect, and submodules are never fetched.
 */
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { Interrupt, messageOf } from "../../core/errors.ts";
import type { GitAddress } from "../../core/plugins/plugin-address.ts";
import { PluginError } from "../../core/plugins/plugin-error.ts";
import type { PluginEntry } from "../../core/plugins/plugin-tree.ts";
import { findProgram } from "../find-programs.ts";
import { plainGitEnvironment, QUIET, runGit } from "../git/git-process.ts";
import { PluginBudget, type PluginPlace } from "./plugin-origin.ts";

/** Milliseconds for everything that git does for one plugin. */
const TIMEOUT_MS = 180_000;
/** Bytes of the list of a repository's files. */
const LARGEST_LIST = 8 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Ours in the repository that is fetched into. */
const FETCHED = "refs/nekode/fetched";

/** No stored password is used, nobody is asked for one, and nothing runs afterwards. */
const ALONE_SETTINGS = [
  "credential.helper=",
  "core.askPass=",
  "gc.auto=0",
  "maintenance.auto=false",
  "fetch.recurseSubmodules=false",
  "submodule.recurse=false",
  "fetch.writeCommitGraph=false",
  "protocol.version=2",
].flatMap((setting) => ["-c", setting]);

export interface GitPlaceOptions {
  environment: NodeJS.ProcessEnv;
  /** The workspace's folders, whose programs are not used. */
  roots: readonly string[];
  /** An existing folder for what is fetched. */
  folder: string;
  signal: AbortSignal;
}

/** Rejects with PluginError, and with Interrupt. */
export async function openGitPlace(address: GitAddress, options: GitPlaceOptions): Promise<PluginPlace> {
  const { environment, roots, folder, signal } = options;
  const program = findProgram("git", environment, roots);
  if (program === undefined) throw new PluginError("git-missing");
  const repository = await mkdtemp(path.join(folder, "git-"));
  const close = () => rm(repository, { recursive: true, force: true });
  const { SSH_AUTH_SOCK } = environment;
  const env: NodeJS.ProcessEnv = {
    ...plainGitEnvironment(environment, roots),
    GIT_ALLOW_PROTOCOL: address.isLocal ? "file" : "https:ssh",
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    GCM_INTERACTIVE: "never",
    ...(SSH_AUTH_SOCK === undefined ? {} : { SSH_AUTH_SOCK }),
  };
  const stop = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const git = async (args: readonly string[], more: { input?: Uint8Array; most?: number } = {}) => {
    try {
      const whole = [...QUIET, ...ALONE_SETTINGS, ...args];
      return await runGit(program, whole, env, repository, { ...more, signal: stop });
    } catch (error) {
      if (signal.aborted) throw new Interrupt();
      throw new PluginError("git-failed", stop.aborted ? "timeout" : messageOf(error).slice(0, 1_000));
    }
  };
  try {
    await git(["init", "--bare", "--quiet", "--template="]);
    env.GIT_DIR = repository;
    const commit = await fetched(git, address);
    return new GitPlace(git, commit, address.path, close);
  } catch (error) {
    await close();
    throw error;
  }
}

type Git = (args: readonly string[], more?: { input?: Uint8Array; most?: number }) => Promise<Buffer>;

/** The commit that was fetched. */
async function fetched(git: Git, { url, ref = "HEAD" }: GitAddress): Promise<string> {
  const fetch = (refspec: string, ...more: string[]) =>
    git(["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", ...more, "--", url, refspec]);
  try {
    await fetch(`+${ref}:${FETCHED}`, "--depth=1");
  } catch (error) {
    if (!(error instanceof PluginError) || !COMMIT.test(ref)) throw error;
    // Not every server hands out a commit by its name alone.
    await fetch("+refs/heads/*:refs/nekode/heads/*");
    await git(["update-ref", FETCHED, ref]);
  }
  return (await git(["rev-parse", "--verify", "--end-of-options", `${FETCHED}^{commit}`])).toString().trim();
}

interface ListedEntry {
  mode: string;
  type: string;
  hash: string;
  size: number;
  path: string;
}

class GitPlace implements PluginPlace {
  readonly commit: string;
  readonly close: () => Promise<void>;
  readonly #git: Git;
  /** The folder in the repository that counts; "": all of it. */
  readonly #base: string;

  constructor(git: Git, commit: string, base: string, close: () => Promise<void>) {
    this.#git = git;
    this.commit = commit;
    this.#base = base;
    this.close = close;
  }

  async read(file: string): Promise<Uint8Array | undefined> {
    const listed = await this.#list([this.#inside(file)]);
    const found = listed.find((each) => each.mode.startsWith("100") && each.path === this.#inside(file));
    if (!found) return undefined;
    new PluginBudget().add(file, found.size);
    return (await this.#contents([found])).get(found.hash);
  }

  async entries(folder: string): Promise<PluginEntry[]> {
    const base = this.#inside(folder);
    const listed = await this.#list(base === "" ? [] : [`${base}/`]);
    if (listed.length === 0) throw new PluginError("no-such-source", base);
    const budget = new PluginBudget();
    const submodule = listed.find(({ type }) => type === "commit");
    if (submodule) throw new PluginError("submodule", submodule.path);
    for (const { path: file, size } of listed) budget.add(file, size);
    const contents = await this.#contents(listed);
    return listed.map(({ mode, hash, path: whole }): PluginEntry => {
      const inside = base === "" ? whole : whole.slice(base.length + 1);
      const bytes = contents.get(hash) ?? new Uint8Array();
      if (mode === "120000") return { kind: "link", path: inside, target: new TextDecoder().decode(bytes) };
      return { kind: "file", path: inside, bytes, isExecutable: mode === "100755" };
    });
  }

  #inside(file: string): string {
    return [this.#base, file].filter((part) => part !== "").join("/");
  }

  async #list(paths: readonly string[]): Promise<ListedEntry[]> {
    const args = [
      "ls-tree",
      "-r",
      "-z",
      "-l",
      "--full-tree",
      this.commit,
      ...(paths.length > 0 ? ["--"] : []),
      ...paths,
    ];
    const output = await this.#git(args, { most: LARGEST_LIST });
    if (output.length >= LARGEST_LIST) throw new PluginError("too-many-files", String(LARGEST_LIST));
    return output
      .toString()
      .split("\0")
      .flatMap((line) => {
        const [, mode = "", type = "", hash = "", size = "", file = ""] =
          /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)[\t](.*)$/s.exec(line) ?? [];
        return file === "" ? [] : [{ mode, type, hash, size: Number(size) || 0, path: file }];
      });
  }

  /** By the hash of the object. */
  async #contents(entries: readonly ListedEntry[]): Promise<Map<string, Uint8Array>> {
    const hashes = [...new Set(entries.map(({ hash }) => hash))];
    const input = new TextEncoder().encode(hashes.map((hash) => `${hash}\n`).join(""));
    const output = await this.#git(["cat-file", "--batch"], { input });
    const contents = new Map<string, Uint8Array>();
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf("\n", at);
      const [, hash = "", size = ""] =
        /^([0-9a-f]+) blob (\d+)$/.exec(output.toString("latin1", at, end)) ?? [];
      if (hash === "") throw new PluginError("git-failed", output.toString("latin1", at, end).slice(0, 200));
      const from = end + 1;
      contents.set(hash, new Uint8Array(output.subarray(from, from + Number(size))));
      at = from + Number(size) + 1;
    }
    return contents;
  }
}
