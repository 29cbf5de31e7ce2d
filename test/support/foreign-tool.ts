/** A tool as a server offers it: with a JSON schema of its own, and a presentation that no host has seen before. */
import { defineForeignTool, type Tool, textOutput } from "../../src/core/tools/tool.ts";

/** In an order that a server unaware of ours might use. */
export const WEATHER_SCHEMA = {
  additionalProperties: false,
  type: "object",
  required: ["city"],
  properties: {
    city: { type: "string", description: "Where." },
    days: { type: "integer", minimum: 1 },
    units: { enum: ["celsius", "fahrenheit"] },
    anything: true,
  },
  $defs: { unused: { type: "null" } },
};

export function foreignTool(name: string, schema: unknown = WEATHER_SCHEMA): Tool {
  return defineForeignTool({
    name,
    presentation: {
      icon: "cloud",
      title: { doing: "Asking the weather in", done: "Asked the weather in" },
      row: "tool",
      question: "Ask the weather service?",
      found: { one: "1 cloud", many: "{0} clouds" },
    },
    access: "mcp",
    description: `Tells the weather (${name}).`,
    schema,
    subjectParam: "city",
    prepare: async (params) => ({
      paths: [],
      view: {},
      run: async () => textOutput(`Rain: ${JSON.stringify(params)}`, { text: "3" }),
    }),
  });
}
