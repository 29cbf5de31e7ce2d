/** Schemas of servers' tools that endpoints refuse. */
import { expect, it } from "vitest";
import { schemaFault } from "../../../src/node/servers/lists/schema-fault.ts";

const object = (properties: unknown, more = {}) => ({ type: "object", properties, ...more });
let deep: object = { type: "string" };
for (let level = 0; level < 100; level++) deep = { type: "array", items: deep };

it.each<[unknown, string | undefined]>([
  [{ type: "object" }, undefined],
  [object({ a: { type: ["string", "null"], enum: ["b", null] }, b: true }, { required: ["a"] }), undefined],
  [object({ a: { type: "array" }, b: { type: "array", items: [{ type: "string" }, {}] } }), undefined],
  [object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: { type: "object" } } }), undefined],
  [object({}, { additionalProperties: false, anyOf: [{ required: ["a"] }] }), undefined],
  // Properties that have the names of keywords.
  [object({ type: { type: "string" }, required: { type: "boolean" }, items: { type: "array" } }), undefined],
  ["text", "the schema is not a schema"],
  [object(["a"]), "the schema, properties is not a schema"],
  [object({ a: "string" }), "the schema, a is not a schema"],
  [object({ a: null }), "the schema, a is not a schema"],
  [object({ a: { type: "banana" } }), "the schema, a has an unknown type"],
  [object({ a: { type: 5 } }), "the schema, a has an unknown type"],
  [
    object({ a: object({ b: { type: "array", items: "string" } }) }),
    "the schema, a, b, items is not a schema",
  ],
  [object({}, { required: "a" }), 'the schema has a wrong "required"'],
  [object({ a: { required: true } }), 'the schema, a has a wrong "required"'],
  [object({ a: { enum: "b" } }), 'the schema, a has a wrong "enum"'],
  [object({ a: { description: 5 } }), 'the schema, a has a wrong "description"'],
  [object({ a: { anyOf: {} } }), "the schema, a, anyOf is not a schema"],
  [deep, expect.stringContaining("nested too deeply")],
])("%j: %s", (schema, expected) => {
  expect(schemaFault(schema)).toEqual(expected);
});
