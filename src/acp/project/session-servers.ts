/** MCP servers that an editor passes with a session: they count as the user's own, for that session. */
import { DEFAULT_TIMEOUT } from "../../core/servers/config/server-schema.ts";
import { serverName } from "../../core/servers/server-identity.ts";
import type { ServerConfig, ServerDefinition } from "../../core/servers/server-types.ts";

export interface PassedServer {
  /** As the editor names it. */
  name: string;
  launch: ServerDefinition["launch"];
}

/** Makes the names usable. Throws if a name has no usable characters, or if two servers have the same name. */
export function definitionsOf(passed: readonly PassedServer[], folder: string): ServerDefinition[] {
  const names = new Set<string>();
  return passed.map(({ name: configuredName, launch }) => {
    const name = serverName(configuredName);
    if (name === undefined)
      throw new Error(`the MCP server name ${JSON.stringify(configuredName)} has no usable characters`);
    if (names.has(name)) throw new Error(`two MCP servers are named ${name}`);
    names.add(name);
    return {
      name,
      ...(name === configuredName ? {} : { configuredName }),
      source: "user",
      file: "",
      line: 0,
      launch,
      inputs: [],
      folder,
      disabled: false,
      autoApprove: [],
      timeoutMs: DEFAULT_TIMEOUT * 1000,
    };
  });
}

/** The configured servers and those of the session, which replace configured ones of the same name. */
export function withSessionServers(config: ServerConfig, own: readonly ServerDefinition[]): ServerConfig {
  if (own.length === 0) return config;
  const names = new Set(own.map(({ name }) => name));
  return {
    onChange: (listener) => config.onChange(listener),
    async load() {
      const { servers, problems } = await config.load();
      return { servers: [...own, ...servers.filter(({ name }) => !names.has(name))], problems };
    },
  };
}
