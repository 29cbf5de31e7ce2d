/** Where a plugin is: what users enter, and what marketplaces write. Everything that git gets is checked here. */
import * as z from "../../shared/zod.ts";
import { PluginError } from "./plugin-error.ts";
import { isUsablePath } from "./plugin-tree.ts";

export type PluginAddress = FolderAddress | GitAddress;

export interface FolderAddress {
  kind: "folder";
  /** Absolute. */
  path: string;
}

export interface GitAddress {
  kind: "git";
  url: string;
  /** A branch, a tag or a commit; absent: the default branch. */
  ref?: string;
  /** The plugin's folder in the repository, with `/`; "": all of it. */
  path: string;
  /** The user gave a path on this computer. */
  isLocal: boolean;
}

/** What git accepts as the name of a branch or a tag and not as anything else. */
const REF = /^(?!.*(?:\.\.|@\{|\/\/|\.lock$|\/$|\.$))[A-Za-z0-9][\w./-]{0,200}$/;
const SHORT = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;
const SSH = /^(?:ssh:\/\/)?[A-Za-z0-9][\w.-]*@[A-Za-z0-9][\w.-]*[:/][^\s:]+$/;

/** The places on this computer that an address may mean. */
export interface LocalPlaces {
  /** Returns the absolute path. */
  resolve(path: string): string;
  isFolder(path: string): Promise<boolean>;
}

/**
 * Reads what the user entered: a folder; an address of git over https or ssh; `owner/repository` of GitHub; a folder as a git repository
 * with `#` and a commit. Each git address may end in `#` and a branch, a tag or a commit. Rejects with PluginError.
 */
export async function readAddress(entered: string, places: LocalPlaces): Promise<PluginAddress> {
  const text = entered.trim();
  if (text === "" || /[\0-\x1f\x7f]/.test(text)) throw new PluginError("address-unsupported", entered);
  const path = places.resolve(text);
  if (!/^[a-z][a-z+.-]+:/i.test(text) && (await places.isFolder(path))) return { kind: "folder", path };
  const [, address = "", ref] = /^(.*?)(?:#([^#]*))?$/s.exec(text) ?? [];
  const more = { ...(ref === undefined ? {} : { ref: checkedRef(ref) }), path: "" };
  if (isRemote(address)) return { kind: "git", url: address, isLocal: false, ...more };
  if (/^[a-z][a-z+.-]+:/i.test(address)) throw new PluginError("address-unsupported", entered);
  const folder = places.resolve(address);
  if (ref !== undefined && (await places.isFolder(folder)))
    return { kind: "git", url: folder, isLocal: true, ...more };
  if (SHORT.test(address))
    return { kind: "git", url: `https://github.com/${address}.git`, isLocal: false, ...more };
  throw new PluginError("no-such-source", entered);
}

/** Whether git may fetch from it: over https without a password in the address, or over ssh. */
function isRemote(url: string): boolean {
  if (SSH.test(url)) return true;
  if (!/^https:\/\/[^\s]+$/.test(url) || !URL.canParse(url)) return false;
  const { username, password, search, hash } = new URL(url);
  return username === "" && password === "" && search === "" && hash === "";
}

function checkedRef(ref: string): string {
  if (!REF.test(ref)) throw new PluginError("ref-invalid", ref);
  return ref;
}

const maybe = z.exactOptional(z.string());
const pin = {
  ref: maybe,
  sha: z.exactOptional(z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/))),
};

/** The sources of a marketplace. The kind of those that are not supported is named to the user. */
const sourceSchema = z.discriminatedUnion("source", [
  z.object({ source: z.literal("github"), repo: z.string().check(z.regex(SHORT)), ...pin }),
  z.object({ source: z.literal("url"), url: z.string(), ...pin }),
  z.object({ source: z.literal("git-subdir"), url: z.string(), path: z.string(), ...pin }),
]);
const KNOWN = new Set(["github", "url", "git-subdir"]);
const kindSchema = z.object({ source: z.string() });

/** The folder of a plugin in the marketplace itself, with `/`, or another repository. Throws PluginError. */
export function sourceInMarketplace(source: unknown, pluginRoot: string): string | GitAddress {
  if (typeof source === "string") return folderInMarketplace(source, pluginRoot);
  const kind = kindSchema.safeParse(source).data?.source;
  if (kind !== undefined && !KNOWN.has(kind)) throw new PluginError("source-unsupported", kind.slice(0, 40));
  const { data } = sourceSchema.safeParse(source);
  if (!data) throw new PluginError("source-invalid");
  // The commit is what counts if both are given.
  const ref = data.sha ?? data.ref;
  const url = data.source === "github" ? `https://github.com/${data.repo}.git` : data.url;
  if (!isRemote(url)) throw new PluginError("address-unsupported", url.slice(0, 200));
  const path = data.source === "git-subdir" ? folderInside(data.path) : "";
  return { kind: "git", url, path, isLocal: false, ...(ref === undefined ? {} : { ref: checkedRef(ref) }) };
}

function folderInMarketplace(source: string, pluginRoot: string): string {
  // The folder of all plugins is for names without `./`.
  const isPlain = !source.startsWith(".") && pluginRoot !== "";
  return folderInside(isPlain ? `${pluginRoot.replace(/\/+$/, "")}/${source}` : source);
}

function folderInside(path: string): string {
  const plain = path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
  if (plain === "" || plain === ".") return "";
  if (!isUsablePath(plain)) throw new PluginError("path-outside", "source", path.slice(0, 200));
  return plain;
}
