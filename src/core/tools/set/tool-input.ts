/** What a tool takes: a JSON schema for models, and the check of a call's raw arguments. Made from zod, or from a schema as it is. */
import * as z from "zod";
import { describe } from "../../assistant/field-shapes.ts";
import { type ParsedParams, parseByShapes, parseParams, shapesOf } from "../../assistant/params.ts";
import { isRecord } from "../../assistant/record.ts";

export interface InputParam {
  name: string;
  required: boolean;
  /** It takes any text. */
  text: boolean;
  /** For the model. */
  description: string;
}

export interface ToolInput<T = Record<string, unknown>> {
  /** A JSON schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** In the order of the schema. */
  readonly params: readonly InputParam[];
  /** Raw arguments converted and checked, or what is wrong with them in words for the model. */
  parse(raw: Readonly<Record<string, unknown>>): ParsedParams<T>;
  /** Throws for what `parse` did not give. */
  check(params: unknown): T;
}

/** The input of a tool of ours. Nothing is derived before it is asked for: most sessions never need it all. */
export function zodInput<S extends z.ZodObject>(schema: S): ToolInput<z.output<S>> {
  let json: Record<string, unknown> | undefined;
  let params: InputParam[] | undefined;
  return {
    get schema() {
      if (!json) {
        const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
        json = rest;
      }
      return json;
    },
    get params() {
      params ??= Object.entries(schema.shape).map(([name, type]) => paramOf(name, type));
      return params;
    },
    parse: (raw) => parseParams(schema, raw),
    check: (value) => schema.parse(value),
  };
}

function paramOf(name: string, type: unknown): InputParam {
  const isType = type instanceof z.ZodType;
  return {
    name,
    required: isType && !type.safeParse(undefined).success,
    text: isType && type.safeParse("text").success,
    description: isType ? (type.description ?? "") : "",
  };
}

const objectSchema = z.looseObject({ type: z.literal("object") });

/** The input of a tool of somebody else's: its JSON schema goes to models as it is. Throws for what is no schema of an object. */
export function jsonInput(given: unknown): ToolInput {
  const schema = objectSchema.parse(given);
  const shapes = shapesOf(schema, true);
  const params = [...shapes.fields].map(([name, field]) => ({
    name,
    required: shapes.required.includes(name),
    text: field.type === "string" && !["enum", "const", "pattern", "format"].some((key) => key in field),
    description: [
      typeof field.description === "string" ? field.description : "",
      `Expected: ${describe(field)}.`,
    ]
      .filter((part) => part !== "")
      .join(" "),
  }));
  const parse = (raw: Readonly<Record<string, unknown>>) => parseByShapes(shapes, raw);
  return {
    schema,
    params,
    parse,
    check(value) {
      const parsed = parse(isRecord(value) ? value : {});
      if (!parsed.ok) throw new Error(parsed.error);
      return parsed.value;
    },
  };
}
