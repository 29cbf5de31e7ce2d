/**
 * Why something runs, asks or is refused, and what would change that; used by the panel, the terminal and `nekode
 * judge`.
 */
import * as z from "zod";
import { reasonSchema } from "./message.ts";
import type { Verdict } from "./reason.ts";

const verdictSchema: z.ZodType<Verdict> = z.enum(["allow", "ask", "deny"]);

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
  mode: z.literal("act").optional(),
  /** .nekodeignore entries for this path must be removed. */
  unignore: z.literal(true).optional(),
});
export type Remedy = z.infer<typeof remedySchema>;

export const explanationSchema = z.object({
  verdict: verdictSchema,
  reason: reasonSchema,
  subject: z.enum(["command", "path", "other"]),
  /** The simple command or path that determines the verdict, verbatim; the whole command if no single part does. */
  part: z.string().optional(),
  /** The target of that path, if links lead elsewhere. */
  resolved: z.string().optional(),
  /** For a command line: its simple commands in order, each with its own verdict. */
  parts: z.array(commandPartSchema).optional(),
  /** null: nothing would change the verdict. Absent if the verdict is "allow". */
  remedy: remedySchema.nullable().optional(),
  /** Examples of what would then run without asking, and of what would still ask. Confirmed by the real judge. */
  examples: z.object({ runs: z.string().optional(), asks: z.string().optional() }).optional(),
});
export type Explanation = z.infer<typeof explanationSchema>;
