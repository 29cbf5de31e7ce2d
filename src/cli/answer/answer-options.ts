/** The options of `nekode answer`, which answers the call that a paused session waits with. */
import { UsageError } from "../usage-error.ts";

export const ANSWER_USAGE = `Usage: nekode answer ID yes --shown CODE [WORDS] [options]
       nekode answer ID no [WORDS] [options]

Answers the call that session ID waits with, and goes on with the task. A run that ends with exit code 4 prints the command.
CODE stands for exactly what was shown: if something else waits by now, such as a change to a file that has changed since, or
without CODE, it is shown with its own code, and nothing is approved. WORDS are for the model. The options are those of a run.
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
  if (verdict === "no" && shown !== undefined) throw new UsageError("--shown belongs to yes");
  return { id, answer: { approved: verdict === "yes", words, shown } };
}
