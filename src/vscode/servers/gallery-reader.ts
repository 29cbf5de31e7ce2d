/** Reads the list of MCP servers that the setting names, when the user opens it. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { readGallery } from "../../core/servers/config/registry-list.ts";
import { messageOf } from "../../shared/message-of.ts";
import type { GalleryServer, ServerGallery } from "../../shared/server-gallery.ts";
import type { Translate } from "../../shared/words/task-words.ts";

/** Bytes of a file or a page. */
const LIMIT = 5_000_000;
const TIMEOUT_MS = 15_000;
/** Pages that are read at most. */
const MOST_PAGES = 10;

/** Never rejects. `source`: an address or a path; "": none is configured. */
export async function readServerGallery(
  source: string,
  get: typeof fetch,
  t: Translate,
): Promise<ServerGallery> {
  const named = source.trim();
  if (named === "") return { source: "", servers: [] };
  try {
    const servers = /^https?:\/\//i.test(named)
      ? await fetched(named, get)
      : readGallery(await fileText(named)).servers;
    return { source: named, servers };
  } catch (error) {
    return { source: named, servers: [], problem: t("The list cannot be read: {0}", messageOf(error)) };
  }
}

async function fileText(named: string): Promise<string> {
  const file = named.startsWith("~/") ? path.join(homedir(), named.slice(2)) : named;
  if (!path.isAbsolute(file)) throw new Error("the path is not absolute");
  if ((await stat(file)).size > LIMIT) throw new Error("the file is too large");
  return readFile(file, "utf8");
}

async function fetched(address: string, get: typeof fetch): Promise<GalleryServer[]> {
  const servers: GalleryServer[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const url = new URL(address);
    if (cursor !== undefined) url.searchParams.set("cursor", cursor);
    const response = await get(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "follow" });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const text = await response.text();
    if (text.length > LIMIT) throw new Error("the list is too large");
    const { servers: more, next } = readGallery(text);
    servers.push(...more);
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return servers;
}
