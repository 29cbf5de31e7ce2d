/** What the workspace's `.nekodeignore` files name: one in each of its folders, read again when it changed. */
import { join } from "node:path";
import { messageOf } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { createIgnoreRules } from "../safety/paths/ignore-rules.ts";

/** Whether a path below `root` (real, absolute; the first folder when left out), with `/`, is named. */
export type Ignored = (path: string, root?: string) => boolean;

const name = ".nekodeignore";

interface Rules {
  version: string;
  ignores(path: string): boolean;
}

export class IgnoredFiles {
  readonly #host: Pick<Host, "files" | "workspace" | "log">;
  readonly #known = new Map<string, Rules>();

  constructor(host: Pick<Host, "files" | "workspace" | "log">) {
    this.#host = host;
  }

  /** undefined: there is no such file. Never rejects. */
  async rules(): Promise<Ignored | undefined> {
    const { workspace } = this.#host;
    if (workspace.root === undefined) return undefined;
    const first = await this.#real(workspace.root);
    const roots = new Set([
      first,
      ...(await Promise.all(workspace.roots.map(({ path }) => this.#real(path)))),
    ]);
    const byRoot = new Map<string, Rules>();
    for (const root of roots) {
      const rules = await this.#of(root);
      if (rules) byRoot.set(root, rules);
    }
    if (byRoot.size === 0) return undefined;
    return (path, root = first) => byRoot.get(root)?.ignores(path) ?? false;
  }

  async #of(root: string): Promise<Rules | undefined> {
    const { files, log } = this.#host;
    const path = join(root, name);
    try {
      const stat = await files.stat(path);
      if (stat === undefined) return undefined;
      if (stat.kind !== "file") throw new Error("it is not a regular file");
      const known = this.#known.get(root);
      if (known?.version === stat.version) return known;
      const { text } = await files.readText(path);
      const rules = { version: stat.version, ignores: createIgnoreRules([{ folder: "", text }]).ignores };
      this.#known.set(root, rules);
      return rules;
    } catch (error) {
      // What it names is not known, so that it may be anything.
      log.error(`${path} cannot be read, so that no file in its folder is: ${messageOf(error)}`, error);
      return { version: "", ignores: () => true };
    }
  }

  async #real(path: string): Promise<string> {
    return this.#host.files.realpath(path).catch(() => path);
  }
}
