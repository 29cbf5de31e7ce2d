import type { Script, ScriptPart } from "../server.ts";

/** Calls these tools of one MCP server, one an answer, and completes. */
export function serversScript(server: string, calls: readonly [tool: string, args: object][]): Script {
  const answers = calls.map(([tool, args]): ScriptPart[] => [
    {
      tool: "use_mcp_tool",
      params: { server_name: server, tool_name: tool, arguments: JSON.stringify(args) },
    },
  ]);
  const last: ScriptPart[] = [{ tool: "attempt_completion", params: { result: "All tools were tried." } }];
  return { turns: [...answers, last].map((answer, index) => ({ match: { request: index + 1 }, answer })) };
}
