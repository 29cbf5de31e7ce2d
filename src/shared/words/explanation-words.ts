/** The words of an explanation: the same in the panel, on the terminal and from `nekode judge`. */
import type { Explanation, Remedy, Verdict } from "../explanation.ts";
import type { ReasonData } from "../reason.ts";
import { reasonWords } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

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

function partText(t: Translate, verdict: Verdict, reason: ReasonData): string {
  const what = verdictText(t, verdict);
  return verdict === "allow" ? what : t("{0}: {1}", what, reasonWords(t, reason));
}
