/** Structured content that does not fit what its tool declares is kept, and the model is told. */
import { describe, expect, it } from "vitest";
import { OutputSchemas } from "../../../../src/node/servers/lists/output-schemas.ts";
import { connected, fixtureServer, neverAborted } from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 20_000 };
const schema = {
  type: "object",
  properties: { degrees: { type: "number" }, city: { type: "string" } },
  required: ["degrees"],
};

async function schemas(outputSchema: unknown): Promise<{ own: OutputSchemas; lines: string[] }> {
  const lines: string[] = [];
  const own = new OutputSchemas(await import("../../../../src/node/servers/mcp-sdk.ts"), {
    add: (line) => void lines.push(line),
  });
  own.add({ tools: [{ name: "weather", outputSchema }, "nonsense", { name: "other" }] });
  return { own, lines };
}

describe.each([{ modern: false }, { modern: true }])("a real server, modern: $modern", ({ modern }) => {
  const launch = (structured: unknown) =>
    fixtureServer("scripted.mjs", JSON.stringify({ modern, output: { schema, structured } }));

  it.each([
    ["fits", { degrees: 21 }, undefined],
    ["does not fit", { degrees: "warm" }, /^The structured content does not fit .*degrees.*number/],
    ["is missing", undefined, /the server sent none/],
  ])("whose content %s", async (_, structured, expected) => {
    const connection = await connected(launch(structured));
    await connection.tools(neverAborted);
    const result = await connection.callTool("structured", {}, options);
    // Whatever it is, the model gets it.
    expect(result).toMatchObject({ content: [{ type: "text", text: "the weather" }], isError: false });
    expect(result.structured).toEqual(structured);
    if (expected) expect(result.mismatch).toMatch(expected);
    else expect(result.mismatch).toBeUndefined();
  });
});

describe("a check", () => {
  it("is not made of errors, of other tools, and of tools without a schema", async () => {
    const { own } = await schemas(schema);
    expect(own.mismatch("weather", { structuredContent: { degrees: "x" }, isError: true })).toBeUndefined();
    expect(own.mismatch("other", { structuredContent: { degrees: "x" } })).toBeUndefined();
    expect(own.mismatch("weather", { structuredContent: { degrees: "x" } })).toBeDefined();
  });

  it("has a short result, without hidden characters", async () => {
    const required = Array.from({ length: 500 }, (_, index) => `key\u200b-${index}`);
    const { own } = await schemas({ type: "object", required });
    const mismatch = own.mismatch("weather", { structuredContent: {} }) ?? "";
    expect(mismatch.length).toBeLessThan(700);
    expect(mismatch).not.toContain("\u200b");
  });

  it.each([
    ["a regular expression without end", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(50)}!`],
    ["a schema that is not valid", { type: "nonsense" }, {}],
    ["a reference to nowhere", { $ref: "https://example.com/schema" }, {}],
  ])("of %s ends, says so in the log, and is not tried again", async (_, outputSchema, structuredContent) => {
    const { own, lines } = await schemas(outputSchema);
    for (let call = 0; call < 3; call++)
      expect(own.mismatch("weather", { structuredContent })).toBeUndefined();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("weather cannot be checked");
  });
});

describe("schemas that are too large", () => {
  it("are not checked, whether one is nested too deeply or all together are too many", async () => {
    const deep: unknown = JSON.parse(`{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    const { own } = await schemas(deep);
    expect(own.mismatch("weather", { structuredContent: {} })).toBeUndefined();
    const tools = Array.from({ length: 60 }, (_, index) => ({
      name: `tool-${index}`,
      outputSchema: { ...schema, description: "x".repeat(90_000) },
    }));
    own.add({ tools });
    const checked = tools.filter(({ name }) => own.mismatch(name, { structuredContent: {} }) !== undefined);
    expect(checked).toHaveLength(55);
  });
});
