/** Questions of the agent and of MCP servers as forms of version 1 (elicitation), and the answers to them. */
import type {
  CreateElicitationRequest,
  ElicitationPropertySchema,
  StringPropertySchema,
} from "@agentclientprotocol/sdk";
import { formProblems } from "../../shared/form-answer.ts";
import type { FormAnswer, FormField, ServerForm } from "../../shared/server-form.ts";
import { visible } from "../../shared/visible.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import * as z from "../../shared/zod.ts";
import type { Question } from "../reports.ts";

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const answerSchema = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("accept"),
    content: z.nullish(z.record(z.string(), z.nullable(valueSchema))),
  }),
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
]);

type FormRequest = CreateElicitationRequest;

/** Names of the fields of a question's form. */
const CHOICE = "choice";
const TEXT = "text";

export function questionForm(sessionId: string, { message, options }: Question, t: Translate): FormRequest {
  const own: StringPropertySchema & { type: "string" } = {
    type: "string",
    title: options.length === 0 ? t("Your answer") : t("Or in your own words"),
  };
  const choice: StringPropertySchema & { type: "string" } = {
    type: "string",
    title: t("Your answer"),
    enum: [...options],
  };
  const properties: Record<string, ElicitationPropertySchema> =
    options.length === 0 ? { [TEXT]: own } : { [CHOICE]: choice, [TEXT]: own };
  const required = options.length === 0 ? { required: [TEXT] } : {};
  return {
    mode: "form",
    sessionId,
    message: message === "" ? t("Your answer") : message,
    requestedSchema: { type: "object", properties, ...required },
  };
}

/** undefined: the user did not answer. */
export function questionAnswer(answer: unknown): string | undefined {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success || parsed.data.action !== "accept") return undefined;
  const { content } = parsed.data;
  const texts = [content?.[TEXT], content?.[CHOICE]];
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "");
}

/** A server's form. Its texts are the server's, and are shown as plain text. */
export function serverFormRequest(
  sessionId: string,
  toolCallId: string,
  { id, server, message, ask }: ServerForm,
  t: Translate,
): FormRequest {
  const asked = visible(`${t("The MCP server {0} asks:", server)} ${message}`);
  if (ask.type === "address")
    return { mode: "url", sessionId, toolCallId, message: asked, url: ask.url, elicitationId: id };
  const required = ask.fields.filter((field) => field.required).map(({ name }) => name);
  return {
    mode: "form",
    sessionId,
    toolCallId,
    message: asked,
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(ask.fields.map((field) => [field.name, propertyOf(field)])),
      ...(required.length === 0 ? {} : { required }),
    },
  };
}

function propertyOf({ title, description, kind }: FormField): ElicitationPropertySchema {
  const words = {
    title: visible(title),
    ...(description === undefined ? {} : { description: visible(description) }),
  };
  switch (kind.type) {
    case "text": {
      const { minLength, maxLength, initial } = kind;
      const format = formatSchema.safeParse(kind.format);
      return {
        type: "string",
        ...words,
        ...definedValues({ minLength, maxLength, default: initial }),
        ...(format.success ? { format: format.data } : {}),
      };
    }
    case "number": {
      const limits = definedValues({ minimum: kind.min, maximum: kind.max, default: kind.initial });
      return kind.integer
        ? { type: "integer", ...words, ...limits }
        : { type: "number", ...words, ...limits };
    }
    case "boolean":
      return { type: "boolean", ...words, ...definedValues({ default: kind.initial }) };
    case "choice":
      return {
        type: "string",
        ...words,
        oneOf: choicesOf(kind.choices),
        ...definedValues({ default: kind.initial }),
      };
    case "choices":
      return {
        type: "array",
        ...words,
        items: { anyOf: choicesOf(kind.choices) },
        ...definedValues({ minItems: kind.min, maxItems: kind.max, default: kind.initial }),
      };
  }
}

const formatSchema = z.enum(["email", "uri", "date", "date-time"]);

const choicesOf = (choices: readonly { value: string; title: string }[]) =>
  choices.map(({ value, title }) => ({ const: value, title: visible(title) }));

/** The values without those that are undefined. */
function definedValues<T extends Record<string, unknown>>(
  values: T,
): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Key in keyof T]?: NonNullable<T[Key]> };
}

/** An answer that does not fit the form counts as none. */
export function serverFormAnswer(answer: unknown, { ask }: ServerForm): FormAnswer {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return { action: "cancel" };
  if (parsed.data.action !== "accept") return { action: parsed.data.action };
  if (ask.type === "address") return { action: "accept", values: {} };
  const values: Record<string, z.infer<typeof valueSchema>> = {};
  for (const { name } of ask.fields) {
    const value = parsed.data.content?.[name];
    if (value !== undefined && value !== null && value !== "") values[name] = value;
  }
  const problems = Object.keys(formProblems(ask.fields, values));
  return problems.length > 0 ? { action: "cancel" } : { action: "accept", values };
}
