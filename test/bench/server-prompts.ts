/** What the tools of MCP servers add to a prompt. */

import { estimateTokens } from "../../src/core/context/tokens.ts";
import { tooMany } from "../../src/core/loop/task-servers.ts";
import { TaskPrompt } from "../../src/core/prompts/sections.ts";
import { ToolRegistry } from "../../src/core/tools/registry.ts";
import { followServers } from "../../src/core/tools/servers/server-tools.ts";
import { TaskTools } from "../../src/core/tools/set/task-tools.ts";
import { wordingFor } from "../../src/core/tools/set/tool-set.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { memoryHost } from "../support/memory-host.ts";
import { memoryServers, serverTool } from "../support/memory-servers.ts";

/** Tools of one server, with schemas of the size that published servers have. */
function tools(server: number) {
  const text = (description: string) => ({ type: "string", description });
  return Array.from({ length: 20 }, (_, tool) =>
    serverTool(`handle_case_${server}_${tool}`, {
      description: `Handles case ${tool} of the service and returns its record. Use it when the user asks for the state of a case.`,
      inputSchema: {
        type: "object",
        properties: {
          id: text("The record's id, as another tool returned it."),
          query: text("Words that the record must contain."),
          limit: { type: "integer", minimum: 1, maximum: 100, description: "Records in the answer." },
          fields: { type: "array", items: { type: "string" }, description: "Fields to include." },
        },
        required: ["id"],
      },
    }),
  );
}

/** Bytes of the system prompt and the function schemas, with and without 200 tools of ten servers. */
export async function promptSizes(): Promise<Record<string, { bytes: number; tokens: number }>> {
  const servers = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [`service${n}`, { tools: tools(n) }]),
  );
  const { project } = memoryServers({ servers });
  await project.prepare("bench", new AbortController().signal, () => undefined);
  const { host } = memoryHost();
  const plain = new ToolRegistry();
  const full = new ToolRegistry();
  followServers(full, project, host.log);
  const of = (registry: ToolRegistry, protocol: "native" | "xml", contextWindow: number) => {
    const set = new TaskTools(registry);
    set.take((all) => tooMany(all, contextWindow));
    const prompt = new TaskPrompt({
      host,
      settings: () => settingsSchema.parse({}),
      registry: set,
      rules: () => "",
      agent: () => undefined,
    });
    const wording = wordingFor(contextWindow);
    const functions = protocol === "native" ? JSON.stringify(set.native(wording)) : "";
    const text = prompt.text(protocol, wording) + functions;
    return { bytes: Buffer.byteLength(text), tokens: estimateTokens(text) };
  };
  const large = 10_000_000;
  const small = 16_000;
  const sizes = {
    "native, no server": of(plain, "native", large),
    "native, no server, small window": of(plain, "native", small),
    "native, 200 tools as functions": of(full, "native", large),
    "native, 200 tools deferred": of(full, "native", 128_000),
    "XML, no server": of(plain, "xml", large),
    "XML, no server, small window": of(plain, "xml", small),
    "XML, 200 tools with schemas": of(full, "xml", large),
    "XML, 200 tools deferred": of(full, "xml", 128_000),
  };
  await project.close();
  return sizes;
}

export function promptSizesText(sizes: Record<string, { bytes: number; tokens: number }>): string {
  const lines = Object.entries(sizes).map(
    ([name, { bytes, tokens }]) => `  ${name}: ${bytes} bytes, about ${tokens} tokens`,
  );
  return ["prompt of a request, without the conversation", ...lines].join("\n");
}
