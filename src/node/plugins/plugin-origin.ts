/** A place from which plugins are read: a folder on this computer, or a commit of a git repository. Nothing in it is run. */
import { lstat, open, opendir, readlink } from "node:fs/promises";
import path from "node:path";
import { Interrupt } from "../../core/errors.ts";
import { PluginError } from "../../core/plugins/plugin-error.ts";
import {
  LARGEST_PLUGIN,
  LARGEST_PLUGIN_FILE,
  MOST_FILES,
  megabytes,
  type PluginEntry,
} from "../../core/plugins/plugin-tree.ts";
import { isMissing } from "../files/fs-errors.ts";

export interface PluginPlace {
  /** Set for a git repository. */
  commit?: string;
  /** undefined: there is no such file. `file`: relative to the place, with `/`. */
  read(file: string): Promise<Uint8Array | undefined>;
  /** Everything in this folder; "": all of the place. Rejects with PluginError. */
  entries(folder: string): Promise<PluginEntry[]>;
  /** Removes what was fetched. */
  close(): Promise<void>;
}

/** Entries of a folder that are looked at, also those that are no part of a plugin. */
const MOST_ENTRIES = 4 * MOST_FILES;

/** Counts what was read, so that a large folder is refused before its content is in memory. */
export class PluginBudget {
  #entries = 0;
  #bytes = 0;

  /** Throws PluginError. */
  add(file: string, bytes: number): void {
    if (++this.#entries > MOST_ENTRIES) throw new PluginError("too-many-files", String(MOST_FILES));
    if (bytes > LARGEST_PLUGIN_FILE)
      throw new PluginError("file-too-large", file, megabytes(LARGEST_PLUGIN_FILE));
    this.#bytes += bytes;
    if (this.#bytes > LARGEST_PLUGIN) throw new PluginError("too-large", megabytes(LARGEST_PLUGIN));
  }
}

/** Follows no link, not even to `root` itself or to the folder that is read. */
export class FolderPlace implements PluginPlace {
  readonly #root: string;
  readonly #signal: AbortSignal;

  /** `root`: absolute, without links. */
  constructor(root: string, signal: AbortSignal) {
    this.#root = root;
    this.#signal = signal;
  }

  async read(file: string): Promise<Uint8Array | undefined> {
    try {
      const at = path.join(this.#root, file);
      return (await lstat(at)).isFile() ? (await readWhole(at, file, new PluginBudget())).bytes : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async entries(folder: string): Promise<PluginEntry[]> {
    const entries: PluginEntry[] = [];
    const budget = new PluginBudget();
    let at = this.#root;
    for (const part of folder.split("/").filter((each) => each !== "")) {
      at = path.join(at, part);
      const stat = await lstat(at).catch(() => undefined);
      if (stat?.isSymbolicLink()) throw new PluginError("link-outside", folder);
      if (!stat?.isDirectory()) throw new PluginError("no-such-source", folder);
    }
    await this.#visit(at, "", entries, budget);
    return entries;
  }

  async #visit(at: string, below: string, entries: PluginEntry[], budget: PluginBudget): Promise<void> {
    for await (const { name } of await opendir(at)) {
      if (this.#signal.aborted) throw new Interrupt();
      const inside = below === "" ? name : `${below}/${name}`;
      const file = path.join(at, name);
      const stat = await lstat(file);
      // The repository that the user works in is no part of the plugin. Elsewhere, its name is enough to report it.
      if (name.toLowerCase() === ".git") {
        entries.push({ kind: "file", path: inside, bytes: new Uint8Array(), isExecutable: false });
        continue;
      }
      if (stat.isSymbolicLink()) {
        budget.add(inside, 0);
        const target = await readlink(file);
        entries.push({ kind: "link", path: inside, target: withSlashes(target) });
      } else if (stat.isDirectory()) await this.#visit(file, inside, entries, budget);
      else if (stat.isFile())
        entries.push({ kind: "file", path: inside, ...(await readWhole(file, inside, budget)) });
      // Reading a pipe or a device would wait for somebody.
      else throw new PluginError("not-a-file", inside);
    }
  }

  async close(): Promise<void> {}
}

function withSlashes(target: string): string {
  return path.sep === "\\" ? target.replaceAll("\\", "/") : target;
}

async function readWhole(
  file: string,
  name: string,
  budget: PluginBudget,
): Promise<{ bytes: Uint8Array; isExecutable: boolean }> {
  const handle = await open(file, "r");
  try {
    const { size, mode } = await handle.stat();
    budget.add(name, size);
    const bytes = await handle.readFile();
    // It may have grown meanwhile.
    if (bytes.length > LARGEST_PLUGIN_FILE)
      throw new PluginError("file-too-large", name, megabytes(LARGEST_PLUGIN_FILE));
    return {
      bytes: new Uint8Array(bytes),
      isExecutable: process.platform !== "win32" && (mode & 0o100) !== 0,
    };
  } finally {
    await handle.close();
  }
}
