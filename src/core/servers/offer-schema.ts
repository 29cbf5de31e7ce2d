/** The stored form of what a server offers. */
import * as z from "zod";
import type { ServerOffer } from "./server-types.ts";

const text = z.string();
const maybe = z.exactOptional(text);

const toolSchema = z.object({
  name: text,
  title: maybe,
  description: text,
  inputSchema: z.record(text, z.unknown()),
  hints: z.object({
    readOnly: z.exactOptional(z.boolean()),
    destructive: z.exactOptional(z.boolean()),
    openWorld: z.exactOptional(z.boolean()),
  }),
});
const resource = { name: text, title: maybe, description: maybe, mimeType: maybe };
const promptSchema = z.object({
  name: text,
  title: maybe,
  description: maybe,
  arguments: z.array(z.object({ name: text, description: maybe, required: z.boolean() })),
});

export const offerSchema: z.ZodType<ServerOffer> = z.object({
  instructions: maybe,
  tools: z.array(toolSchema),
  resources: z.array(z.object({ uri: text, ...resource })),
  templates: z.array(z.object({ uriTemplate: text, ...resource })),
  prompts: z.array(promptSchema),
});
