import * as z from "../../../shared/zod.ts";
import { ToolError } from "../../errors.ts";
import { defineTool, textOutput } from "../tool.ts";
import { serverNamed, serversOf } from "./server-call.ts";
import { keptResultsOf, readingOn, serverOutput } from "./server-output.ts";

export const accessMcpResource = defineTool({
  name: "access_mcp_resource",
  presentation: {
    icon: "database",
    title: { doing: "Reading MCP resource", done: "Read MCP resource" },
    row: "tool",
    question: "Read this resource of the MCP server?",
  },
  access: "mcp",
  description:
    "Reads a resource of an MCP server, or the rest of a server's long result, at the address it names.",
  guide: {
    description:
      "Reads a resource that a connected MCP server offers, such as a file, a record or an answer of an API. It also reads the rest of a server's long result, at the address that the result names.",
    params: {
      server_name: "Name of the server, exactly as it is listed.",
      uri: "The resource's URI, as listed; for a template, with its variables filled in.",
    },
  },
  schema: z.object({
    server_name: z.string().check(z.minLength(1), z.describe("Name of the server.")),
    uri: z
      .string()
      .check(z.minLength(1), z.describe("The resource's URI; for a template, with its variables filled in.")),
  }),
  subjectParam: "uri",
  async prepare({ server_name: serverName, uri: given }, context) {
    const uri = given.trim();
    const limit = context.settings().context.maxResultCharacters;
    const stored = keptResultsOf(context).read(uri, limit, readingOn(serverName));
    if (stored !== undefined) {
      // The user approved the call that returned this result.
      return {
        paths: [],
        server: { always: true, reading: true, changed: false, destructive: false },
        view: {},
        run: async () => textOutput(stored),
      };
    }
    if (uri.startsWith("nekode:"))
      throw new ToolError(`The result at ${uri} is no longer kept. Repeat the call that returned it.`);
    const servers = serversOf(context);
    const { definition } = serverNamed(servers, serverName.trim());
    const { name } = definition;
    return {
      paths: [],
      server: { always: false, reading: false, changed: false, destructive: false },
      view: { server: { name, resource: uri } },
      async run({ signal, ask }) {
        const user = { session: context.sessionId(), ask };
        const content = await servers.readResource(user, name, uri, signal);
        return serverOutput({ content, isError: false }, name, context);
      },
    };
  },
});
