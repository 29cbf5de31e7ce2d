import { listInElements, objectInElements } from "../../shared/text/nested-elements.ts";
import { isRecord } from "./record.ts";

/** A parameter's JSON schema, as zod writes it. */
export type FieldShape = Readonly<Record<string, unknown>>;

/** Returns the alternatives of a schema, or the schema itself if there is only one. */
function alternatives(shape: FieldShape): FieldShape[] {
  const union = shape.anyOf ?? shape.oneOf;
  if (Array.isArray(union))
    return union.flatMap((part: unknown) => (isRecord(part) ? alternatives(part) : []));
  if (Array.isArray(shape.type)) return shape.type.map((type: unknown) => ({ ...shape, type }));
  return [shape];
}

function choices(shape: FieldShape): unknown[] | undefined {
  if (Array.isArray(shape.enum)) return shape.enum;
  return Object.hasOwn(shape, "const") ? [shape.const] : undefined;
}

/**
 * Converts `value` to the schema's type if that is unambiguous; otherwise returns it unchanged, for the schema to
 * reject. undefined: the value counts as missing.
 */
export function convert(value: unknown, shape: FieldShape): unknown {
  const parts = alternatives(shape);
  if (value === null)
    return parts.some((part) => part.type === "null" || part.type === undefined) ? value : undefined;
  if (fits(value, shape)) return convertInside(value, parts);
  if (typeof value === "string") {
    for (const part of parts) {
      const converted = fromText(value, part);
      if (converted !== undefined) return converted;
    }
    return value.trim() === "" ? undefined : value;
  }
  const wantsText = parts.some((part) => part.type === "string");
  if (wantsText && (typeof value === "number" || typeof value === "boolean"))
    return convert(String(value), shape);
  const list = parts.find((part) => part.type === "array");
  if (list !== undefined && !Array.isArray(value)) return [convert(value, itemShape(list))];
  return value;
}

/**
 * True if one of the schema's alternatives accepts values of that JSON type, or that very value if it lists its values.
 */
export function fits(value: unknown, shape: FieldShape): boolean {
  return alternatives(shape).some((part) => accepts(value, part));
}

/** True if the value has the schema's JSON type. */
function accepts(value: unknown, shape: FieldShape): boolean {
  const allowed = choices(shape);
  if (allowed !== undefined) return allowed.includes(value);
  switch (shape.type) {
    case "string":
      return typeof value === "string";
    case "number":
    case "integer":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return shape.type === undefined;
  }
}

/** Converts the items of a list and the properties of an object. */
function convertInside(value: unknown, parts: FieldShape[]): unknown {
  if (Array.isArray(value)) {
    const list = parts.find((part) => part.type === "array");
    if (list === undefined) return value;
    const item = itemShape(list);
    return value.map((entry: unknown) => convert(entry, item) ?? entry);
  }
  const properties = parts.find((part) => part.type === "object")?.properties;
  if (!isRecord(value) || !isRecord(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const converted = isRecord(property) ? convert(entry, property) : entry;
      return converted === undefined ? [] : [[name, converted]];
    }),
  );
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const LIST_MARK = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;

function fromText(text: string, shape: FieldShape): unknown {
  const trimmed = text.trim();
  const allowed = choices(shape);
  if (allowed !== undefined) {
    const same = allowed.filter((choice) => String(choice).toLowerCase() === trimmed.toLowerCase());
    return same.find((choice) => String(choice) === trimmed) ?? (same.length === 1 ? same[0] : undefined);
  }
  switch (shape.type) {
    case "number":
    case "integer":
      return NUMBER.test(trimmed) ? Number(trimmed) : undefined;
    case "boolean":
      return /^true$/i.test(trimmed) ? true : /^false$/i.test(trimmed) ? false : undefined;
    case "array":
      return listFromText(trimmed, shape);
    case "object": {
      const value = fromJson(trimmed) ?? objectInElements(trimmed);
      return isRecord(value) ? convertInside(value, [shape]) : undefined;
    }
    case "null":
      return trimmed === "null" ? null : undefined;
    default:
      return undefined;
  }
}

/**
 * Parses a JSON array, one element per item, or one item per line with or without list markers. Text that begins like JSON
 * but is invalid is not a list.
 */
