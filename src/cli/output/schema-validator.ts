/** Checks values by JSON schemas. This is the entry of a separate bundle, which loads with `--output-schema`. */
import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";

/** The schema is not valid, or refers to something that it does not contain. */
export class SchemaFault extends Error {
  override name = "SchemaFault";
}

/** By the version that a schema names; without one, it is the newest. */
const VERSIONS = {
  "https://json-schema.org/draft/2020-12/schema": Ajv2020,
  "https://json-schema.org/draft/2019-09/schema": Ajv2019,
  "http://json-schema.org/draft-07/schema": Ajv,
};

const OPTIONS: Options = {
  allErrors: true,
  logger: false,
  // What the standard calls annotations: keywords that are not known, and the formats of texts.
  strict: false,
  validateFormats: false,
};

/** A check that returns what does not fit a value, and where; undefined: it fits. Throws SchemaFault. */
export function schemaValidator(
  schema: Readonly<Record<string, unknown>>,
): (value: unknown) => string | undefined {
  const ajv = new (versionOf(schema.$schema))(OPTIONS);
  if (!ajv.validateSchema(schema)) throw new SchemaFault(problemsText(ajv.errors ?? [], "the schema"));
  try {
    const check = ajv.compile(schema);
    return (value) => (check(value) ? undefined : problemsText(check.errors ?? [], "the value"));
  } catch (error) {
    throw new SchemaFault(error instanceof Error ? error.message : String(error));
  }
}

function versionOf(named: unknown): typeof Ajv | typeof Ajv2019 | typeof Ajv2020 {
  if (named === undefined) return Ajv2020;
  const version = Object.entries(VERSIONS).find(
    ([name]) => typeof named === "string" && named.replace(/#$/, "") === name,
  );
  if (version) return version[1];
  throw new SchemaFault(
    `/$schema must be one of ${Object.keys(VERSIONS).join(", ")}, not ${JSON.stringify(named)}`,
  );
}

/** More differences would not help the model to correct them. */
const MOST_PROBLEMS = 8;

function problemsText(errors: readonly ErrorObject[], whole: string): string {
  const problems = [...new Set(errors.map((error) => problemText(error, whole)))];
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function problemText(
  { instancePath, keyword, message = keyword, params }: ErrorObject,
  whole: string,
): string {
  const place = instancePath === "" ? whole : instancePath;
  const details: Record<string, unknown> = {
    enum: params.allowedValues,
    const: params.allowedValue,
    additionalProperties: params.additionalProperty,
    unevaluatedProperties: params.unevaluatedProperty,
  };
  const detail = details[keyword];
  return `${place} ${message}${detail === undefined ? "" : `: ${JSON.stringify(detail)}`}`;
}
