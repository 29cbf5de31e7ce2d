import * as z from "../../../shared/zod.ts";
import { ToolError } from "../../errors.ts";
import { jsonInput } from "../set/tool-input.ts";
import { defineTool, type Tool } from "../tool.ts";
import { prepareServerCall, serverNamed, serversOf, serverToolNamed } from "./server-call.ts";

const definition = defineTool({
  name: "use_mcp_tool",
  presentation: {
    icon: "plug",
    title: { doing: "Using MCP tool", done: "Used MCP tool" },
    row: "tool",
    question: "Call this tool of the MCP server?",
  },
  access: "mcp",
  offered: "instead-of-functions",
  description: "Calls a tool of a server that MCP SERVERS lists.",
  guide: {
    description:
      "Calls a tool of a connected MCP server. The section MCP SERVERS has the servers and, unless there are too many, their tools with the input schema of each.",
    params: {
      server_name: "Name of the server, exactly as it is listed.",
      tool_name: "Name of the server's tool, exactly as it is listed.",
      arguments:
        "The tool's arguments: one object with the properties that the tool's input schema names. Default: no arguments.",
    },
  },
  schema: z.object({
    server_name: z.string().check(z.minLength(1), z.describe("Name of the server.")),
    tool_name: z.string().check(z.minLength(1), z.describe("Name of the server's tool.")),
    arguments: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe("As the tool's input schema says.")),
  }),
  async prepare({ server_name: serverName, tool_name: toolName, arguments: raw = {} }, context) {
    const server = serverNamed(serversOf(context), serverName.trim());
    const tool = serverToolNamed(server, toolName.trim());
    const parsed = jsonInput(tool.inputSchema).parse(raw);
    if (!parsed.ok) throw new ToolError(`${serverName}, ${toolName}: ${parsed.error}`);
    return prepareServerCall({ server, tool, args: parsed.value }, context);
  },
});

export const useMcpTool: Tool = {
  ...definition,
  subject({ server_name: server, tool_name: tool }) {
    return typeof server === "string" && typeof tool === "string" ? `${server}: ${tool}` : "";
  },
};
