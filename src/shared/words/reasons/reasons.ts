/** The words for each reason, in the user's language: the same for every host. */
import { ordinaryReasons, type Reason, type ReasonCode } from "../../reason.ts";
import { type Translate, translator } from "../task-words.ts";
import { commandWords } from "./command-reasons.ts";
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

/** In English, for the model and for logs. */
export function reasonInEnglish(reason: Reason): string {
  return reasonWords(english, reason);
}
