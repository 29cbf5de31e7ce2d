/** Loads the MCP SDK, which is a bundle of its own, when the first server connects. */

export type McpSdk = typeof import("./mcp-sdk.ts");

export function loadSdk(): Promise<McpSdk> {
  return import("./mcp-sdk.ts");
}
