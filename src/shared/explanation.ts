/**
 * Why something runs, asks or is refused, and what would change that; used by the panel, the terminal and `nekode
 * judge`.
 */
import { reasonSchema } from "./message.ts";
import type { Verdict } from "./reason.ts";
import * as z from "./zod.ts";

const verdictSchema: z.ZodMiniType<Verdict> = z.enum(["allow", "ask", "deny"]);

/** One simple command of a command line, verbatim. */
const commandPartSchema = z.object({ text: z.string(), verdict: verdictSchema, reason: reasonSchema });
export type CommandPart = z.infer<typeof commandPartSchema>;

/** Changes that together make the call run without asking; confirmed by the real judge. */
const remedySchema = z.object({
  /** Entries to add to `nekode.commands.allow`. */
  allow: z.array(z.string()),
  /** Entries to remove from `nekode.commands.deny`. */
  undeny: z.array(z.string()),
  /** Settings to turn on, by their full names. */
  settings: z.array(z.string()),
  /** The mode to switch to. */
  mode: z.optional(z.literal("act")),
  /** .nekodeignore entries for this path must be removed. */
  unignore: z.optional(z.literal(true)),
});
export type Remedy = z.infer<typeof remedySchema>;

export const explanationSchema = z.object({
  verdict: verdictSchema,
  reason: reasonSchema,
  subject: z.enum(["command", "path", "other"]),
  /** The simple command or path that determines the verdict, verbatim; the whole command if no single part does. */
  part: z.optional(z.string()),
  /** The target of that path, if links lead elsewhere. */
  resolved: z.optional(z.string()),
  /** For a command line: its simple commands in order, each with its own verdict. */
  parts: z.optional(z.array(commandPartSchema)),
  /** null: nothing would change the verdict. Absent if the verdict is "allow". */
  remedy: z.optional(z.nullable(remedySchema)),
  /** Examples of what would then run without asking, and of what would still ask. Confirmed by the real judge. */
  examples: z.optional(z.object({ runs: z.optional(z.string()), asks: z.optional(z.string()) })),
});
export type Explanation = z.infer<typeof explanationSchema>;
