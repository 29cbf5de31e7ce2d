/**
 * The plugins that the user installed, in the data folder. Whatever changes in their files after that, in any way, stops them from being
 * used: the record has the hash of each file, and it is compared whenever something of a plugin is about to be used.
 */
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  opendir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../core/bytes.ts";
import { PluginError } from "../../core/plugins/plugin-error.ts";
import type { FileRecord, PluginTree } from "../../core/plugins/plugin-tree.ts";
import { type AdminPolicy, allowsHash } from "../../core/policy/admin-policy.ts";
import type { ActivePlugin, Plugins } from "../../core/ports/plugins.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { Log } from "../../core/ports/system.ts";
import { RecordFile } from "../../core/record-file.ts";
import { pluginComponentSchema, pluginFormatSchema } from "../../shared/plugin-list.ts";
import * as z from "../../shared/zod.ts";
import { syncFolder } from "../files/atomic-write.ts";
import { isMissing } from "../files/fs-errors.ts";
import { createStorage } from "../store/folder-storage.ts";

/** The folder of everything about plugins, in the data folder. */
const PLUGINS_FOLDER = "plugins";
const RECORD = "plugins.json";
const INSTALLED = "installed";
const DATA = "data";
const STAGING = "staging";
/** Milliseconds after which what a process that died has staged is removed. */
const LEFTOVER_MS = 60 * 60 * 1000;
/** Files that the log names. */
const MOST_TOLD = 5;
const PRIVATELY = { recursive: true, mode: 0o700 };

const names = z.array(z.string());
const pluginSchema = z.object({
  format: pluginFormatSchema,
  version: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  source: z.object({ address: z.string(), plugin: z.exactOptional(z.string()) }),
  commit: z.exactOptional(z.string()),
  isOff: z.boolean(),
  /** See `hashOfFiles`. */
  hash: z.string(),
  files: z.record(z.string(), z.object({ hash: z.string(), isExecutable: z.boolean() })),
  places: z.object({
    skills: names,
    commands: names,
    agents: names,
    hooks: names,
    servers: names,
    languageServers: z._default(names, []),
  }),
  components: z.array(pluginComponentSchema),
  problems: z.array(z.object({ code: z.string(), values: names })),
});
export type InstalledPlugin = z.infer<typeof pluginSchema>;

const fileSchema = z.object({ version: z.literal(1), plugins: z.record(z.string(), pluginSchema) });

/** The folder in which each installed plugin has one. */
export function installedPluginsFolder(dataDir: string): string {
  return path.join(dataDir, PLUGINS_FOLDER, INSTALLED);
}

export class InstalledPlugins implements Plugins {
  readonly file: string;
  /** For what is fetched and copied before it is installed; on the same disk. */
  readonly staging: string;
  readonly #folder: string;
  readonly #storage: Storage;
  readonly #record: RecordFile<z.infer<typeof fileSchema>>;
  readonly #log: Log;
  readonly #policy: Pick<AdminPolicy, "plugins" | "managedBy"> | undefined;
  /** What the log says of plugins that are not used, by name. */
  readonly #told = new Map<string, string>();
  /** What was found at the last comparison, by folder. */
  readonly #compared = new Map<string, { stamp: string; changed: string[] }>();

  /**
   * `dataDir`: the data folder that the hosts of this machine share. `policy`: the administrator's. Nothing is read or written before it is
   * used.
   */
  constructor(dataDir: string, log: Log, policy?: Pick<AdminPolicy, "plugins" | "managedBy">) {
    this.#policy = policy;
    this.#folder = path.join(dataDir, PLUGINS_FOLDER);
    this.file = path.join(this.#folder, RECORD);
    this.staging = path.join(this.#folder, STAGING);
    this.#log = log;
    this.#storage = createStorage(this.#folder);
    this.#record = new RecordFile(this.#storage, log, {
      name: RECORD,
      schema: fileSchema,
      empty: () => ({ version: 1, plugins: {} }),
      records: "the installed plugins",
      loss: "no plugin is used",
    });
  }

