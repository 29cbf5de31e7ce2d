import * as z from "../../../shared/zod.ts";
import { defineTool, textOutput } from "../tool.ts";

export const loadMcpDocumentation = defineTool({
  name: "load_mcp_documentation",
  presentation: {
    icon: "book",
    title: { doing: "Loading MCP documentation", done: "Loaded MCP documentation" },
    row: "tool",
  },
  access: "talk",
  description: "Returns instructions on adding an MCP server. Only on request.",
  guide: {
    description:
      "Returns instructions on writing and registering an MCP server. Use it when the user wants to add one.",
  },
  schema: z.object({}),
  async prepare(_params, context) {
    return {
      paths: [],
      view: {},
      run: async () => textOutput(documentation(context.servers?.userFile)),
    };
  },
});

/** The example is run by a test. */
function documentation(userFile: string | undefined): string {
  return `# MCP servers

An MCP server is a program that offers tools, resources and prompts over the Model Context Protocol. Nekode starts local servers itself and talks to them through standard input and output; remote servers have an address.

## Look for an existing server first

Many services have an official server, published as an npm or Python package (run with npx or uvx) or as a remote address. Prefer it to a new one, and tell the user where it comes from. Install nothing without asking.

## Write a server in TypeScript or JavaScript

Create a project of its own outside the user's project, unless the user wants it there. It needs Node.js 20 or later and two packages: @modelcontextprotocol/server and zod. With "type": "module" in its package.json, this is a complete server:

\`\`\`js
${EXAMPLE}
\`\`\`

- A tool has a name, a description that tells a model when to use it, and an input schema. Describe every parameter.
- A result is a list of parts: text, images ({ type: "image", data, mimeType } with Base64 data) or resources. Return isError: true with a text that says what went wrong and what to do; do not let the server exit.
- annotations are hints: readOnlyHint for tools that change nothing, destructiveHint for tools that delete or overwrite.
- server.registerResource offers data under a URI, server.registerPrompt offers prompts that the user can choose.
- Standard output belongs to the protocol. Log to standard error only (console.error).
- A server must work without questions at its start. Take secrets from environment variables, never from the code.
- Check it before you register it: node --check, then a start with its input closed must end without an error.

In Python, the official SDK is the package mcp; FastMCP in it defines a tool as a decorated function.

## Register it

Servers are configured in a JSON file. ${userFile === undefined ? "" : `The user's own file is ${userFile}: its servers are available in every project. `}A project can have a .mcp.json with the same format at its top; Nekode asks the user before it starts a project's server.

\`\`\`json
{
  "mcpServers": {
    "weather": {
      "command": "node",
      "args": ["/absolute/path/to/weather/index.js"],
      "env": { "WEATHER_API_KEY": "\${env:WEATHER_API_KEY}" }
    },
    "remote": {
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer \${env:EXAMPLE_TOKEN}" }
    }
  }
}
\`\`\`

- Keep the entries that are already in the file.
- command is a program, args its arguments; use absolute paths for files. cwd sets the folder in which it starts.
- \${env:NAME} stands for an environment variable, \${workspaceFolder} for the project's folder. Write no secret into the file: ask the user to set an environment variable.
- disabled: true switches a server off, timeout is the limit for one call in seconds. Leave autoApprove empty: what runs without asking is the user's decision.

The file is read again when it changes. A new server's tools are available from the user's next message on. If it does not start, Nekode's list of servers shows the error and its log.`;
}

export const EXAMPLE = `import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const server = new McpServer({ name: "weather", version: "1.0.0" });

server.registerTool(
  "forecast",
  {
    description: "Returns the weather forecast for a city.",
    inputSchema: z.object({ city: z.string().describe("Name of the city.") }),
    annotations: { readOnlyHint: true },
  },
  async ({ city }) => ({ content: [{ type: "text", text: \`Sunny in \${city}.\` }] }),
);

await server.connect(new StdioServerTransport());`;
