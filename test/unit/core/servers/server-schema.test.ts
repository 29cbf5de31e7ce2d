/** The schema that ships for completion in the editor is that of the parser. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseServerFile } from "../../../../src/core/servers/config/configuration.ts";
import { serverEntrySchema, serverFileSchema } from "../../../../src/core/servers/config/server-schema.ts";

const repository = path.join(import.meta.dirname, "../../../..");
const SHIPPED = path.join(repository, "media/mcp.schema.json");

const manifest = z
  .object({
    contributes: z.object({
      jsonValidation: z.array(z.object({ fileMatch: z.array(z.string()), url: z.string() })),
    }),
  })
  .parse(JSON.parse(readFileSync(path.join(repository, "package.json"), "utf8")));

describe("the shipped schema", () => {
  it("derives from the parser's (vitest -u writes it)", async () => {
    const schema = z.toJSONSchema(serverFileSchema, { target: "draft-7", io: "input" });
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(SHIPPED);
  });

  it("describes each key", () => {
    const { properties } = z.toJSONSchema(serverEntrySchema, { io: "input" });
    const undescribed = Object.entries(properties ?? {}).filter(
      ([, property]) => typeof property !== "object" || !property.description,
    );
    expect(Object.keys(properties ?? {}).length).toBeGreaterThan(9);
    expect(undescribed).toEqual([]);
  });

  it("applies to the user's file and to .mcp.json, and leaves VS Code's own file to VS Code", () => {
    const [validation, ...more] = manifest.contributes.jsonValidation;
    expect(more).toEqual([]);
    expect(path.resolve(repository, validation?.url ?? "")).toBe(SHIPPED);
    // As VS Code reads them: `**/` is any folder, and a name alone is one in any folder.
    const matches = (file: string) =>
      validation?.fileMatch.some((pattern) => file.endsWith(`/${pattern.replace(/^\*\*\//, "")}`));
    expect(matches("/home/me/.config/nekode/mcp.json")).toBe(true);
    expect(matches("/Users/me/Library/Application Support/nekode/mcp.json")).toBe(true);
    expect(matches("/project/.mcp.json")).toBe(true);
    expect(matches("/project/.vscode/mcp.json")).toBe(false);
  });

  it("knows every key that the parser knows", () => {
    const example = {
      type: "stdio",
      command: "x",
      args: ["a"],
      env: { A: "b" },
      cwd: "c",
      disabled: false,
      autoApprove: ["t"],
      timeout: 5,
    };
    const text = JSON.stringify({ mcpServers: { a: example } });
    expect(parseServerFile({ source: "user", file: "/mcp.json", text }).problems).toEqual([]);
    expect(serverFileSchema.safeParse(JSON.parse(text)).success).toBe(true);
  });
});
