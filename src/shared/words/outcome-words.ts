/** The words for how a call ended and what its result was. They have a file of their own, because only rows need them. */
import type { ShownResult } from "../message.ts";
import { signalOfExit } from "../signals.ts";
import type { ToolPresentation } from "../tool-presentation.ts";
import type { CallState } from "../view/reducer.ts";
import type { Translate } from "./task-words.ts";

interface UnsuccessfulEnd {
  /** null: a signal ended the command. */
  exitCode: number | null;
  signal?: string | null;
  stoppedByUser?: boolean | undefined;
}

/** How a command ended that the user stopped or that failed. */
export function exitText(t: Translate, { exitCode, signal, stoppedByUser }: UnsuccessfulEnd): string {
  if (stoppedByUser) return t("Stopped by you");
  const ended = exitCode === null ? (signal ?? "SIGKILL") : signalOfExit(exitCode);
  return ended === undefined ? t("exit code {0}", exitCode ?? 0) : t("ended by {0}", ended);
}

/** The state in one word, for the end of a row and for screen readers; empty if the title already includes it. */
export function callStateText(t: Translate, state: CallState): string {
  switch (state) {
    case "approval":
      return t("waiting for your approval");
    case "failed":
      return t("failed");
    case "rejected":
      return t("rejected");
    case "interrupted":
      return t("interrupted");
    case "not-run":
      return t("not run");
    case "done":
    case "streaming":
    case "running":
      return "";
  }
}

/** Why a call changed nothing, in cases where the user does not have to act. */
export function noteText(t: Translate, note: NonNullable<ShownResult["note"]>): string {
  return note === "unchanged" ? t("unchanged") : t("not applied");
}

/** The result of a call, for the end of its row: its own text, with a bare count phrased in words. */
export function callDetail(
  translate: Translate,
  presentation: ToolPresentation | undefined,
  shown: ShownResult | undefined,
): string {
  const text = shown?.text ?? "";
  const { one, many, range } = presentation?.found ?? {};
  if (range !== undefined && /^\d+-\d+ \/ \d+$/.test(text)) return translate(range, text);
  const phrase = text === "1" ? one : many;
  return phrase === undefined || !/^\d+\+?$/.test(text) ? text : translate(phrase, text);
}