  /** By name. */
  async all(): Promise<ReadonlyMap<string, InstalledPlugin>> {
    const { plugins } = await this.#record.read();
    return new Map(Object.entries(plugins).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async active(): Promise<readonly ActivePlugin[]> {
    try {
      const found: ActivePlugin[] = [];
      for (const [name, plugin] of await this.all()) {
        if (plugin.isOff) continue;
        const problem = this.#notAllowed(name, plugin) ?? (await this.#changed(name, plugin));
        if (problem !== undefined) {
          this.#tell(name, problem);
          continue;
        }
        const { format, hash, places } = plugin;
        const root = await realpath(this.#folderOf(name, hash));
        found.push({ name, format, hash, root, data: path.join(this.#folder, DATA, name), ...places });
      }
      return found;
    } catch (error) {
      this.#log.error("the installed plugins were not read", error);
      return [];
    }
  }

  /** Says once what is wrong, because something that the user relies on may be missing now. */
  #tell(name: string, text: string): void {
    if (this.#told.get(name) === text) return;
    this.#told.set(name, text);
    this.#log.error(text);
  }

  #notAllowed(name: string, { hash }: InstalledPlugin): string | undefined {
    if (!this.#policy || allowsHash(this.#policy.plugins, hash)) return undefined;
    return `The plugin ${name} is not used, because ${this.#policy.managedBy} does not allow it (hash ${hash})`;
  }

  async #changed(name: string, plugin: InstalledPlugin): Promise<string | undefined> {
    const changed = await this.changedFiles(name, plugin);
    if (changed.length === 0) return undefined;
    const files = changed.slice(0, MOST_TOLD).join(", ");
    return `The plugin ${name} is not used, because files of it changed after it was installed: ${files}`;
  }

  /** The files that differ from those that were installed, with those that were added or are missing. Reads all of them if one was touched. */
  async changedFiles(name: string, { hash, files }: InstalledPlugin): Promise<string[]> {
    const folder = this.#folderOf(name, hash);
    const found = await walk(folder);
    const stamp = [...found].map(([file, each]) => `${file} ${each.stamp}`).join("\n");
    const known = this.#compared.get(folder);
    if (known?.stamp === stamp) return known.changed;
    const changed = await compare(folder, found, files);
    this.#compared.set(folder, { stamp, changed });
    return changed;
  }

  /**
   * Copies the files, and records them in one step. `expected`: the hash of the installed plugin that this one replaces; undefined:
   * there is none. Rejects with PluginError if that is no longer so.
   */
  async install(
    name: string,
    plugin: InstalledPlugin,
    tree: PluginTree,
    expected: string | undefined,
  ): Promise<void> {
    await this.#alone(async () => {
      await mkdir(this.staging, PRIVATELY);
      const staged = await mkdtemp(path.join(this.staging, "plugin-"));
      try {
        await writeTree(staged, tree);
        await this.#place(staged, name, plugin, expected);
      } finally {
        await rm(staged, { recursive: true, force: true });
      }
      await this.#tidy();
    });
  }

  async #place(
    staged: string,
    name: string,
    plugin: InstalledPlugin,
    expected: string | undefined,
  ): Promise<void> {
    if (this.#policy && !allowsHash(this.#policy.plugins, plugin.hash))
      throw new PluginError("managed", this.#policy.managedBy, plugin.hash);
    const folder = this.#folderOf(name, plugin.hash);
    await this.#refuseOther(name, expected);
    await mkdir(path.dirname(folder), PRIVATELY);
    await mkdir(path.join(this.#folder, DATA, name), PRIVATELY);
    // It may be there from an installation that was cut off, or with changes.
    await rm(folder, { recursive: true, force: true });
    await rename(staged, folder);
    await syncFolder(path.dirname(folder));
    await this.#record.change(({ plugins }) => {
      plugins[name] = plugin;
    });
  }

  async #refuseOther(name: string, expected: string | undefined): Promise<void> {
    const all = await this.all();
    const found = [...all].find(([other]) => other.toLowerCase() === name.toLowerCase());
    if (expected === undefined && found) throw installedAlready(found[0], found[1]);
    if (expected !== undefined && found?.[1].hash !== expected)
      throw new PluginError("changed-meanwhile", name);
  }

  /** Rejects with PluginError if there is no such plugin. */
  async get(name: string): Promise<InstalledPlugin> {
    const plugin = (await this.all()).get(name);
    if (!plugin) throw new PluginError("not-installed", name);
    return plugin;
  }

  async switch(name: string, on: boolean): Promise<void> {
    await this.get(name);
    await this.#record.change(({ plugins }) => {
      const plugin = plugins[name];
      if (plugin) plugin.isOff = !on;
    });
  }

  /** Removes its files and what its programs have stored. */
  async remove(name: string): Promise<void> {
    await this.get(name);
    await this.#alone(async () => {
      await this.#record.change(({ plugins }) => {
        delete plugins[name];
      });
      await rm(path.join(this.#folder, DATA, name), { recursive: true, force: true });
      await this.#tidy();
    });
  }

  #alone(work: () => Promise<void>): Promise<void> {
    return this.#storage.withLock("install", work);
  }

  /** Each content has a folder of its own, so that a session that still uses the old one never sees a mixture. */
  #folderOf(name: string, hash: string): string {
    return path.join(this.#folder, INSTALLED, `${name}-${hash.slice(0, 16)}`);
  }

  /** Removes the folders that no plugin has any more. Only with the lock. */
  async #tidy(): Promise<void> {
    const used = new Set([...(await this.all())].map(([name, { hash }]) => this.#folderOf(name, hash)));
    for (const folder of await foldersIn(path.join(this.#folder, INSTALLED)))
      if (!used.has(folder)) await rm(folder, { recursive: true, force: true });
    for (const folder of await foldersIn(this.staging)) {
      const found = await lstat(folder).catch(() => undefined);
      if (found && Math.abs(Date.now() - found.mtimeMs) > LEFTOVER_MS)
        await rm(folder, { recursive: true, force: true });
    }
  }
}

export function installedAlready(name: string, { source }: Pick<InstalledPlugin, "source">): PluginError {
  return new PluginError("installed-already", name, source.address);
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).map((name) => path.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function writeTree(folder: string, { files }: PluginTree): Promise<void> {
  const made = new Set<string>();
  for (const [file, { bytes, isExecutable }] of files) {
    const at = path.join(folder, ...file.split("/"));
    const parent = path.dirname(at);
    if (!made.has(parent)) await mkdir(parent, PRIVATELY);
    made.add(parent);
    await writeFile(at, bytes, { flag: "wx", mode: 0o600 });
    if (isExecutable) await chmod(at, 0o700);
  }
}

interface FoundFile {
  isFile: boolean;
  isExecutable: boolean;
  /** Changes whenever the file is written, replaced or gets other rights. */
  stamp: string;
}

/** Everything below the folder except folders, sorted. No link is followed. Empty: there is no such folder. */
async function walk(folder: string): Promise<Map<string, FoundFile>> {
  const found: [string, FoundFile][] = [];
  const visit = async (at: string, below: string): Promise<void> => {
    for await (const { name } of await opendir(at)) {
      const [file, inside] = [path.join(at, name), below === "" ? name : `${below}/${name}`];
      const stat = await lstat(file, { bigint: true });
      const { ino, size, mode, mtimeNs, ctimeNs } = stat;
      if (stat.isDirectory()) await visit(file, inside);
      else
        found.push([
          inside,
          {
            isFile: stat.isFile(),
            isExecutable: (mode & 0o100n) !== 0n,
            stamp: [ino, size, mode, mtimeNs, ctimeNs].join(" "),
          },
        ]);
    }
  };
  try {
    if ((await lstat(folder)).isDirectory()) await visit(folder, "");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function compare(
  folder: string,
  found: ReadonlyMap<string, FoundFile>,
  files: Readonly<Record<string, FileRecord>>,
): Promise<string[]> {
  const changed: string[] = [];
  for (const file of [...new Set([...found.keys(), ...Object.keys(files)])].sort()) {
    const [now, installed] = [found.get(file), Object.hasOwn(files, file) ? files[file] : undefined];
    const isSame =
      now?.isFile === true &&
      installed !== undefined &&
      (process.platform === "win32" || now.isExecutable === installed.isExecutable) &&
      (await hashOf(path.join(folder, file))) === installed.hash;
    if (!isSame) changed.push(file);
  }
  return changed;
}

async function hashOf(file: string): Promise<string | undefined> {
  try {
    return await sha256(await readFile(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
