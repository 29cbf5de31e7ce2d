/** Formats an explanation for a terminal: the output of `nekode judge` and of "w" at an approval. */
import type { Explanation } from "../shared/explanation.ts";
import { explanationFacts, partFacts } from "../shared/words/explanation-words.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { oneLine } from "./screen.ts";

/** Each line ends with a line feed; the parts of a command follow the facts. */
export function explainedLines(explanation: Explanation, t: Translate): string {
  return [
    ...explanationFacts(t, explanation).map(({ name, value }) => `  ${name}: ${oneLine(value)}\n`),
    ...partFacts(t, explanation).map(({ name, value }) => `  - ${oneLine(name)}: ${oneLine(value)}\n`),
  ].join("");
}
