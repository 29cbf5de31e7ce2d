/** Makes a JSON schema part of another one. */
import { isRecord } from "../../assistant/record.ts";

/** Keywords whose values are data, whatever they look like. */
const DATA = new Set(["const", "enum", "default", "examples"]);
/** Keywords whose values have schemas by names that are the user's. */
const NAMED = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

/** The schema as that of the property `name` of a root schema: its references to itself are from that root. */
export function underProperty(
  schema: Readonly<Record<string, unknown>>,
  name: string,
): Record<string, unknown> {
  // They are of a whole document.
  const { $schema: _, $id: _id, ...rest } = schema;
  return moved(rest, `#/properties/${name}`);
}

function moved(schema: Readonly<Record<string, unknown>>, root: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, movedValue(keyword, value, root)]),
  );
}

function movedValue(keyword: string, value: unknown, root: string): unknown {
  if (DATA.has(keyword)) return value;
  if (keyword === "$ref" && typeof value === "string" && /^#(?:\/|$)/.test(value))
    return `${root}${value.slice(1)}`;
  if (Array.isArray(value)) return value.map((each: unknown) => (isRecord(each) ? moved(each, root) : each));
  if (!isRecord(value)) return value;
  if (!NAMED.has(keyword)) return moved(value, root);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, isRecord(each) ? moved(each, root) : each]),
  );
}
