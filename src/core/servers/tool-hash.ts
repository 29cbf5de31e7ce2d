/** Identifies the definition of a server's tool, to notice that it changed after the user accepted it. */
import { sha256 } from "../checksums.ts";
import type { ServerTool } from "../ports/servers.ts";

/** The same for definitions that differ only in the order of keys. */
export function hashOfTool({ name, title, description, inputSchema, hints }: ServerTool): Promise<string> {
  const text = canonicalJson([name, title ?? "", description, inputSchema, hints]);
  return sha256(new TextEncoder().encode(text));
}

/** JSON with the keys of each object sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
