/**
 * Checks the JSON schema of a tool. An endpoint refuses a whole request because of one function whose schema is wrong, so that a
 * single tool of a server would end the use of all others.
 */
import { isRecord } from "../../../core/assistant/record.ts";

const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
/** Keywords whose value is a schema, a map of schemas, or a list of schemas. */
const ONE = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const TEXTS = ["description", "title", "pattern", "format", "$ref"];

/** Levels of a schema. */
const MOST_LEVELS = 64;

/** What is wrong, for a log; undefined: nothing that is known to be refused. */
export function schemaFault(schema: unknown, at = "the schema", levels = MOST_LEVELS): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isRecord(schema)) return `${at} is not a schema`;
  if (levels === 0) return `${at} is nested too deeply`;
  return keywordFault(schema, at) ?? firstFault(partsOf(schema, at), levels - 1);
}

function keywordFault({ type, required, enum: values, ...schema }: Record<string, unknown>, at: string) {
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.some((each) => !TYPES.has(each))) return `${at} has an unknown type`;
  const isTexts = Array.isArray(required) && required.every((each) => typeof each === "string");
  if (required !== undefined && !isTexts) return `${at} has a wrong "required"`;
  if (values !== undefined && !Array.isArray(values)) return `${at} has a wrong "enum"`;
  const text = TEXTS.find((key) => schema[key] !== undefined && typeof schema[key] !== "string");
  return text === undefined ? undefined : `${at} has a wrong ${JSON.stringify(text)}`;
}

type Part = [schema: unknown, at: string];

function partsOf(schema: Record<string, unknown>, at: string): Part[] {
  const within = (key: string, name?: string) => `${at}, ${name ?? key}`;
  const present = (keys: readonly string[]) => keys.filter((key) => schema[key] !== undefined);
  return [
    ...present(ONE).flatMap((key): Part[] => {
      const value = schema[key];
      // A list of schemas, in older versions of JSON Schema.
      return (Array.isArray(value) ? value : [value]).map((each: unknown) => [each, within(key)]);
    }),
    ...present(MAPS).flatMap((key): Part[] => {
      const map = schema[key];
      if (!isRecord(map)) return [[undefined, within(key)]];
      return Object.entries(map).map(([name, each]) => [each, within(key, name)]);
    }),
    ...present(LISTS).flatMap((key): Part[] => {
      const list = schema[key];
      if (!Array.isArray(list)) return [[undefined, within(key)]];
      return list.map((each: unknown) => [each, within(key)]);
    }),
  ];
}

function firstFault(parts: readonly Part[], levels: number): string | undefined {
  for (const [schema, at] of parts) {
    const fault = schemaFault(schema, at, levels);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
