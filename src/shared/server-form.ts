/**
 * A question that an MCP server asks the user during a call ("elicitation"): a form of simple fields, or an address to visit.
 * Its texts are the server's and are shown as plain text. Source: Model Context Protocol 2026-07-28, "Elicitation".
 */
import * as z from "./zod.ts";

const choiceSchema = z.object({ value: z.string(), title: z.string() });

const fieldSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  required: z.boolean(),
  kind: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("text"),
      /** A format that the value must have: email, uri, date, date-time. */
      format: z.optional(z.string()),
      minLength: z.optional(z.number()),
      maxLength: z.optional(z.number()),
      initial: z.optional(z.string()),
    }),
    z.object({
      type: z.literal("number"),
      integer: z.boolean(),
      min: z.optional(z.number()),
      max: z.optional(z.number()),
      initial: z.optional(z.number()),
    }),
    z.object({ type: z.literal("boolean"), initial: z.optional(z.boolean()) }),
    z.object({ type: z.literal("choice"), choices: z.array(choiceSchema), initial: z.optional(z.string()) }),
    z.object({
      type: z.literal("choices"),
      choices: z.array(choiceSchema),
      min: z.optional(z.number()),
      max: z.optional(z.number()),
      initial: z.optional(z.array(z.string())),
    }),
  ]),
});
export type FormField = z.infer<typeof fieldSchema>;

export const serverFormSchema = z.object({
  /** Unique; the answer names it. */
  id: z.string(),
  server: z.string(),
  message: z.string(),
  ask: z.discriminatedUnion("type", [
    z.object({ type: z.literal("fields"), fields: z.array(fieldSchema) }),
    /** The user visits this http or https address in their browser. */
    z.object({ type: z.literal("address"), url: z.string() }),
  ]),
});
export type ServerForm = z.infer<typeof serverFormSchema>;

export const formAnswerSchema = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("accept"),
    /** By field name; empty for an address. */
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  }),
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
]);
export type FormAnswer = z.infer<typeof formAnswerSchema>;
