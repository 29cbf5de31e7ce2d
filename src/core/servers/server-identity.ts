/** What identifies a server: its name, and the address of a remote one. Whether it may run: `server-records.ts`. */
import { ToolError } from "../errors.ts";
import { inputsIn, resolveLaunch, type VariableSources } from "./config/variables.ts";
import type { ServerDefinition } from "./server-types.ts";

/** The part of an address that identifies a server: two servers with the same one share their sign-in. */
export function addressKey(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = "";
  return url.href;
}

/**
 * The URL of a remote server; undefined: it is a local one, or a value in the URL is not known. `sources.input` must reject with
 * ToolError instead of asking the user.
 */
export async function urlOf(server: ServerDefinition, sources: VariableSources): Promise<string | undefined> {
  if (server.launch.type === "stdio") return undefined;
  const launch = { ...server.launch, headers: {} };
  const ids = inputsIn(launch);
  const inputs = server.inputs.filter(({ id }) => ids.includes(id));
  try {
    const resolved = await resolveLaunch(
      { ...server, launch, inputs },
      sources,
      new AbortController().signal,
    );
    return resolved.type === "stdio" ? undefined : resolved.url;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Longest name, so that half of a function's name is left for the tool. */
const LONGEST = 32;

/** Schemes of mentions of addresses. */
const RESERVED = new Set(["http", "https", "file"]);

/**
 * The name under which a configured server is used: with `-` for other characters, and without `__`, which separates server
 * and tool. undefined: nothing usable is left. Names are part of the names of functions (`server__tool`), which may consist of
 * 64 letters, digits, `-` and `_`, and of mentions (`@server:resource`).
 */
export function serverName(configured: string): string | undefined {
  const plain = configured
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/_{2,}/g, "_")
    // Uses the end of a name such as github.com/owner/servers/memory, which is the most specific part.
    .slice(-LONGEST)
    .replace(/^[-_]+|[-_]+$/g, "");
  return plain === "" || RESERVED.has(plain.toLowerCase()) ? undefined : plain;
}
