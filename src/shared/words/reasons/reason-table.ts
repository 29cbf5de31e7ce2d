/** The shape of the table of words: a row for each code, with its values as arguments. */
import type { ReasonCode, ReasonValues } from "../../reason.ts";
import type { Translate } from "../task-words.ts";

/** Each gives a clause without a final full stop, in the user's language. */
export type ReasonTable = {
  readonly [C in ReasonCode]: (t: Translate, ...values: ReasonValues[C]) => string;
};

/** The rows for the codes of one part of the table. */
export type WordsOf<Codes> = Pick<ReasonTable, keyof Codes & ReasonCode>;
