import * as z from "zod";
import { nearestNames } from "../../assistant/tool-names.ts";
import type { ServerTool } from "../../ports/servers.ts";
import type { OfferedServer } from "../../servers/project-servers.ts";
import { defineTool, textOutput } from "../tool.ts";
import { serversOf } from "./server-call.ts";
import { describeServerTool } from "./server-listing.ts";

/** Tools that one answer describes. */
const MAX_TOOLS = 10;

interface Found {
  server: string;
  tool: ServerTool;
  score: number;
}

export const findTools = defineTool({
  name: "find_tools",
  face: {
    icon: "search",
    title: { doing: "Finding tools", done: "Found tools" },
    row: "tool",
    found: { one: "1 tool", many: "{0} tools" },
  },
  access: "talk",
  offered: "deferred",
  description:
    "Finds tools of the connected MCP servers by what they do, and shows their input schemas. The servers have too many tools to list them all; use_mcp_tool calls what this tool finds.",
  guide: {
    description:
      "Finds tools of the connected MCP servers by what they do and shows their input schemas. The servers have too many tools to list them all here. Call what it finds with use_mcp_tool.",
    params: {
      query:
        "The name of a server or tool, or a few words for what the tool should do. The name of a server alone lists its tools.",
    },
  },
  schema: z.object({
    query: z
      .string()
      .min(1)
      .describe(
        "A server's or tool's name, or words for what the tool does. The name of a server alone lists its tools.",
      ),
  }),
  subjectParam: "query",
  async prepare({ query }, context) {
    const servers = serversOf(context);
    return {
      paths: [],
      view: {},
      async run() {
        const found = matching(servers.offered, query);
        const shown = found.slice(0, MAX_TOOLS);
        if (shown.length === 0) return textOutput(nothing(servers.offered, query), { text: "0" });
        const texts = shown.map(({ server, tool }) => `## ${server}\n${describeServerTool(tool)}`);
        const rest = found.slice(MAX_TOOLS).map(({ server, tool }) => `${server}: ${tool.name}`);
        if (rest.length > 0) texts.push(`Also matching, by name only: ${rest.join(", ")}`);
        return textOutput(texts.join("\n\n"), { text: String(found.length) });
      },
    };
  },
});

function matching(servers: readonly OfferedServer[], query: string): Found[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return servers
    .flatMap(({ definition, offer, choices }) =>
      offer.tools
        .filter(({ name }) => !choices.off.includes(name))
        .map((tool) => ({ server: definition.name, tool, score: score(words, definition.name, tool) })),
    )
    .filter((found) => found.score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
}

/** How well the tool matches: words in names count more than words in descriptions. */
function score(
  words: readonly string[],
  server: string,
  { name, title = "", description }: ServerTool,
): number {
  const names = `${name} ${title}`.toLowerCase();
  const text = description.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (names.includes(word)) sum += 3;
    else if (server.toLowerCase().includes(word)) sum += 2;
    else if (text.includes(word)) sum += 1;
  }
  return sum;
}

function nothing(servers: readonly OfferedServer[], query: string): string {
  const names = servers.map(({ definition }) => definition.name);
  const tools = servers.flatMap(({ offer }) => offer.tools.map(({ name }) => name));
  const near = nearestNames(query, [...names, ...tools]);
  const hint = near.length > 0 ? ` Similar names: ${near.join(", ")}.` : "";
  return `No tool matches ${JSON.stringify(query)}.${hint} Servers: ${names.join(", ")}. The name of a server lists its tools.`;
}
