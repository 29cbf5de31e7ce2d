import * as z from "../../shared/zod.ts";
import { convert, describe, type FieldShape, fits, show } from "./field-shapes.ts";
import { isRecord } from "./record.ts";
import { nearestNames } from "./tool-names.ts";

/** Validated and converted parameters, or an error message that a model can act on. */
export type ParsedParams<T> = { ok: true; value: T } | { ok: false; error: string };

/** The parameters of a tool, from the JSON schema of its arguments. */
export interface ParamShapes {
  fields: ReadonlyMap<string, FieldShape>;
  required: readonly string[];
  /** Parameters that the schema does not name are accepted. */
  open: boolean;
}

const objectShape = z.object({
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
});

/** `json`: the schema of an object. `open`: whether other parameters are accepted if the schema does not say. */
export function shapesOf(json: unknown, open: boolean): ParamShapes {
  const { properties = {}, required = [], additionalProperties } = objectShape.parse(json);
  const isOpen = additionalProperties === undefined ? open : additionalProperties !== false;
  // `true` is also a schema: it accepts anything.
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, isRecord(field) ? field : {}] as const,
  );
  return { fields: new Map(fields), required, open: isOpen };
}

const shapes = new WeakMap<z.ZodMiniObject, ParamShapes>();

function zodShapes(schema: z.ZodMiniObject): ParamShapes {
  let known = shapes.get(schema);
  if (known === undefined) {
    known = shapesOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), false);
    shapes.set(schema, known);
  }
  return known;
}

/**
 * Validates a call's raw parameters against its tool's schema. Converts text to the types that the schema requires
 * (numbers, true and false in any case, JSON arrays and objects, lists with one item per line), and numbers and
 * booleans to text. null, and an empty text for any type but text, count as not given unless they are valid values of
 * the parameter. The error names each missing, ill-typed or unknown parameter, what was expected and what was given,
 * and lists the available parameters.
 */
export function parseParams<S extends z.ZodMiniObject>(
  schema: S,
  raw: Readonly<Record<string, unknown>>,
): ParsedParams<z.output<S>> {
  const known = zodShapes(schema);
  const { values, errors } = convertParams(known, raw);
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success && errors.length === 0) return { ok: true, value: result.data };
  for (const issue of result.error?.issues ?? []) errors.push(describeIssue(issue, known.fields, values));
  return { ok: false, error: errorText(known, errors) };
}

/**
 * Does the same for a foreign schema: checks the types and values of each parameter and leaves other constraints to the
 * schema's owner.
 */
export function parseByShapes(
  known: ParamShapes,
  raw: Readonly<Record<string, unknown>>,
): ParsedParams<Record<string, unknown>> {
  const { values, errors } = convertParams(known, raw);
  for (const name of known.required) {
    if (!values.has(name))
      errors.push(`${name} is missing, expected ${describe(known.fields.get(name) ?? {})}`);
  }
  for (const [name, value] of values) {
    const field = known.fields.get(name) ?? {};
    if (!fits(value, field)) errors.push(`${name}: expected ${describe(field)}, got ${show(value)}`);
  }
  if (errors.length === 0) return { ok: true, value: Object.fromEntries(values) };
  return { ok: false, error: errorText(known, errors) };
}

function convertParams(
  { fields, open }: ParamShapes,
  raw: Readonly<Record<string, unknown>>,
): { values: Map<string, unknown>; errors: string[] } {
  const errors: string[] = [];
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(raw)) {
    const field = fields.get(name);
    if (field === undefined) {
      if (open) values.set(name, value);
      else errors.push(unknownParam(name, [...fields.keys()]));
      continue;
    }
    const converted = convert(value, field);
    if (converted !== undefined) values.set(name, converted);
  }
  return { values, errors };
}

function errorText({ fields, required }: ParamShapes, errors: readonly string[]): string {
  const optional = [...fields.keys()].filter((name) => !required.includes(name));
  const error = [
    `${[...new Set(errors)].join("; ")}.`,
    required.length > 0 ? `Required: ${required.join(", ")}.` : "",
    optional.length > 0 ? `Optional: ${optional.join(", ")}.` : "",
    fields.size === 0 ? "The tool takes no parameters." : "",
  ];
  return error.filter((part) => part !== "").join(" ");
}

function unknownParam(name: string, known: string[]): string {
  const short = name.length > 64 ? `${name.slice(0, 64)}...` : name;
  const near = nearestNames(name, known);
  return `${short} is not a parameter of this tool${near.length > 0 ? ` (did you mean ${near.join(" or ")}?)` : ""}`;
}

function describeIssue(
  issue: z.core.$ZodIssue,
  fields: ReadonlyMap<string, FieldShape>,
  values: ReadonlyMap<string, unknown>,
): string {
  const [first, ...rest] = issue.path;
  if (first === undefined) return issue.message;
  const name = String(first);
  const field = fields.get(name) ?? {};
  const wanted = describe(field);
  if (!values.has(name)) return `${name} is missing, expected ${wanted}`;
  const came = show(values.get(name));
  const path = [name, ...rest.map(String)].join(".");
  if (issue.code === "custom" || issue.code === "invalid_format")
    return `${path}: ${issue.message}, got ${came}`;
  return `${name}: expected ${wanted}, got ${came}${rest.length > 0 ? ` (${path}: ${issue.message})` : ""}`;
}
