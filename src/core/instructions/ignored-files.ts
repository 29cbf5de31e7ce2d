/** The rules of the `.nekodeignore` file in each workspace folder, read again when the file changes. */
import { join } from "node:path";
import { messageOf } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { folderPaths } from "../roots.ts";
import { createIgnoreRules } from "./ignore-rules.ts";

/** Whether the rules name `path`, which is relative to `root` with `/`. `root`: real and absolute; default: the first folder. */
export type Ignored = (path: string, root?: string) => boolean;

const NAME = ".nekodeignore";

interface Rules {
  version: string;
  ignores(path: string): boolean;
}

export class IgnoredFiles {
  readonly #host: Pick<Host, "files" | "workspace" | "log">;
  readonly #cache = new Map<string, Rules>();
  /** What the last call answered, and for which rules. */
  #last: { first: string; byRoot: ReadonlyMap<string, Rules>; ignored: Ignored } | undefined;

  constructor(host: Pick<Host, "files" | "workspace" | "log">) {
    this.#host = host;
  }

  /**
   * undefined: no folder has the file. The same function as before where no file has changed. Never rejects. `realpath`: one that
   * remembers what it found, for a caller that asks for the same paths.
   */
  async rules(
    realpath: Host["files"]["realpath"] = (path) => this.#host.files.realpath(path),
  ): Promise<Ignored | undefined> {
    const { workspace } = this.#host;
    if (workspace.root === undefined) return undefined;
    const real = await Promise.all(folderPaths(workspace).map((path) => realpath(path).catch(() => path)));
    const roots = new Set(real);
    const [first = workspace.root] = real;
    const byRoot = new Map<string, Rules>();
    for (const root of roots) {
      const rules = await this.#of(root);
      if (rules) byRoot.set(root, rules);
    }
    if (byRoot.size === 0) return undefined;
    if (this.#last?.first !== first || !sameEntries(this.#last.byRoot, byRoot)) {
      const ignored: Ignored = (path, root = first) => byRoot.get(root)?.ignores(path) ?? false;
      this.#last = { first, byRoot, ignored };
    }
    return this.#last.ignored;
  }

  async #of(root: string): Promise<Rules | undefined> {
    const { files, log } = this.#host;
    const path = join(root, NAME);
    try {
      const stat = await files.stat(path);
      if (stat === undefined) return undefined;
      if (stat.kind !== "file") throw new Error("it is not a regular file");
      const cached = this.#cache.get(root);
      if (cached?.version === stat.version) return cached;
      const { text } = await files.readText(path);
      const rules = { version: stat.version, ignores: createIgnoreRules([{ folder: "", text }]).ignores };
      this.#cache.set(root, rules);
      return rules;
    } catch (error) {
      // The file may name any path, so every path counts as ignored.
      log.error(`${path} cannot be read, so all files in its folder are ignored: ${messageOf(error)}`, error);
      return { version: "", ignores: () => true };
    }
  }
}

function sameEntries<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}
