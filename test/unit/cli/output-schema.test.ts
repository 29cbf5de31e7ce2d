/** The file that `--output-schema` names: what is wrong with it, and where. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requiredOutput } from "../../../src/cli/output/output-schema.ts";
import { schemaValidator } from "../../../src/cli/output/schema-validator.ts";
import { underProperty } from "../../../src/core/tools/set/schema-references.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-schema-"));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["is missing", undefined, "the file cannot be read: ENOENT"],
  ["is not JSON", '{\n  "type": "object",\n  "properties" {}\n}', "line 3: the file is not valid JSON: "],
  ["has a comma too many", '{\n  "type": "object",\n}\n', "line 3: the file is not valid JSON: "],
  ["is cut off", '{\n  "type": "object",\n', "line 2: the file is not valid JSON: "],
  ["is empty", "", "line 1: the file is not valid JSON: "],
  ["is no object", "[]", "a JSON schema must be an object, not []"],
  [
    "is no schema",
    '{"properties": {"a": {"type": "text"}}}',
    "this is not a valid JSON schema: /properties/a/type must be equal to one of the allowed values",
  ],
  [
    "is of an unknown version",
    '{"$schema": "http://json-schema.org/draft-04/schema#"}',
    "this is not a valid JSON schema: /$schema must be one of https://json-schema.org/draft/2020-12/schema, ",
  ],
  [
    "refers to nothing",
    '{"$ref": "#/$defs/none"}',
    "this is not a valid JSON schema: can't resolve reference #/$defs/none",
  ],
  ["has a bad pattern", '{"pattern": "("}', "this is not a valid JSON schema: Invalid regular expression"],
])("a file that %s", async (name, text, words) => {
  const file = path.join(folder, `${name.replaceAll(" ", "-")}.json`);
  if (text !== undefined) await writeFile(file, text);
  await expect(requiredOutput(file)).rejects.toThrow(`--output-schema ${file}: ${words}`);
});

it.each([
  "https://json-schema.org/draft/2020-12/schema",
  "https://json-schema.org/draft/2019-09/schema",
  "http://json-schema.org/draft-07/schema#",
])("version %s is checked, with what is wrong and where", ($schema) => {
  const check = schemaValidator({
    ...{ $schema, type: "object", additionalProperties: false },
    properties: { list: { type: "array", items: { enum: ["a", "b"] } }, mail: { format: "email" } },
  });
  expect(check({ list: ["a"], mail: "not one" })).toBeUndefined();
  expect(check({ list: ["c"], more: 1 })).toBe(
    'the value must NOT have additional properties: "more"; /list/0 must be equal to one of the allowed values: ["a","b"]',
  );
  expect(check(Array.from({ length: 3 }))).toBe("the value must be object");
});

it("a list of many faults is cut, and says so", () => {
  const check = schemaValidator({ items: { type: "string" } });
  expect(check([...Array(10).keys()])).toMatch(/^\/0 must be string; .*; \/7 must be string; and 2 more$/);
});

it("references of a schema that is part of another one are from that one's root, and data stays", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://example.com/answer",
    properties: {
      enum: { $ref: "#" },
      $ref: { $ref: "#/$defs/a" },
      far: { $ref: "https://example.com/x#/a" },
    },
    anyOf: [{ $ref: "#/$defs/a" }, { const: { $ref: "#" } }],
    default: { $ref: "#" },
    $defs: { a: { enum: [{ $ref: "#" }] } },
  };
  expect(underProperty(schema, "output")).toEqual({
    properties: {
      enum: { $ref: "#/properties/output" },
      $ref: { $ref: "#/properties/output/$defs/a" },
      far: { $ref: "https://example.com/x#/a" },
    },
    anyOf: [{ $ref: "#/properties/output/$defs/a" }, { const: { $ref: "#" } }],
    default: { $ref: "#" },
    $defs: { a: { enum: [{ $ref: "#" }] } },
  });
});
