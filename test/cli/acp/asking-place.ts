/** What `asking.test.ts` and `asking.long.test.ts` begin with. */
import path from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk";

export const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

export const FIXTURE = path.join(import.meta.dirname, "../../fixtures/servers/scripted.mjs");

export const FORMS = { elicitation: { form: {}, url: {} } };

export const command = (text: string) => ({
  answer: [{ tool: "execute_command", params: { command: text, requires_approval: false } }],
});

export const server = (pids: string): McpServer => ({
  name: "My server",
  command: process.execPath,
  args: [FIXTURE, JSON.stringify({ pids })],
  env: [],
});

export const call = (tool: string) => ({
  answer: [
    {
      tool: "use_mcp_tool",
      params: { server_name: "My-server", tool_name: tool, arguments: JSON.stringify({ a: 1 }) },
    },
  ],
});
