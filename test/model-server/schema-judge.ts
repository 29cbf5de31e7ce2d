import { isRecord } from "./api-error.ts";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Throws for a fault of a schema. `path`: from the schema's root. */
type SchemaFault = (path: readonly (string | number)[], message: string) => never;

/** Walks one tool's JSON Schema. */
export class SchemaJudge {
  readonly #fault: SchemaFault;
  readonly #strict: boolean;
  #document: unknown;

  /** `strict`: by the rules of structured outputs. */
  constructor(fault: SchemaFault, strict = false) {
    this.#fault = fault;
    this.#strict = strict;
  }

  root(schema: unknown): void {
    this.#document = schema;
    if (!isRecord(schema) || schema.type !== "object") {
      const got = isRecord(schema) ? JSON.stringify(schema.type) : JSON.stringify(schema);
      this.#fault([], `schema must be a JSON Schema of 'type: "object"', got 'type: ${got}'`);
    }
    this.#schema(schema, []);
  }

  #schema(schema: unknown, path: readonly (string | number)[]): void {
    if (typeof schema === "boolean") return;
    if (!isRecord(schema)) this.#fault(path, `${JSON.stringify(schema)} is not a schema`);
    const types = this.#types(schema.type, path);
    if (schema.enum !== undefined && (!Array.isArray(schema.enum) || schema.enum.length === 0)) {
      this.#fault(path, "'enum' must be a non-empty array");
    }
    if (schema.description !== undefined && typeof schema.description !== "string") {
      this.#fault(path, "'description' must be a string");
    }
    if (schema.$ref !== undefined) this.#reference(schema.$ref, path);
    this.#properties(schema, types, path);
    if (types.includes("array") && schema.items === undefined && schema.prefixItems === undefined) {
      this.#fault(path, "array schema missing items");
    }
    for (const key of [
      "items",
      "not",
      "additionalProperties",
      "propertyNames",
      "contains",
      "if",
      "then",
      "else",
    ]) {
      if (schema[key] !== undefined) this.#schema(schema[key], [...path, key]);
    }
    for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
      const list = schema[key];
      if (list === undefined) continue;
      if (!Array.isArray(list) || list.length === 0) this.#fault(path, `'${key}' must be a non-empty array`);
      list.forEach((item: unknown, index) => {
        this.#schema(item, [...path, key, index]);
      });
    }
    for (const key of ["$defs", "definitions", "patternProperties"]) {
      const map = schema[key];
      if (map === undefined) continue;
      if (!isRecord(map)) this.#fault(path, `'${key}' must be an object`);
      for (const [name, item] of Object.entries(map)) this.#schema(item, [...path, key, name]);
    }
  }

  #types(type: unknown, path: readonly (string | number)[]): string[] {
    if (type === undefined) return [];
    const list: unknown[] = Array.isArray(type) ? type : [type];
    return list.map((name) => {
      if (typeof name !== "string" || !TYPES.includes(name)) {
        this.#fault(
          path,
          `${JSON.stringify(name)} is not valid under any of the given types (${TYPES.join(", ")})`,
        );
      }
      return name;
    });
  }

  #properties(schema: Record<string, unknown>, types: string[], path: readonly (string | number)[]): void {
    const properties = schema.properties ?? {};
    if (!isRecord(properties)) this.#fault(path, "'properties' must be an object");
    const required = schema.required ?? [];
    if (!Array.isArray(required)) this.#fault(path, "'required' must be an array");
    for (const name of required) {
      if (typeof name !== "string" || !Object.hasOwn(properties, name)) {
        this.#fault(path, `'required' names ${JSON.stringify(name)}, which is not among 'properties'`);
      }
    }
    if (new Set(required).size !== required.length) this.#fault(path, "'required' has duplicate elements");
    if (this.#strict && types.includes("object")) {
      if (schema.additionalProperties !== false)
        this.#fault(path, "'additionalProperties' must be false in strict mode");
      const absent = Object.keys(properties).find((name) => !required.includes(name));
      if (absent !== undefined)
        this.#fault(path, `'required' must list every property in strict mode; missing '${absent}'`);
    }
    for (const [name, item] of Object.entries(properties)) this.#schema(item, [...path, "properties", name]);
  }

  #reference(ref: unknown, path: readonly (string | number)[]): void {
    if (typeof ref !== "string" || !/^#(\/|$)/.test(ref)) {
      this.#fault(path, `reference ${JSON.stringify(ref)} does not point into this schema`);
    }
    let target: unknown = this.#document;
    for (const raw of ref.slice(2).split("/").filter(Boolean)) {
      const step = decodeURIComponent(raw).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isRecord(target) && Object.hasOwn(target, step) ? target[step] : undefined;
    }
    if (target === undefined) this.#fault(path, `reference '${ref}' can not be resolved`);
  }
}
