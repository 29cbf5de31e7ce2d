/**
 * Names of servers. They are part of the names of functions (`server__tool`), which may consist of 64 letters, digits, `-` and
 * `_`, and of mentions (`@server:resource`).
 */

/** Longest name, so that half of a function's name is left for the tool. */
const LONGEST = 32;

/** Schemes of mentions of addresses. */
const RESERVED = new Set(["http", "https", "file"]);

/**
 * The name under which a configured server is used: with `-` for other characters, and without `__`, which separates server
 * and tool. undefined: nothing usable is left.
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
