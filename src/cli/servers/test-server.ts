/** `nekode mcp test`: connects to a server, prints what it offers, and disconnects. */
import type { ServerConnection } from "../../core/ports/servers.ts";
import type { ServerDefinition, ServerOffer } from "../../core/servers/server-types.ts";
import { oneLine } from "../screen.ts";
import type { McpHost } from "./mcp-host.ts";

/** Milliseconds for the start: package runners download the server first. */
const START_TIMEOUT_MS = 60_000;

/** Rejects with ToolError if the server cannot be used, or with Interrupt. */
export async function testServer(server: ServerDefinition, host: McpHost): Promise<void> {
  const { setup, connector, screen, t, signal } = host;
  const launch = await setup.resolve(server, signal);
  const events = {
    log: (line: string) => void screen.err(`${oneLine(line)}\n`),
    changed: () => {},
    ask: async () => ({ action: "decline" as const }),
    roots: () => [],
  };
  const connection = await connector.connect(server.name, launch, events, {
    signal,
    timeoutMs: START_TIMEOUT_MS,
  });
  try {
    const { name, version, protocol } = connection.info;
    await screen.out(`${oneLine(`${name} ${version}`)} (MCP ${oneLine(protocol)})\n`);
    const offer = await offerOf(connection, signal);
    await setup.records.setLastOffer(server, offer);
    for (const [heading, items] of [
      [t("Tools"), offer.tools],
      [t("Resources"), [...offer.resources.map(named), ...offer.templates.map(named)]],
      [t("Prompts"), offer.prompts],
    ] as const) {
      await screen.out(`${heading}: ${items.length}\n`);
      for (const item of items) await screen.out(`  ${oneLine(item.name)}${described(item.description)}\n`);
    }
  } finally {
    await connection.close();
  }
}

async function offerOf(connection: ServerConnection, signal: AbortSignal): Promise<ServerOffer> {
  const { instructions } = connection.info;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    tools: await connection.tools(signal),
    resources: await connection.resources(signal),
    templates: await connection.resourceTemplates(signal),
    prompts: await connection.prompts(signal),
  };
}

/** A resource is identified by its address. */
function named(resource: { name: string } & ({ uri: string } | { uriTemplate: string })) {
  return { name: "uri" in resource ? resource.uri : resource.uriTemplate, description: resource.name };
}

/** The first line of a description. */
function described(text: string | undefined): string {
  const first = text?.trim().split("\n")[0] ?? "";
  return first === "" ? "" : `  ${oneLine(first)}`;
}
