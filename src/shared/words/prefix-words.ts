/** The words for breaks of the prompt cache. */
import type { PrefixBreakCause } from "../totals.ts";
import type { Translate } from "./task-words.ts";

/** Why the endpoint's prompt cache does not apply to a request, within a sentence. */
export function prefixBreakText(t: Translate, cause: string): string {
  const words: Record<PrefixBreakCause, string> = {
    model: t("the model changed"),
    protocol: t("the model calls tools in another way"),
    tools: t("the tools changed"),
    instructions: t("the instructions changed"),
    form: t("the endpoint requires another format"),
    refused: t("refused content is left out"),
    window: t("the conversation was shortened"),
    unknown: t("the beginning of the request changed"),
  };
  return Object.entries(words).find(([name]) => name === cause)?.[1] ?? cause;
}
