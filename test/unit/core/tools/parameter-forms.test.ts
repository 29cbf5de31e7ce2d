/** Under the XML protocol, the documentation alone says which values a parameter takes. */
import { describe, expect, it } from "vitest";
import { formOf } from "../../../../src/core/assistant/field-shapes.ts";
import { isRecord } from "../../../../src/core/assistant/record.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import type { Tool } from "../../../../src/core/tools/tool.ts";
import { foreignTool } from "../../../support/foreign-tool.ts";

const registry = new ToolRegistry();
registry.add(foreignTool("weather"));

/** The line of the documentation that describes the parameter. */
function lineOf(tool: Pick<Tool, "name">, param: string): string {
  const text = registry.documentation();
  const section = text.slice(text.indexOf(`## ${tool.name}\n`));
  return new RegExp(`^- ${param}: .*$`, "m").exec(section)?.[0] ?? "";
}

const params = registry.tools.flatMap((tool) => {
  const { properties } = tool.input.schema;
  return Object.entries(isRecord(properties) ? properties : {}).map(
    ([name, shape]) => [`${tool.name}.${name}`, tool, name, isRecord(shape) ? shape : {}] as const,
  );
});

describe("a parameter under the XML protocol", () => {
  it.each(params)("%s shows its values unless it takes any text", (_, tool, name, shape) => {
    const line = lineOf(tool, name);
    expect(line).toMatch(/^- \w+: \((?:required|optional)[;)]/);
    for (const value of Array.isArray(shape.enum) ? shape.enum : []) expect(line).toContain(String(value));
    const words: Record<string, string> = {
      boolean: "true or false)",
      number: "a number",
      integer: "a whole number",
      array: "a JSON array",
      object: "a JSON object",
    };
    if (typeof shape.type === "string") expect(line).toContain(words[shape.type] ?? "");
  });

  it("shows what reference documents list", () => {
    expect(lineOf({ name: "browser_action" }, "action")).toContain(
      "(required; one of launch, click, type, scroll_down, scroll_up, close)",
    );
    expect(lineOf({ name: "ask_followup_question" }, "options")).toContain(
      '(optional; a JSON array of texts, at most 5 of them, such as ["first", "second"])',
    );
    expect(lineOf({ name: "execute_command" }, "timeout")).toContain("(optional; a number from 1 to 86400)");
  });
});

it.each([
  [{ type: "string" }, ""],
  [{ type: ["string", "null"] }, "a text or null"],
  [{ enum: ["a", "b"] }, "one of a, b"],
  [{ const: 3 }, "one of 3"],
  [{ type: "array", items: { enum: ["x", "y", "z"] } }, 'a JSON array of "x", "y", "z", such as ["x","y"]'],
  [{ type: "array", items: { type: "object" } }, "a JSON array of objects"],
  [{ type: "object" }, "a JSON object"],
  [{ type: "string", format: "date" }, "a text of the form date"],
  [{ type: "string", pattern: "^a" }, "a text that matches ^a"],
  [{ anyOf: [{ type: "string" }, { type: "integer" }] }, "a text or a whole number"],
  [{ type: "integer", minimum: 1, maximum: 9 }, "a whole number from 1 to 9"],
])("%j is written as %j", (shape, form) => {
  expect(formOf(shape)).toBe(form);
});
