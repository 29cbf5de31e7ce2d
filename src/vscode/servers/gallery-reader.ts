/** Reads the list of MCP servers that the setting names, when the user opens it. */
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { joinedBytes } from "../../core/bytes.ts";
import { readGallery } from "../../core/servers/config/registry-list.ts";
import { codeOf } from "../../node/files/fs-errors.ts";
import { messageOf } from "../../shared/message-of.ts";
import type { GalleryServer, ServerGallery } from "../../shared/server-gallery.ts";
import type { Translate } from "../../shared/words/task-words.ts";

/** Megabytes of a file or a page. */
const LIMIT_MB = 5;
const LIMIT = LIMIT_MB * 1_000_000;
const TIMEOUT_SECONDS = 15;
/** Pages that are read at most. */
const MOST_PAGES = 10;

/** Why a list cannot be read, in the user's language. */
class Unreadable extends Error {}

/** Never rejects. What was read before a page failed is in the list. `source`: an address or a path; "": none is configured. */
export async function readServerGallery(
  source: string,
  get: typeof fetch,
  t: Translate,
): Promise<ServerGallery> {
  const named = source.trim();
  if (named === "") return { source: "", servers: [] };
  /** By name: of several entries for one server, the first. */
  const byName = new Map<string, GalleryServer>();
  const whole = () => ({ source: named, servers: [...byName.values()] });
  try {
    const pages = /^https?:\/\//i.test(named) ? fetched(named, get, t) : fileText(named, t);
    for await (const page of pages)
      for (const server of page) if (!byName.has(server.name)) byName.set(server.name, server);
    return whole();
  } catch (error) {
    const problem =
      error instanceof Unreadable ? error.message : t("The list cannot be read: {0}", messageOf(error));
    return { ...whole(), problem };
  }
}

async function* fileText(named: string, t: Translate): AsyncGenerator<GalleryServer[]> {
  const file = named.startsWith("~/") ? path.join(homedir(), named.slice(2)) : named;
  if (!path.isAbsolute(file))
    throw new Unreadable(t("The setting must be an address with http or https, or the full path of a file."));
  const handle = await open(file).catch((error: unknown) => {
    throw codeOf(error) === "ENOENT" ? new Unreadable(t("The file does not exist.")) : error;
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Unreadable(t("It is not a file."));
    if (stat.size > LIMIT) throw tooLarge(t);
    yield pageOf(await handle.readFile("utf8"), t).servers;
  } finally {
    await handle.close();
  }
}

async function* fetched(address: string, get: typeof fetch, t: Translate): AsyncGenerator<GalleryServer[]> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { servers, next } = pageOf(await pageText(address, cursor, get, t), t);
    yield servers;
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
}

async function pageText(
  address: string,
  cursor: string | undefined,
  get: typeof fetch,
  t: Translate,
): Promise<string> {
  if (!URL.canParse(address)) throw new Unreadable(t("It is not a valid address."));
  const url = new URL(address);
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
  try {
    const response = await get(url, { signal, redirect: "follow" });
    if (!response.ok) throw new Unreadable(t("The server answered with HTTP {0}.", response.status));
    return await boundedText(response, t);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(
      signal.aborted
        ? t("The server did not answer within {0} seconds.", TIMEOUT_SECONDS)
        : t("The server cannot be reached: {0}", causeOf(error)),
    );
  }
}

async function boundedText({ body }: Response, t: Translate): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (size > LIMIT) throw tooLarge(t);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(joinedBytes(chunks));
}

function pageOf(text: string, t: Translate): ReturnType<typeof readGallery> {
  try {
    // A byte order mark is no part of JSON.
    return readGallery(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Unreadable(
      error instanceof SyntaxError
        ? t("The content is not JSON.")
        : t("The content is not a list in the format of the MCP registry."),
    );
  }
}

const tooLarge = (t: Translate): Unreadable => new Unreadable(t("The list is larger than {0} MB.", LIMIT_MB));

/** `fetch` says why in the cause alone. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) ?? messageOf(cause ?? error);
}
