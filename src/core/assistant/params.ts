import * as z from "zod";
import { convert, describe, type FieldShape, show } from "./field-shapes.ts";
import { nearestNames } from "./tool-names.ts";

/** Parameters checked and converted, or what is wrong with them in words that a model can act on. */
export type ParsedParams<T> = { ok: true; value: T } | { ok: false; error: string };

interface Shape {
  fields: ReadonlyMap<string, FieldShape>;
  required: readonly string[];
  /** True where the schema takes parameters that it does not name. */
  open: boolean;
}

const shapes = new WeakMap<z.ZodObject, Shape>();

const objectShape = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
});

function shapeOf(schema: z.ZodObject): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) {
    const json = objectShape.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
    shape = {
      fields: new Map(Object.entries(json.properties ?? {})),
      required: json.required ?? [],
      open: json.additionalProperties !== undefined && json.additionalProperties !== false,
    };
    shapes.set(schema, shape);
  }
  return shape;
}

/**
 * Checks the raw parameters of a call against its tool's schema. Text is converted to what the schema wants (numbers,
 * true and false in any case, JSON arrays and objects, lists with one item a line), numbers and booleans to text
 * where it wants text. null and, for anything but text, an empty text count as not given where they are not values of
 * the parameter. The error names each parameter that is missing, ill-typed or unknown, what was expected and what
 * came, and which parameters there are.
 */
export function parseParams<S extends z.ZodObject>(
  schema: S,
  raw: Readonly<Record<string, unknown>>,
): ParsedParams<z.output<S>> {
  const { fields, required, open } = shapeOf(schema);
  const errors: string[] = [];
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(raw)) {
    const field = fields.get(name);
    if (field === undefined) {
      if (open) given.set(name, value);
      else errors.push(unknownParam(name, [...fields.keys()]));
      continue;
    }
    const converted = convert(value, field);
    if (converted !== undefined) given.set(name, converted);
  }

  const result = schema.safeParse(Object.fromEntries(given));
  if (result.success && errors.length === 0) return { ok: true, value: result.data };
  for (const issue of result.error?.issues ?? []) errors.push(describeIssue(issue, fields, given));
  const optional = [...fields.keys()].filter((name) => !required.includes(name));
  const error = [
    `${[...new Set(errors)].join("; ")}.`,
    required.length > 0 ? `Required: ${required.join(", ")}.` : "",
    optional.length > 0 ? `Optional: ${optional.join(", ")}.` : "",
    fields.size === 0 ? "The tool takes no parameters." : "",
  ];
  return { ok: false, error: error.filter((part) => part !== "").join(" ") };
}

function unknownParam(name: string, known: string[]): string {
  const short = name.length > 64 ? `${name.slice(0, 64)}...` : name;
  const near = nearestNames(name, known);
  return `${short} is not a parameter of this tool${near.length > 0 ? ` (did you mean ${near.join(" or ")}?)` : ""}`;
}

function describeIssue(
  issue: z.core.$ZodIssue,
  fields: ReadonlyMap<string, FieldShape>,
  given: ReadonlyMap<string, unknown>,
): string {
  const [first, ...rest] = issue.path;
  if (first === undefined) return issue.message;
  const name = String(first);
  const field = fields.get(name) ?? {};
  const wanted = describe(field);
  if (!given.has(name)) return `${name} is missing, expected ${wanted}`;
  const came = show(given.get(name));
  const path = [name, ...rest.map(String)].join(".");
  if (issue.code === "custom" || issue.code === "invalid_format")
    return `${path}: ${issue.message}, got ${came}`;
  return `${name}: expected ${wanted}, got ${came}${rest.length > 0 ? ` (${path}: ${issue.message})` : ""}`;
}
