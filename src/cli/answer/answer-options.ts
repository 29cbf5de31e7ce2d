/** The options of `nekode answer`, which approves or rejects the pending call of a paused session. */
import { UsageError } from "../usage-error.ts";

export const ANSWER_USAGE = `Usage: nekode answer ID yes --shown CODE [WORDS] [options]
       nekode answer ID no [WORDS] [options]

Approves or rejects the call that session ID is waiting for, and continues the task. A run that ends with exit code 4 prints
this command. CODE identifies exactly what was shown. Without CODE, or if the call or a file that it changes is different by
now, nothing is approved: the call is shown again with its own code. WORDS are a comment for the model. The options are those
of a run.
`;

export interface GivenAnswer {
  approved: boolean;
  words: string | undefined;
  /** What the user was shown, as `shownCode` names it. */
  shown: string | undefined;
}

/** Throws UsageError. */
export function givenAnswer(
  [id, verdict, words, ...more]: readonly string[],
  shown: string | undefined,
): { id: string; answer: GivenAnswer } {
  if (id === undefined || (verdict !== "yes" && verdict !== "no") || more.length > 0)
    throw new UsageError("nekode answer expects a session's ID, yes or no, and at most one text in quotes");
  if (verdict === "no" && shown !== undefined) throw new UsageError("--shown can be used only with yes");
  return { id, answer: { approved: verdict === "yes", words, shown } };
}
