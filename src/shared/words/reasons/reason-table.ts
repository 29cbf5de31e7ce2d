/** The type of the table of reason words: one row per code, with the reason's values as arguments. */
import type { ReasonCode, ReasonValues } from "../../reason.ts";
import type { Translate } from "../task-words.ts";

/** Each row returns a clause without a final period, in the user's language. */
export type ReasonTable = {
  readonly [C in ReasonCode]: (t: Translate, ...values: ReasonValues[C]) => string;
};

/** The rows for one group of codes. */
export type WordsOf<Codes> = Pick<ReasonTable, keyof Codes & ReasonCode>;
