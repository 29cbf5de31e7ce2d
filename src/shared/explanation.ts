/** Why something runs, asks or is refused, and what would change that: for the panel, the terminal and `nekode judge`. */
import * as z from "zod";
import { reasonSchema } from "./reason.ts";

export const verdictSchema = z.enum(["allow", "ask", "deny"]);
export type Verdict = z.infer<typeof verdictSchema>;

/** One simple command of a command line, as it was written. */
export const commandPartSchema = z.object({ text: z.string(), verdict: verdictSchema, reason: reasonSchema });
export type CommandPart = z.infer<typeof commandPartSchema>;

/** What together makes the call run unasked; the real judge has confirmed it. */
export const remedySchema = z.object({
  /** Entries to add to `nekode.commands.allow`. */
  allow: z.array(z.string()),
  /** Entries to remove from `nekode.commands.deny`. */
  undeny: z.array(z.string()),
  /** Settings to turn on, by their full names. */
  settings: z.array(z.string()),
  /** The mode to switch to. */
  mode: z.literal("act").optional(),
  /** What .nekodeignore says of it is to be removed there. */
  unignore: z.literal(true).optional(),
});
export type Remedy = z.infer<typeof remedySchema>;

export const explanationSchema = z.object({
  verdict: verdictSchema,
  reason: reasonSchema,
  subject: z.enum(["command", "path", "other"]),
  /** The simple command or the path that decides, verbatim: all of the command where no single part does. */
  part: z.string().optional(),
  /** Where that path leads, when links take it elsewhere. */
  resolved: z.string().optional(),
  /** Of a command line: each of its simple commands in order, with its own verdict. */
  parts: z.array(commandPartSchema).optional(),
  /** null: nothing would. Absent where the verdict is "allow". */
  remedy: remedySchema.nullable().optional(),
  /** With the remedy: what then runs and asks without it, and what still asks. The real judge has confirmed both. */
  examples: z.object({ runs: z.string().optional(), asks: z.string().optional() }).optional(),
});
export type Explanation = z.infer<typeof explanationSchema>;
