/** An explanation as lines of a terminal: what `nekode judge` prints, and what "w" at an approval does. */
import type { Explanation } from "../shared/explanation.ts";
import { explanationFacts, partFacts } from "../shared/words/explanation-words.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { oneLine } from "./screen.ts";

/** Each with a line feed; the parts of a command after the facts. */
export function explainedLines(explanation: Explanation, t: Translate): string {
  return [
    ...explanationFacts(t, explanation).map(({ name, value }) => `  ${name}: ${oneLine(value)}\n`),
    ...partFacts(t, explanation).map(({ name, value }) => `  - ${oneLine(name)}: ${oneLine(value)}\n`),
  ].join("");
}
