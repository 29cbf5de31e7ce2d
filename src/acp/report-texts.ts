/** Texts of reports, which are the same when a session is replayed as when they were first reported. */
import type { ComparedAnswer } from "../shared/message.ts";
import { parseTodo } from "../shared/todo.ts";
import type { CallRow } from "../shared/view/reducer.ts";
import type { Translate } from "../shared/words/task-words.ts";
import type { Report } from "./reports.ts";

/** Whether the changes of files that the call made are recorded. */
export function hasChanges({ checkpoint }: CallRow): boolean {
  return checkpoint !== undefined && checkpoint.files > 0 && !checkpoint.folders;
}

/** The text of a call that is shown as a message of the agent, with what it offers. */
export function saidText({ text, options = [], proposal }: CallRow, asks: boolean): string {
  const listed = asks ? [] : options.map((option, index) => `${index + 1}. ${option}`);
  const offered = [...listed, ...(proposal === undefined ? [] : [`\`${proposal}\``])].join("\n");
  return offered === "" ? text : `${text}\n\n${offered}`;
}

/** The answer of one of several compared models. */
export function comparedText(
  t: Translate,
  { name, text, outcome }: { name: string; text: string; outcome?: ComparedAnswer["outcome"] | undefined },
): string {
  const ending = outcome === "failed" ? t("Failed") : outcome === "stopped" ? t("Stopped.") : "";
  return `**${name}**\n\n${[text, ending].filter((each) => each !== "").join("\n\n")}\n\n`;
}

export function planReport(markdown: string): Report {
  const items = parseTodo(markdown);
  const current = items.find(({ done }) => !done);
  return {
    type: "plan",
    steps: items.map((item) => ({
      text: item.text,
      state: item.done ? "done" : item === current ? "current" : "pending",
    })),
  };
}

/** How severe a notice is. An editor that cannot show notices shows the severe ones as messages. */
export function severityOf(code: string, values: readonly string[] = []): "info" | "warning" | "error" {
  // A run of a hook, by its outcome.
  if (code === "hook")
    return /^(?:blocked|failed|timed-out|unapproved)$/.test(values[2] ?? "") ? "warning" : "info";
  if (/-limit$|^cost-ahead$/.test(code)) return "warning";
  return WARNINGS.has(code) ? "warning" : ERRORS.has(code) ? "error" : "info";
}

const ERRORS = new Set(["server-gave-up", "store-problem", "taken-over", "condense-failed"]);
const WARNINGS = new Set([
  "interrupted",
  "imported",
  "server-ended",
  "server-not-started",
  "reply-cut",
  "tools-refused",
  "prompt-cut",
  "refused-part",
  "refused-parts",
  "image-type",
  "memory-unusable",
  "rules-left-out",
  "mention-failed",
  "mention-cut",
  "mention-lossy",
  "hooks-waiting",
  "hook-stopped",
  "hook-blocked-message",
]);
