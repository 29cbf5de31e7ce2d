/** The words of an explanation: the same in the panel, on the terminal and from `nekode judge`. */
import type { Explanation, Remedy } from "../explanation.ts";
import { accessClassSchema } from "../permission/levels.ts";
import type { ReasonData, Verdict } from "../reason.ts";
import { accessTitle } from "./permission-words.ts";
import { reasonWords } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

export interface Fact {
  name: string;
  value: string;
}

/**
 * The explanation as labeled facts in order, including the reason. A value may contain line feeds and invisible
 * characters, which the host must make visible. `toAllow`: words for what would let the call run; default: the names of settings.
 */
export function explanationFacts(
  t: Translate,
  explanation: Explanation,
  toAllow: typeof remedyText = remedyText,
): Fact[] {
  const { verdict, reason, subject, part, resolved, remedy, examples } = explanation;
  const facts: Fact[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") facts.push({ name, value });
  };
  add(subject === "path" ? t("Path") : t("Command"), part);
  add(t("Resolves to"), resolved);
  add(t("Reason"), reasonWords(t, reason));
  if (verdict === "allow") return facts;
  if (remedy !== undefined) add(t("To allow without asking"), toAllow(t, remedy, subject));
  add(t("Then also allowed, for example"), examples?.runs);
  add(t("Still requires approval, for example"), examples?.asks);
  return facts;
}

function remedyText(t: Translate, remedy: Remedy | null, subject: Explanation["subject"]): string {
  if (!remedy) return nothingText(t, subject);
  const { allow, undeny, settings, mode, unignore } = remedy;
  return [
    ...(mode ? [t("switch to act mode")] : []),
    ...(unignore ? [t("remove the matching line from {0}", ".nekodeignore")] : []),
    ...undeny.map((entry) => t("remove {0} from {1}", quoted(entry), "nekode.commands.deny")),
    ...allow.map((entry) => t("add {0} to {1}", quoted(entry), "nekode.commands.allow")),
    ...settings.map((name) => t("turn on {0}", name)),
  ].join(t(", and "));
}

function nothingText(t: Translate, subject: Explanation["subject"]): string {
  if (subject === "command")
    return t(
      "not possible: commands like this always require approval unless all commands are approved (nekode.approval.commandAll)",
    );
  return subject === "path"
    ? t("not possible: paths like this always require approval")
    : t("not possible: calls like this always require approval");
}

const SETTING = "nekode.approval.";

/** The same in the words of the permission menu. */
export function menuRemedyText(t: Translate, remedy: Remedy | null, subject: Explanation["subject"]): string {
  if (!remedy)
    return subject === "command"
      ? t("not possible, unless “{0}” is allowed", accessTitle(t, "commandAll"))
      : nothingText(t, subject);
  const { allow, undeny, settings, mode, unignore } = remedy;
  return [
    ...(mode ? [t("switch to act mode")] : []),
    ...(unignore ? [t("remove the matching line from {0}", ".nekodeignore")] : []),
    ...undeny.map((entry) => t("remove {0} from the denied commands", quoted(entry))),
    ...allow.map((entry) => t("add {0} to the allowed commands", quoted(entry))),
    ...settings.map((name) => settingText(t, name)),
  ].join(t(", and "));
}

function settingText(t: Translate, name: string): string {
  const known = accessClassSchema.safeParse(name.slice(SETTING.length));
  if (name.startsWith(SETTING) && known.success)
    return t("allow “{0}” in the permission menu", accessTitle(t, known.data));
  return t("turn on {0}", name);
}

function quoted(entry: string): string {
  return `\`${entry}\``;
}

/** One word for the verdict. */
export function verdictText(t: Translate, verdict: Verdict): string {
  if (verdict === "allow") return t("allowed");
  return verdict === "ask" ? t("requires approval") : t("denied");
}

/** Each part of a command line with its own verdict; empty for a command line of one part. */
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
