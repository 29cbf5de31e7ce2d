/** The words for hooks, for every host. */
import type { HookReader, HookRunOutcome, HookState } from "../hook-list.ts";
import type { Translate } from "./task-words.ts";

/** `values`: see `HookNotice`; without what the hook printed. */
export function hookRunText(
  t: Translate,
  [event = "", command = "", outcome = "", why = ""]: readonly string[],
): string {
  const ends: Readonly<Record<string, string>> = {
    running: t("is running…"),
    done: t("done"),
    blocked: t("blocked"),
    asked: t("asks you"),
    allowed: t("allowed"),
    failed: t("failed, so it decided nothing"),
    "timed-out": t("took longer than {0} s, so it decided nothing", why),
    stopped: t("stopped"),
    unapproved: t("was not run"),
  } satisfies Record<HookRunOutcome, string>;
  const text = t("Hook {0}: {1}: {2}", event, command, ends[outcome] ?? outcome);
  if (why === "" || outcome === "timed-out") return text;
  // An exit code alone says little. Only 2 blocks, which surprises those who wrote 1.
  if (outcome === "failed" && /^\d+$/.test(why))
    return `${text}. ${t("Exit code {0}. Only exit code 2 blocks.", why)}`;
  return `${text}. ${why}`;
}

export function hookStateText(t: Translate, state: HookState): string {
  return {
    approved: t("approved"),
    new: t("requires approval"),
    changed: t("changed, requires approval"),
    off: t("disabled"),
  }[state];
}

/** The agent whose file it is. These are names. */
export const HOOK_READERS: Readonly<Record<HookReader, string>> = {
  claude: "Claude Code",
  vscode: "VS Code",
  copilot: "GitHub Copilot",
  codex: "Codex",
};
