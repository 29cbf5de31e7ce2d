/** Questions that a server asks the user ("elicitation"), as the port's forms, and the answers to them. */
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { ServerEvents } from "../../core/ports/servers.ts";
import { boundedText, cleanText } from "../../core/servers/server-text.ts";
import { formProblems } from "../../shared/form-answer.ts";
import type { FormAnswer, FormField, ServerForm } from "../../shared/server-form.ts";
import * as z from "../../shared/zod.ts";
import type { ServerLog } from "./server-log.ts";

type Ask = ServerEvents["ask"];
type Question = Omit<ServerForm, "id" | "server">;

const MOST_FIELDS = 50;
const MOST_CHOICES = 200;
/** Characters of a message, a title and an address. */
const MESSAGE = 2_000;
const TITLE = 200;
const ADDRESS = 4_000;

const optionalNumber = z.catch(z.optional(z.number()), undefined);
const optionalText = z.catch(z.optional(z.string()), undefined);
const titled = z.optional(z.array(z.object({ const: z.string(), title: z.optional(z.string()) })));

const propertySchema = z.object({
  type: z.optional(z.string()),
  title: optionalText,
  description: optionalText,
  default: z.optional(z.unknown()),
  format: optionalText,
  minLength: optionalNumber,
  maxLength: optionalNumber,
  minimum: optionalNumber,
  maximum: optionalNumber,
  minItems: optionalNumber,
  maxItems: optionalNumber,
  enum: z.optional(z.array(z.string())),
  enumNames: z.optional(z.array(z.string())),
  oneOf: titled,
  items: z.optional(z.object({ enum: z.optional(z.array(z.string())), anyOf: titled, oneOf: titled })),
});
type Property = z.infer<typeof propertySchema>;

const formSchema = z.object({
  properties: z.record(z.string(), propertySchema),
  required: z._default(z.array(z.string()), []),
});

/** Asks the user what the server asks. A question that cannot be shown, and an invalid answer, are answered with "cancel". */
export async function askServerQuestion(
  params: ElicitRequest["params"],
  { ask, log, signal }: { ask: Ask; log: ServerLog; signal: AbortSignal },
): Promise<ElicitResult> {
  const question = questionOf(params);
  if ("problem" in question) {
    log.note(`A question of the server was not shown: ${question.problem}`);
    return { action: "cancel" };
  }
  const answer = await ask(question, signal);
  return answerOf(question, answer, log);
}

function answerOf(question: Question, answer: FormAnswer, log: ServerLog): ElicitResult {
  if (answer.action !== "accept") return { action: answer.action };
  if (question.ask.type === "address") return { action: "accept" };
  const { fields } = question.ask;
  const wrong = Object.entries(formProblems(fields, answer.values));
  if (wrong.length > 0) {
    const [name, problem] = wrong[0] ?? [];
    log.note(`The answer to the server's question was not sent: ${name}: ${problem?.code}`);
    return { action: "cancel" };
  }
  const known = new Set(fields.map((field) => field.name));
  const content = Object.fromEntries(Object.entries(answer.values).filter(([name]) => known.has(name)));
  return { action: "accept", content };
}

export function questionOf(params: ElicitRequest["params"]): Question | { problem: string } {
  const message = boundedText(params.message, MESSAGE);
  if (params.mode === "url") {
    const url = webAddress(params.url);
    return url === undefined
      ? { problem: "its address is not an http or https URL" }
      : { message, ask: { type: "address", url } };
  }
  const form = formSchema.safeParse(params.requestedSchema);
  if (!form.success) {
    const [issue] = form.error.issues;
    return { problem: `its form is not valid: ${issue?.path.join(".")}: ${issue?.message}` };
  }
  const entries = Object.entries(form.data.properties);
  if (entries.length > MOST_FIELDS) return { problem: `its form has more than ${MOST_FIELDS} fields` };
  const fields: FormField[] = [];
  for (const [name, property] of entries) {
    const kind = kindOf(property);
    if (kind === undefined) return { problem: `its field ${cleanText(name)} is of an unknown kind` };
    fields.push({
      name,
      title: boundedText(property.title ?? name, TITLE),
      ...(property.description === undefined
        ? {}
        : { description: boundedText(property.description, MESSAGE) }),
      required: form.data.required.includes(name),
      kind,
    });
  }
  return { message, ask: { type: "fields", fields } };
}

function webAddress(text: string): string | undefined {
  if (text.length > ADDRESS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === "" && url.password === "";
  return isPlain && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined;
}

function kindOf(property: Property): FormField["kind"] | undefined {
  switch (property.type) {
    case "boolean":
      return { type: "boolean", ...initial(z.boolean(), property.default) };
    case "number":
    case "integer":
      return {
        type: "number",
        integer: property.type === "integer",
        ...limit("min", property.minimum),
        ...limit("max", property.maximum),
        ...initial(z.number(), property.default),
      };
    case "array":
      return choicesOf(property);
    case "string":
    case undefined:
      return property.enum || property.oneOf ? choiceOf(property) : textOf(property);
    default:
      return undefined;
  }
}

function textOf({ format, ...property }: Property): FormField["kind"] {
  return {
    type: "text",
    ...(format === undefined ? {} : { format }),
    ...limit("minLength", property.minLength),
    ...limit("maxLength", property.maxLength),
    ...initial(z.string(), property.default),
  };
}

function choiceOf(property: Property): FormField["kind"] | undefined {
  const choices = property.oneOf
    ? titledChoices(property.oneOf)
    : (property.enum ?? []).map((value, index) => choice(value, property.enumNames?.[index]));
  if (choices.length === 0 || choices.length > MOST_CHOICES) return undefined;
  return { type: "choice", choices, ...initial(z.string(), property.default) };
}

function choicesOf({ items, ...property }: Property): FormField["kind"] | undefined {
  const named = items?.anyOf ?? items?.oneOf;
  const choices = named ? titledChoices(named) : (items?.enum ?? []).map((value) => choice(value));
  if (choices.length === 0 || choices.length > MOST_CHOICES) return undefined;
  return {
    type: "choices",
    choices,
    ...limit("min", property.minItems),
    ...limit("max", property.maxItems),
    ...initial(z.array(z.string()), property.default),
  };
}

function titledChoices(choices: readonly { const: string; title?: string | undefined }[]) {
  return choices.map((each) => choice(each.const, each.title));
}

function choice(value: string, title = value): { value: string; title: string } {
  return { value, title: boundedText(title, TITLE) };
}

function limit<K extends string>(key: K, value: number | undefined): { [P in K]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: number });
}

function initial<T>(schema: z.ZodMiniType<T>, value: unknown): { initial?: T } {
  const parsed = schema.safeParse(value);
  return parsed.success ? { initial: parsed.data } : {};
}
