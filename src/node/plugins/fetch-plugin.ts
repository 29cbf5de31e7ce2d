/** Gets the files of a plugin from where the user or a marketplace says that it is, and reads them. Nothing of it is run or written. */
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { MARKETPLACE_FILE, pluginInMarketplace } from "../../core/plugins/marketplace.ts";
import { type GitAddress, readAddress } from "../../core/plugins/plugin-address.ts";
import { PluginError } from "../../core/plugins/plugin-error.ts";
import {
  CLAUDE_MANIFEST,
  type ManifestFallback,
  type PluginManifest,
  readPluginManifest,
} from "../../core/plugins/plugin-manifest.ts";
import { type PluginTree, treeOf } from "../../core/plugins/plugin-tree.ts";
import { type GitPlaceOptions, openGitPlace } from "./git-place.ts";
import { FolderPlace, type PluginPlace } from "./plugin-origin.ts";

/** What the user named, with which the plugin is fetched again. */
export interface PluginSource {
  /** A folder, absolute, or an address of git as `readAddress` accepts it. */
  address: string;
  /** Its name in the marketplace at this address. */
  plugin?: string;
}

export interface FetchedPlugin {
  source: PluginSource;
  commit?: string;
  tree: PluginTree;
  manifest: PluginManifest;
}

export interface FetchOptions extends GitPlaceOptions {
  /** Relative paths begin here. Absolute. */
  cwd: string;
  /** `~` at the beginning of a path. */
  home: string;
}

/** Rejects with PluginError, and with Interrupt. */
export async function fetchPlugin(
  { address: entered, plugin }: PluginSource,
  options: FetchOptions,
): Promise<FetchedPlugin> {
  const place = await openAddress(entered, options);
  const source = { address: place.named, ...(plugin === undefined ? {} : { plugin }) };
  try {
    const marketplace = await marketplaceIn(place, plugin);
    if (marketplace === undefined) return { source, ...(await readFrom(place, "", { name: place.name })) };
    const found = pluginInMarketplace(marketplace, plugin);
    if (typeof found.source === "string")
      return { source, ...(await readFrom(place, found.source, found.fallback)) };
    return { source, ...(await readElsewhere(found.source, found.fallback, options)) };
  } finally {
    await place.close();
  }
}

interface NamedPlace extends PluginPlace {
  /** The address in the form that means the same in any folder. */
  named: string;
  /** For a plugin without a name of its own. */
  name: string;
}

async function openAddress(entered: string, options: FetchOptions): Promise<NamedPlace> {
  const { cwd, home, signal } = options;
  const resolve = (text: string) => path.resolve(cwd, text.replace(/^~(?=$|[\\/])/, home));
  const file = /[\\/]marketplace\.json$/.test(entered.trim()) ? resolve(entered.trim()) : undefined;
  // The file of a marketplace stands for the folder that it describes.
  const meant =
    file !== undefined && (await stat(file).catch(() => undefined))?.isFile()
      ? path.dirname(file).replace(/[\\/]\.claude-plugin$/, "")
      : entered;
  const address = await readAddress(meant, {
    resolve,
    isFolder: async (folder) => (await stat(folder).catch(() => undefined))?.isDirectory() ?? false,
  });
  if (address.kind === "folder") {
    const root = await realpath(address.path);
    return Object.assign(new FolderPlace(root, signal), { named: root, name: path.basename(root) });
  }
  const named = address.ref === undefined ? address.url : `${address.url}#${address.ref}`;
  const name =
    path
      .basename(address.url.replace(/(?:\.git)?\/*$/, ""))
      .split(":")
      .at(-1) ?? "";
  return Object.assign(await openGitPlace(address, options), { named, name });
}

/** The marketplace, if the plugin is to be found in one: a repository that is a plugin and lists it counts as the plugin. */
async function marketplaceIn(
  place: PluginPlace,
  plugin: string | undefined,
): Promise<Uint8Array | undefined> {
  if (plugin === undefined)
    for (const file of ["plugin.json", CLAUDE_MANIFEST])
      if ((await place.read(file)) !== undefined) return undefined;
  const marketplace = await place.read(MARKETPLACE_FILE);
  if (marketplace === undefined && plugin !== undefined)
    throw new PluginError("no-marketplace", MARKETPLACE_FILE);
  return marketplace;
}

async function readFrom(
  place: PluginPlace,
  folder: string,
  fallback: ManifestFallback,
): Promise<Omit<FetchedPlugin, "source">> {
  const tree = treeOf(await place.entries(folder));
  const { commit } = place;
  return { ...(commit === undefined ? {} : { commit }), tree, manifest: readPluginManifest(tree, fallback) };
}

async function readElsewhere(
  address: GitAddress,
  fallback: ManifestFallback,
  options: FetchOptions,
): Promise<Omit<FetchedPlugin, "source">> {
  const place = await openGitPlace(address, options);
  try {
    return await readFrom(place, "", fallback);
  } finally {
    await place.close();
  }
}
