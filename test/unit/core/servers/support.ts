/** Servers as a configuration file gives them, and a place for secrets. */
import type { Secrets } from "../../../../src/core/ports/servers.ts";
import { parseServerFile, type ServerFile } from "../../../../src/core/servers/config/configuration.ts";
import type { ServerDefinition } from "../../../../src/core/servers/server-types.ts";

/** The only server of a file with this entry. */
export function serverOf(
  entry: Record<string, unknown>,
  { inputs = [], ...file }: Partial<ServerFile> & { inputs?: unknown[]; name?: string } = {},
): ServerDefinition {
  const { name = "one", ...rest } = file;
  const text = JSON.stringify({ mcpServers: { [name]: entry }, inputs });
  const given = { source: "project" as const, file: "/project/.mcp.json", folder: "/project", text, ...rest };
  const { servers, problems } = parseServerFile(given);
  const [server] = servers;
  if (!server) throw new Error(JSON.stringify(problems));
  return server;
}

export class MemorySecrets implements Secrets {
  readonly values = new Map<string, string>();

  async get(name: string): Promise<string | undefined> {
    return this.values.get(name);
  }

  async set(name: string, value: string): Promise<void> {
    this.values.set(name, value);
  }

  async delete(name: string): Promise<void> {
    this.values.delete(name);
  }
}
