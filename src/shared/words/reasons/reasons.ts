/** The words for each reason, in the user's language: the same for every host. */
import type { ShownResult } from "../../message.ts";
import { ordinaryReasons, type Reason, type ReasonCode, reasonSchema } from "../../reason.ts";
import { type Translate, translator } from "../task-words.ts";
import { commandWords } from "./command-reasons.ts";
import { faultWords } from "./fault-reasons.ts";
import { fileWords } from "./file-reasons.ts";
import { ordinaryWords, policyWords } from "./policy-reasons.ts";
import type { ReasonTable } from "./reason-table.ts";
import { syntaxWords } from "./syntax-reasons.ts";

const table: ReasonTable = {
  ...ordinaryWords,
  ...policyWords,
  ...syntaxWords,
  ...fileWords,
  ...commandWords,
  ...faultWords,
};
const english = translator({});

/** A clause without a final full stop; "" for the code `none`. */
export function reasonWords<C extends ReasonCode>(t: Translate, { code, values }: Reason<C>): string {
  return table[code](t, ...values);
}

/** The words for an approval; "" where they would only repeat what kind of call asks. */
export function reasonText(t: Translate, reason: Reason): string {
  return reason.code in ordinaryReasons ? "" : reasonWords(t, reason);
}

/** Why a call was refused; undefined where it was not. */
export function refusalText(
  t: Translate,
  shown: Pick<ShownResult, "reason"> | undefined,
): string | undefined {
  return shown?.reason && t("Not run: {0}", reasonWords(t, shown.reason));
}

/** As a notice carries it, with one value or none; undefined: it is no reason. */
export function wordsOfCode(t: Translate, code: string, value: string): string | undefined {
  const { data } = reasonSchema.safeParse({ code, values: value === "" ? [] : [value] });
  return data && reasonWords(t, data);
}

/** In English, for the model and for logs. */
export function reasonInEnglish(reason: Reason): string {
  return reasonWords(english, reason);
}
