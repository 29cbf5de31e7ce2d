import * as z from "../../../shared/zod.ts";
import { nearestNames } from "../../assistant/tool-names.ts";
import type { OfferedServer } from "../../servers/project-servers.ts";
import { sliceWhole } from "../../text.ts";
import { defineTool, textOutput } from "../tool.ts";
import { type NamedTool, rankTools } from "./rank-tools.ts";
import { serversOf } from "./server-call.ts";
import { describeServerTool } from "./server-listing.ts";

/** Tools that one answer describes whole, and characters of these descriptions; the best one is always whole. */
const WHOLE_TOOLS = 3;
const WHOLE_CHARACTERS = 8_000;
/** Further tools that it names, and characters of what it says about each. */
const NAMED_TOOLS = 30;
const LINE = 120;

export const findTools = defineTool({
  name: "find_tools",
  presentation: {
    icon: "search",
    title: { doing: "Finding tools", done: "Found tools" },
    row: "tool",
    found: { one: "1 tool", many: "{0} tools" },
  },
  access: "talk",
  reaches: "servers",
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
      .check(
        z.minLength(1),
        z.describe(
          "A server's or tool's name, or words for what the tool does. The name of a server alone lists its tools.",
        ),
      ),
  }),
  subjectParam: "query",
  async prepare({ query }, context) {
    const servers = serversOf(context);
    return {
      paths: [],
      view: {},
      async run() {
        const found = rankTools(offeredTools(servers.offered), query);
        if (found.length === 0) return textOutput(nothing(servers.offered, query), { text: "0" });
        return textOutput(described(found), { text: String(found.length) });
      },
    };
  },
});

function offeredTools(servers: readonly OfferedServer[]): NamedTool[] {
  return servers.flatMap(({ definition, offer, choices }) =>
    offer.tools
      .filter(({ name }) => !choices.off.includes(name))
      .map((tool) => ({ server: definition.name, tool })),
  );
}

function described(found: readonly NamedTool[]): string {
  const texts: string[] = [];
  let size = 0;
  for (const { server, tool } of found.slice(0, WHOLE_TOOLS)) {
    const text = `## ${server}\n${describeServerTool(tool)}`;
    size += text.length;
    if (texts.length > 0 && size > WHOLE_CHARACTERS) break;
    texts.push(text);
  }
  const rest = found.slice(texts.length);
  if (rest.length > 0) {
    const lines = rest.slice(0, NAMED_TOOLS).map(lineOf);
    const more = rest.length - lines.length;
    const left = more > 0 ? [`(${more} more)`] : [];
    const how = "Other tools that match. To see the input schema of one, search for its name:";
    texts.push([how, ...lines, ...left].join("\n"));
  }
  return texts.join("\n\n");
}

function lineOf({ server, tool }: NamedTool): string {
  const about = tool.description.replace(/\s+/g, " ").trim();
  const short = about.length > LINE ? `${sliceWhole(about, 0, LINE - 1)}…` : about;
  return `- ${server}: ${tool.name}${short === "" ? "" : `: ${short}`}`;
}

function nothing(servers: readonly OfferedServer[], query: string): string {
  const names = servers.map(({ definition }) => definition.name);
  const tools = servers.flatMap(({ offer }) => offer.tools.map(({ name }) => name));
  const near = nearestNames(query, [...names, ...tools]);
  const hint = near.length > 0 ? ` Similar names: ${near.join(", ")}.` : "";
  return `No tool matches ${JSON.stringify(query)}.${hint} Servers: ${names.join(", ")}. The name of a server lists its tools.`;
}
