/** Reads a marketplace: a file that names plugins and says where each of them is. */
import * as z from "../../shared/zod.ts";
import { type GitAddress, sourceInMarketplace } from "./plugin-address.ts";
import { PluginError } from "./plugin-error.ts";
import { LARGEST_JSON, type ManifestFallback, parsedJson } from "./plugin-manifest.ts";

export const MARKETPLACE_FILE = ".claude-plugin/marketplace.json";
/** Plugins of one file that count, and names that are listed. */
const MOST_PLUGINS = 1_000;
const MOST_NAMES = 50;

const marketplaceSchema = z.object({
  plugins: z.array(z.unknown()),
  metadata: z.exactOptional(z.catch(z.object({ pluginRoot: z.exactOptional(z.string()) }), {})),
});
const entrySchema = z.looseObject({
  name: z.string(),
  source: z.unknown(),
  strict: z.exactOptional(z.boolean()),
});

export interface MarketplacePlugin {
  /** A folder of the marketplace, or another repository. */
  source: string | GitAddress;
  fallback: ManifestFallback;
}

/** The plugin of this name. Throws PluginError if there is none, or if it is not clear which one is meant. */
export function pluginInMarketplace(bytes: Uint8Array, name: string | undefined): MarketplacePlugin {
  if (bytes.length > LARGEST_JSON)
    throw new PluginError("manifest-too-large", MARKETPLACE_FILE, String(LARGEST_JSON / 1024));
  const value = parsedJson(bytes);
  if (value === undefined) throw new PluginError("manifest-not-json", MARKETPLACE_FILE);
  const { data, error } = marketplaceSchema.safeParse(value);
  if (!data) throw new PluginError("manifest-field", MARKETPLACE_FILE, error.issues[0]?.path.join(".") ?? "");
  const entries = data.plugins
    .slice(0, MOST_PLUGINS)
    .flatMap((each) => entrySchema.safeParse(each).data ?? []);
  const names = entries.map((entry) => entry.name);
  if (name === undefined && names.length !== 1)
    throw new PluginError("choose-plugin", ...names.slice(0, MOST_NAMES));
  const entry = name === undefined ? entries[0] : entries.find((each) => each.name === name);
  if (!entry) throw new PluginError("not-in-marketplace", name ?? "", names.slice(0, MOST_NAMES).join(", "));
  const { source, strict = true, ...fields } = entry;
  return {
    source: sourceInMarketplace(source, data.metadata?.pluginRoot ?? ""),
    fallback: { name: entry.name, fields, replaces: !strict },
  };
}
