/** The user's answer to a form of an MCP server: what is typed, what is sent, and what is wrong with it. */

import type { FormField } from "./server-form.ts";
import { unreachable } from "./unreachable.ts";
import * as z from "./zod.ts";

export type FieldValue = string | number | boolean | string[];

/** What is wrong with the value of a field: a code, and for some codes a limit. */
export type FieldProblem =
  | {
      code:
        | "required"
        | "not-a-string"
        | "not-a-number"
        | "not-an-integer"
        | "not-a-boolean"
        | "not-a-choice";
    }
  | { code: "too-short" | "too-long" | "too-small" | "too-large" | "too-few" | "too-many"; limit: number }
  | { code: "format"; format: string };

/** undefined: the value is valid. `value` undefined: the field was left empty. */
export function fieldProblem(field: FormField, value: FieldValue | undefined): FieldProblem | undefined {
  if (value === undefined) return field.required ? { code: "required" } : undefined;
  const { kind } = field;
  switch (kind.type) {
    case "text":
      return textProblem(kind, value);
    case "number":
      return numberProblem(kind, value);
    case "boolean":
      return typeof value === "boolean" ? undefined : { code: "not-a-boolean" };
    case "choice":
      return kind.choices.some((choice) => choice.value === value) ? undefined : { code: "not-a-choice" };
    case "choices":
      return choicesProblem(kind, value);
    default:
      return unreachable(kind);
  }
}

/** The problems by field name; empty: the answer is valid. Values of unknown fields are ignored. */
export function formProblems(
  fields: readonly FormField[],
  values: Readonly<Record<string, FieldValue>>,
): Record<string, FieldProblem> {
  const problems = fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const problem = fieldProblem(field, value);
    return problem ? [[field.name, problem] as const] : [];
  });
  return Object.fromEntries(problems);
}

type Kind<T extends FormField["kind"]["type"]> = Extract<FormField["kind"], { type: T }>;

function textProblem(kind: Kind<"text">, value: FieldValue): FieldProblem | undefined {
  if (typeof value !== "string") return { code: "not-a-string" };
  const length = [...value].length;
  if (kind.minLength !== undefined && length < kind.minLength)
    return { code: "too-short", limit: kind.minLength };
  if (kind.maxLength !== undefined && length > kind.maxLength)
    return { code: "too-long", limit: kind.maxLength };
  const format = kind.format === undefined ? undefined : FORMATS[kind.format];
  if (kind.format !== undefined && format && !format(value)) return { code: "format", format: kind.format };
  return undefined;
}

/** Other formats are not checked. */
const FORMATS: Record<string, (value: string) => boolean> = {
  email: (value) => z.email().safeParse(value).success,
  uri: (value) => URL.canParse(value),
  date: (value) => z.iso.date().safeParse(value).success,
  "date-time": (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
};

function numberProblem(kind: Kind<"number">, value: FieldValue): FieldProblem | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return { code: "not-a-number" };
  if (kind.integer && !Number.isInteger(value)) return { code: "not-an-integer" };
  if (kind.min !== undefined && value < kind.min) return { code: "too-small", limit: kind.min };
  if (kind.max !== undefined && value > kind.max) return { code: "too-large", limit: kind.max };
  return undefined;
}

function choicesProblem(kind: Kind<"choices">, value: FieldValue): FieldProblem | undefined {
  if (!Array.isArray(value)) return { code: "not-a-choice" };
  const known = new Set(kind.choices.map((choice) => choice.value));
  if (new Set(value).size !== value.length || value.some((item) => !known.has(item)))
    return { code: "not-a-choice" };
  if (kind.min !== undefined && value.length < kind.min) return { code: "too-few", limit: kind.min };
  if (kind.max !== undefined && value.length > kind.max) return { code: "too-many", limit: kind.max };
  return undefined;
}

/** As typed: text, also for numbers; undefined: not touched. */
export type TypedValue = string | boolean | string[];

/** What a field contains before the user changes it. */
export function initialValue({ kind }: FormField): TypedValue | undefined {
  return typeof kind.initial === "number" ? String(kind.initial) : kind.initial;
}

/** The value that is sent; undefined if the field is empty. A text that is not a number becomes NaN, which is not valid. */
export function sentValue(
  { kind, required }: FormField,
  typed: TypedValue | undefined,
): FieldValue | undefined {
  switch (kind.type) {
    case "boolean":
      // An unchecked box is an answer if the field is required.
      return typed === undefined && required ? false : typed;
    case "number":
      return typeof typed !== "string" || typed.trim() === "" ? undefined : Number(typed);
    case "choices":
      return Array.isArray(typed) && (typed.length > 0 || required) ? typed : required ? [] : undefined;
    case "text":
    case "choice":
      return typed === "" ? undefined : typed;
    default:
      return unreachable(kind);
  }
}

/** Everything that is sent, by field name. */
export function sentValues(
  fields: readonly FormField[],
  typed: Readonly<Record<string, TypedValue | undefined>>,
): Record<string, FieldValue> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = sentValue(field, Object.hasOwn(typed, field.name) ? typed[field.name] : undefined);
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}
