/** A tool's input: a JSON schema for models, and the check of raw arguments. Derived from a zod or a JSON schema. */
import * as z from "../../../shared/zod.ts";
import { type FieldShape, formOf } from "../../assistant/field-shapes.ts";
import { type ParsedParams, parseByShapes, parseParams, shapesOf } from "../../assistant/params.ts";
import { isRecord } from "../../assistant/record.ts";

interface InputParam {
  name: string;
  required: boolean;
  /** Accepts any text. */
  text: boolean;
  /** For the model: what its values are, such as "true or false"; "": any text. */
  form: string;
  /** For the model. */
  description: string;
}

export interface ToolInput<T = Record<string, unknown>> {
  /** A JSON schema of type object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** In the order of the schema. */
  readonly params: readonly InputParam[];
  /** Converts and checks raw arguments; an error is worded for the model. */
  parse(raw: Readonly<Record<string, unknown>>): ParsedParams<T>;
  /** Throws unless `params` is a value that `parse` returned. */
  check(params: unknown): T;
}

/** The input of a built-in tool. The schema and the parameters are derived on first use: most sessions do not need both. */
export function zodInput<S extends z.ZodMiniObject>(schema: S): ToolInput<z.output<S>> {
  let json: Record<string, unknown> | undefined;
  let params: InputParam[] | undefined;
  return {
    get schema() {
      if (!json) {
        const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", override: withoutBounds });
        json = rest;
      }
      return json;
    },
    get params() {
      if (!params) {
        let fields: ReadonlyMap<string, FieldShape> | undefined;
        const shapeOf = (name: string): FieldShape | undefined => {
          fields ??= shapesOf(z.toJSONSchema(schema, { io: "input" }), false).fields;
          return fields.get(name);
        };
        params = Object.entries(schema.shape).map(([name, type]) => new ZodParam(name, type, shapeOf));
      }
      return params;
    },
    parse: (raw) => parseParams(schema, raw),
    check: (value) => schema.parse(value),
  };
}

/** All but the name is derived when it is asked for: where tools are called natively, only the names are. */
class ZodParam implements InputParam {
  readonly name: string;
  readonly #type: z.ZodMiniType | undefined;
  readonly #shapeOf: (name: string) => FieldShape | undefined;

  constructor(name: string, type: unknown, shapeOf: (name: string) => FieldShape | undefined) {
    this.name = name;
    this.#type = type instanceof z.ZodMiniType ? type : undefined;
    this.#shapeOf = shapeOf;
  }

  get required(): boolean {
    return this.#type?.safeParse(undefined).success === false;
  }

  get text(): boolean {
    return this.#type?.safeParse("text").success === true;
  }

  get form(): string {
    return formOf(this.#shapeOf(this.name) ?? {});
  }

  get description(): string {
    return (this.#type && z.globalRegistry.get(this.#type)?.description) ?? "";
  }
}

const objectSchema = z.looseObject({ type: z.literal("object") });

/** Bounds are left out: a call that exceeds one is answered with it, and they would be sent with every request. */
function withoutBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const bound of ["minimum", "maximum", "minLength", "maxItems"] as const) delete jsonSchema[bound];
}

/** The input of a third-party tool; models receive its JSON schema unchanged. Throws if it is not a schema of an object. */
export function jsonInput(given: unknown): ToolInput {
  const schema = objectSchema.parse(given);
  const shapes = shapesOf(schema, true);
  const params = [...shapes.fields].map(([name, field]) => ({
    name,
    required: shapes.required.includes(name),
    text: field.type === "string" && !["enum", "const", "pattern", "format"].some((key) => key in field),
    form: formOf(field),
    description: typeof field.description === "string" ? field.description : "",
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
