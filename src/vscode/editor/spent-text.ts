import * as vscode from "vscode";
import type { Totals } from "../../shared/totals.ts";

/** What a request cost, in dollars where the price is known. */
export function spentText({ cost, inputTokens, outputTokens }: Totals): string {
  if (cost !== undefined) return `$${cost.toFixed(cost >= 1 ? 2 : 4)}`;
  return vscode.l10n.t("{0} tokens", (inputTokens + outputTokens).toLocaleString("en"));
}
