/** Why something runs, asks or is refused, and what would change that: for the panel, the terminal and `nekode judge`. */
import * as z from "zod";
import { type Reason, reasonSchema, reasonWords } from "./reasons/index.ts";
import type { Translate } from "./texts.ts";

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

export interface Fact {
  name: string;
  value: string;
}

/** The explanation as named facts in order, the rule among them. A value may hold line feeds and invisible characters: show it as such. */
export function explanationFacts(t: Translate, explanation: Explanation): Fact[] {
  const { verdict, reason, subject, part, resolved, remedy, examples } = explanation;
  const facts: Fact[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") facts.push({ name, value });
  };
  add(subject === "path" ? t("Path") : t("Part"), part);
  add(t("Really"), resolved);
  add(t("Rule"), reasonWords(t, reason));
  if (verdict === "allow") return facts;
  if (remedy !== undefined) add(t("Would not ask if you"), remedyText(t, remedy, subject));
  add(t("Then runs, for example"), examples?.runs);
  add(t("Still asks, for example"), examples?.asks);
  return facts;
}

function remedyText(t: Translate, remedy: Remedy | null, subject: Explanation["subject"]): string {
  if (!remedy) return nothingText(t, subject);
  const { allow, undeny, settings, mode, unignore } = remedy;
  return [
    ...(mode ? [t("switch to act mode")] : []),
    ...(unignore ? [t("remove the line for it from {0}", ".nekodeignore")] : []),
    ...undeny.map((entry) => t("remove {0} from {1}", quoted(entry), "nekode.commands.deny")),
    ...allow.map((entry) => t("add {0} to {1}", quoted(entry), "nekode.commands.allow")),
    ...settings.map((name) => t("turn on {0}", name)),
  ].join(t(", and "));
}

function nothingText(t: Translate, subject: Explanation["subject"]): string {
  if (subject === "command")
    return t(
      "nothing: such commands always ask, unless all commands are approved (nekode.approval.commandAll)",
    );
  return subject === "path" ? t("nothing: such paths always ask") : t("nothing: such calls always ask");
}

function quoted(entry: string): string {
  return `\`${entry}\``;
}

/** One word for what happens. */
export function verdictText(t: Translate, verdict: Verdict): string {
  if (verdict === "allow") return t("allowed");
  return verdict === "ask" ? t("asks") : t("denied");
}

/** Each part of a command line with what becomes of it by itself; none where it has only one. */
export function partFacts(t: Translate, explanation: Explanation): (Fact & { verdict: Verdict })[] {
  const { parts = [] } = explanation;
  return (parts.length > 1 ? parts : []).map(({ text, verdict, reason }) => ({
    name: text,
    verdict,
    value: partText(t, verdict, reason),
  }));
}

function partText(t: Translate, verdict: Verdict, reason: Reason): string {
  const what = verdictText(t, verdict);
  return verdict === "allow" ? what : t("{0}: {1}", what, reasonWords(t, reason));
}