function listFromText(text: string, shape: FieldShape): unknown {
  if (text === "") return undefined;
  if (text.startsWith("[")) {
    const value = fromJson(text);
    return Array.isArray(value) ? convertInside(value, [shape]) : undefined;
  }
  const elements = listInElements(text);
  if (elements !== undefined) return convertInside(elements, [shape]);
  const item = itemShape(shape);
  const isText = alternatives(item).some((part) => part.type === "string" || part.type === undefined);
  const isObject = alternatives(item).some((part) => part.type === "object");
  if (isObject && text.startsWith("{")) {
    const value = fromJson(text);
    if (isRecord(value)) return convertInside([value], [shape]);
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const marked = lines.length > 1 && lines.every((line) => LIST_MARK.test(line));
  const items = lines.map((line) => (marked ? line.replace(LIST_MARK, "") : line).trim());
  if (!isText && items.length === 1)
    return convertInside(
      (items[0] ?? "").split(",").map((part) => part.trim()),
      [shape],
    );
  return convertInside(items, [shape]);
}

function itemShape(shape: FieldShape): FieldShape {
  return isRecord(shape.items) ? shape.items : {};
}

function fromJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Describes what the schema accepts, for example "a whole number of at least 1". */
export function describe(shape: FieldShape): string {
  return [...new Set(alternatives(shape).map(describeOne))].join(" or ");
}

/** Describes what to write for a parameter, for example "one of a, b"; "": any text. */
export function formOf(shape: FieldShape): string {
  const forms = alternatives(shape).map(formOne);
  return forms.every((form) => form === ANY_TEXT) ? "" : [...new Set(forms)].join(" or ");
}

const ANY_TEXT = "a text";

function formOne(shape: FieldShape): string {
  const allowed = choices(shape);
  // As they are written, because quotes would be taken for a part of the value.
  if (allowed !== undefined) return `one of ${allowed.map(String).join(", ")}`;
  if (shape.type === "array") {
    const example = itemExample(itemShape(shape));
    return example === undefined ? describeOne(shape) : `${describeOne(shape)}, such as ${example}`;
  }
  if (shape.type !== "string") return describeOne(shape);
  if (typeof shape.format === "string") return `a text of the form ${shape.format}`;
  return typeof shape.pattern === "string" ? `a text that matches ${shape.pattern}` : ANY_TEXT;
}

/** A list of such items as it is written. */
function itemExample(item: FieldShape): string | undefined {
  const allowed = choices(item);
  if (allowed !== undefined) return JSON.stringify(allowed.slice(0, 2));
  return item.type === "string" ? '["first", "second"]' : undefined;
}

function describeOne(shape: FieldShape): string {
  const allowed = choices(shape);
  if (allowed !== undefined) return `one of ${allowed.map((choice) => JSON.stringify(choice)).join(", ")}`;
  switch (shape.type) {
    case "string":
      return shape.minLength === undefined ? "a text" : "a text that is not empty";
    case "number":
    case "integer":
      return `${shape.type === "integer" ? "a whole number" : "a number"}${range(shape.minimum, shape.maximum)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a JSON array of ${plural(itemShape(shape))}${count(shape.minItems, shape.maxItems)}`;
    case "object":
      return "a JSON object";
    case "null":
      return "null";
    default:
      return "a value";
  }
}

function plural(shape: FieldShape): string {
  const allowed = choices(shape);
  if (allowed !== undefined) return allowed.map((choice) => JSON.stringify(choice)).join(", ");
  const names: Record<string, string> = {
    string: "texts",
    number: "numbers",
    integer: "whole numbers",
    object: "objects",
  };
  return (typeof shape.type === "string" ? names[shape.type] : undefined) ?? "values";
}

function range(minimum: unknown, maximum: unknown): string {
  const low = typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER;
  const high = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER;
  if (low && high) return ` from ${minimum} to ${maximum}`;
  if (low) return ` of at least ${minimum}`;
  return high ? ` of at most ${maximum}` : "";
}

function count(minimum: unknown, maximum: unknown): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum} of them`;
  if (minimum !== undefined) return `, at least ${minimum} of them`;
  return maximum === undefined ? "" : `, at most ${maximum} of them`;
}

/** Formats a value for an error: its JSON, truncated after 80 characters. */
export function show(value: unknown): string {
  const json =
    (typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : JSON.stringify(value)) ?? "nothing";
  return json.length > 80 ? `${json.slice(0, 80)}...` : json;
}
