/** Numbers in a short format for a narrow panel. */

import type { Totals } from "../../src/shared/totals.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

/** 950, 12k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 9_950) return `${(count / 1_000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** USD with as many decimals as the amount needs: $12.35, $0.0123. */
export function dollars(cost: number): string {
  return `$${cost.toFixed(cost >= 1 ? 2 : 4)}`;
}

/** 0.8 s, 12 s, 2 min 5 s. */
export function duration(t: Translate, milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return t("{0} s", seconds.toFixed(1));
  if (seconds < 60) return t("{0} s", Math.round(seconds));
  return t("{0} min {1} s", Math.floor(seconds / 60), Math.round(seconds % 60));
}

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
