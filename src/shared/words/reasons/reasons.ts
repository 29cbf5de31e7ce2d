/** The words for each reason, in the user's language: the same for every host. */
import type { ReasonData } from "../../reason.ts";
import { type Translate, translator } from "../task-words.ts";
import { commandWords } from "./command-reasons.ts";
import { faultWords } from "./fault-reasons.ts";
import { fileWords } from "./file-reasons.ts";
import { hookWords } from "./hook-reasons.ts";
import { mcpWords, serverWords, signInWords } from "./mcp-reasons.ts";
import { ordinaryWords, policyWords } from "./policy-reasons.ts";
import type { ReasonTable } from "./reason-table.ts";
import { syntaxWords } from "./syntax-reasons.ts";

export const reasonTable: ReasonTable = {
  ...ordinaryWords,
  ...policyWords,
  ...syntaxWords,
  ...fileWords,
  ...commandWords,
  ...serverWords,
  ...faultWords,
  ...mcpWords,
  ...signInWords,
  ...hookWords,
};
const byCode = new Map<string, (t: Translate, ...values: string[]) => string>(Object.entries(reasonTable));
const english = translator({});

/** A clause without a final period; "" for the code `none`. A reason from another version is shown unchanged. */
export function reasonWords(t: Translate, { code, values }: ReasonData): string {
  return byCode.get(code)?.(t, ...values) ?? [code, ...values].join(" ");
}

/** The words for an approval; "" if they would only repeat the kind of call. */
export function reasonText(t: Translate, reason: ReasonData): string {
  return reason.code in ordinaryWords ? "" : reasonWords(t, reason);
}

/** Why a call was refused or failed; undefined: it was not, or its text says why. */
export function refusalText(
  t: Translate,
  shown: { reason?: ReasonData | undefined; fault?: ReasonData | undefined } | undefined,
): string | undefined {
  if (shown?.reason) return t("Not run: {0}", reasonWords(t, shown.reason));
  return shown?.fault && reasonWords(t, shown.fault);
}

/** A reason as a notice contains it, with one value or none; undefined: the code is not a reason. */
export function wordsOfCode(t: Translate, code: string, value: string): string | undefined {
  return byCode.get(code)?.(t, value);
}

/** In English, for the model and for logs. */
export function reasonInEnglish(reason: ReasonData): string {
  return reasonWords(english, reason);
}
