/** Texts about a batch for the user. */
import { expectedText } from "../shared/words/issue-words.ts";
import type { Translate } from "../shared/words/task-words.ts";
import type { BatchFault } from "./batch-file.ts";
import type { ResultsError } from "./results-file.ts";
import type { TaskFaultCode } from "./task-fault.ts";

/** Names the line, the field, and what it must be. */
export function batchFaultText(t: Translate, file: string, fault: BatchFault): string {
  const place = t("{0}, line {1}:", file, fault.line);
  return fault.field === ""
    ? `${place} ${whatIsWrong(t, fault)}`
    : `${place} ${fault.field}: ${whatIsWrong(t, fault)}`;
}

function whatIsWrong(t: Translate, fault: BatchFault): string {
  switch (fault.code) {
    case "not-json":
      return t("The line is not valid JSON.");
    case "not-an-object":
      return t("The line is not a JSON object.");
    case "missing":
      return t("Is missing.");
    case "repeated-id":
      return t("Line {0} has the same id.", fault.other);
    case "no-place":
      return t("A task requires cwd or repo.");
    case "two-places":
      return t("A task cannot have both cwd and repo.");
    case "no-folder":
      return t("There is no folder {0}.", fault.path);
    case "invalid":
      return fault.issue.code === "unrecognized_keys"
        ? t("A task has no such field.")
        : fieldText(t, fault.field, fault.issue);
  }
}

function fieldText(
  t: Translate,
  field: string,
  issue: Extract<BatchFault, { code: "invalid" }>["issue"],
): string {
  if (issue.code === "too_small" && field !== "timeout") return t("Must not be empty.");
  if (issue.code === "too_small") return t("Must be greater than 0.");
  if (issue.code === "too_big" && field !== "timeout")
    return t("Must have at most {0} characters.", Number(issue.maximum));
  if (issue.code === "invalid_format") return t("Must not begin with -.");
  return expectedText(t, issue);
}

export function taskFaultText(t: Translate, fault: TaskFaultCode): string {
  switch (fault.code) {
    case "not-cloned":
      return t("{0} could not be cloned: {1}", fault.repo, fault.why);
    case "no-revision":
      return t("The repository has no revision {0}.", fault.rev);
    case "no-git":
      return t("Git is not installed.");
    case "no-folder":
      return t(
        "There is no folder {0} on this machine. Use repo for tasks that run on other machines.",
        fault.folder,
      );
    case "no-worktree":
      return t("A worktree of {0} could not be created: {1}", fault.folder, fault.why);
    case "no-guard":
      return t("The task could not be started: {0}", fault.why);
    case "crashed":
      return `${t("The program exited without a report ({0}) each time it was started.", fault.how)} ${fault.errors}`.trimEnd();
    case "overdue":
      return t("The task did not end within {0} s and was ended.", fault.seconds);
    case "large-patch":
      return t(
        "The diff is {0} MB. A queue accepts at most {1} MB. The change is in the worktree, on the machine that ran the task.",
        fault.size,
        fault.most,
      );
    case "cost-limit":
      return t("Stopped because the batch reached its cost limit.");
    case "not-understood":
      return t(
        "The queue contains something that this version of Nekode does not understand: {0}",
        fault.why,
      );
    case "stalled":
      return t("Workers kept exiting while running this task: {0}", fault.why);
  }
}

export function resultsErrorText(t: Translate, { file, fault }: ResultsError): string {
  switch (fault.code) {
    case "in-use":
      return t(
        "Another nekode batch is writing to {0}. Wait for it, choose another file with --out, or use --take-over if it is no longer running.",
        file,
      );
    case "not-a-result":
      return `${t("{0}, line {1}:", file, fault.line)} ${t("The line is not a result of a batch. Correct it, or choose another file with --out. Nekode did not change it.")}`;
    case "not-written":
      return t(
        "The result of {0} could not be written to {1}: {2}. No earlier result is lost. Free space, then run the same command again.",
        fault.id,
        file,
        fault.why,
      );
  }
}
