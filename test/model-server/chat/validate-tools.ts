import { isRecord, refuse } from "../api-error.ts";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Validates `tools`, `tool_choice` and `parallel_tool_calls`. Throws a 400 that names the invalid tool. */
export function validateTools(body: Record<string, unknown>): void {
  const { tools } = body;
  if (tools === undefined) {
    for (const name of ["tool_choice", "parallel_tool_calls"]) {
      if (body[name] !== undefined) {
        refuse(
          name,
          "invalid_parameter_combination",
          `'${name}' is only allowed when 'tools' are specified.`,
        );
      }
    }
    return;
  }
  if (!Array.isArray(tools)) refuse("tools", "invalid_type", "'tools' must be an array.");
  if (tools.length === 0)
    refuse("tools", "empty_array", "Invalid 'tools': empty array. Expected at least one tool.");
  if (tools.length > 128)
    refuse("tools", "array_above_max_length", "Invalid 'tools': at most 128 tools are allowed.");
  const names = new Set<string>();
  tools.forEach((tool: unknown, index) => {
    const name = validateTool(tool, `tools[${index}]`);
    if (names.has(name)) {
      refuse(
        `tools[${index}].function.name`,
        "duplicate_tool",
        `Tool names must be unique: '${name}' at tools[${index}].`,
      );
    }
    names.add(name);
  });
  validateChoice(body.tool_choice, names);
  const parallel = body.parallel_tool_calls;
  if (parallel !== undefined && typeof parallel !== "boolean") {
    refuse("parallel_tool_calls", "invalid_type", "'parallel_tool_calls' must be a boolean.");
  }
}

function validateTool(tool: unknown, at: string): string {
  if (!isRecord(tool) || tool.type !== "function" || !isRecord(tool.function)) {
    refuse(at, "invalid_type", `'${at}' must be {type: "function", function: {...}}.`);
  }
  const { name, description, parameters, strict } = tool.function;
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    refuse(
      `${at}.function.name`,
      "invalid_value",
      `Invalid '${at}.function.name': ${JSON.stringify(name)} does not match '^[a-zA-Z0-9_-]{1,64}$'.`,
    );
  }
  if (description !== undefined && typeof description !== "string") {
    refuse(`${at}.function.description`, "invalid_type", `'${at}.function.description' must be a string.`);
  }
  if (strict !== undefined && strict !== null && typeof strict !== "boolean") {
    refuse(`${at}.function.strict`, "invalid_type", `'${at}.function.strict' must be a boolean.`);
  }
  if (parameters !== undefined)
    new SchemaJudge(name, `${at}.function.parameters`, strict === true).root(parameters);
  return name;
}

function validateChoice(choice: unknown, names: ReadonlySet<string>): void {
  if (choice === undefined || choice === "auto" || choice === "none" || choice === "required") return;
  const fn = isRecord(choice) && choice.type === "function" ? choice.function : undefined;
  if (!isRecord(fn) || typeof fn.name !== "string") {
    refuse(
      "tool_choice",
      "invalid_value",
      "'tool_choice' must be 'none', 'auto', 'required' or name a function.",
    );
  }
  if (!names.has(fn.name)) {
    refuse("tool_choice", "invalid_value", `'tool_choice' names '${fn.name}', which is not among 'tools'.`);
  }
}

/** Walks one tool's JSON Schema. */
class SchemaJudge {
  readonly #tool: string;
  readonly #param: string;
  readonly #strict: boolean;
  #document: unknown;

  constructor(tool: string, param: string, strict: boolean) {
    this.#tool = tool;
    this.#param = param;
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

  #fault(path: readonly (string | number)[], message: string): never {
    const context = path.length === 0 ? "" : ` In context=(${path.map((step) => `'${step}'`).join(", ")}),`;
    refuse(
      this.#param,
      "invalid_function_parameters",
      `Invalid schema for function '${this.#tool}':${context} ${message}.`,
    );
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
