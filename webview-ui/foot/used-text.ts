import type { Totals } from "../../src/shared/totals.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

/** "" if the content of the context window is not known. */
export function usedText(t: Translate, totals: Totals): string {
  const { contextTokens: used, contextWindow: size, contextEstimated: about = false } = totals;
  if (size === 0) return "";
  const [many, all] = [used.toLocaleString("en"), size.toLocaleString("en")];
  const percent = Math.round(Math.min(1, used / size) * 100);
  return about
    ? t("About {0} of {1} tokens, {2}%. Estimated: the endpoint reports no count.", many, all, percent)
    : t("{0} of {1} tokens, {2}%", many, all, percent);
}
