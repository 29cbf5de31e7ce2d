/**
 * The one table of reasons: each with a stable code, its values, and words in the user's language. The judges write
 * short English phrases, which are read here; a phrase that no row knows has the code `other`, which a test forbids.
 */
import type { Translate } from "../task-words.ts";
import { commandRules } from "./command-reasons.ts";
import { allowedRules, fileRules, ordinaryRules, policyRules } from "./file-reasons.ts";
import type { Reason, ReasonRule } from "./reason-rule.ts";
import { syntaxRules } from "./syntax-reasons.ts";

export { type Reason, reasonSchema } from "./reason-rule.ts";

/** In this order: the first row that knows a phrase gives its code. */
export const reasonRules: readonly ReasonRule[] = [
  ...ordinaryRules,
  ...allowedRules,
  ...policyRules,
  ...syntaxRules,
  ...fileRules,
  ...commandRules,
];

const byCode = new Map(reasonRules.map((rule) => [rule.code, rule]));
const ordinary = new Set(ordinaryRules.map(({ code }) => code));

/** The code and values of a judge's phrase; `other` with the phrase where no row knows it. */
export function readReason(phrase: string): Reason {
  for (const { code, phrases } of reasonRules) {
    for (const pattern of phrases) {
      const match = pattern.exec(phrase);
      if (match) return { code, values: match.slice(1).map((value) => value ?? "") };
    }
  }
  return { code: "other", values: [phrase] };
}

/** A clause without a final full stop. An `other` reason is shown as it came. */
export function reasonWords(t: Translate, { code, values }: Reason): string {
  const [first = "", second = ""] = values;
  return byCode.get(code)?.words(t, first, second) ?? first;
}

/** The words for a judge's phrase; "" where it only repeats what kind of call asks. */
export function reasonText(t: Translate, phrase: string): string {
  const reason = readReason(phrase);
  return ordinary.has(reason.code) ? "" : reasonWords(t, reason);
}
