/**
 * Explains in the user's language why a request to the agent failed. This file must be part of the agent's bundle: another bundle
 * has its own copies of the error classes, and the agent's errors are not instances of those.
 */

import { CommitMessageFailure } from "../../../core/agent/extras/commit-message-request.ts";
import { WorktreeNotCreated } from "../../../core/agent/project/project-worktrees.ts";
import { PromptFailure } from "../../../core/context/server-prompts.ts";
import { Interrupt, ProviderError } from "../../../core/errors.ts";
import { PolicyError } from "../../../core/policy/admin-policy.ts";
import { ImportRefused } from "../../../core/sessions/exchange.ts";
import { SessionTakenOver } from "../../../core/sessions/open/claims.ts";
import { WorktreeUnavailable } from "../../../core/sessions/open/worktree-use.ts";
import { NotSaved } from "../../../core/sessions/problems.ts";
import { errorText } from "../../../shared/words/error-words.ts";
import { importRefusalText } from "../../../shared/words/history-words.ts";
import { noticeText, promptFailureText } from "../../../shared/words/notice-words.ts";
import { policyFaultText } from "../../../shared/words/policy-words.ts";
import { notSavedText, type Translate } from "../../../shared/words/task-words.ts";
import { notCreatedText } from "../../../shared/words/worktree-words.ts";

/** undefined: the failure is not one that requests are expected to have. */
export function failureText(t: Translate, error: unknown): string | undefined {
  if (error instanceof NotSaved) return `${notSavedText(t)} (${error.message})`;
  if (error instanceof PromptFailure) return promptFailureText(t, error);
  if (error instanceof ImportRefused) return importRefusalText(t, error.code, error.detail);
  if (error instanceof Interrupt) return t("Stopped before sending. Your message was restored to the input.");
  if (error instanceof SessionTakenOver)
    return t("This session is active in another window. Your message was not sent.");
  if (error instanceof WorktreeNotCreated) return notCreatedText(t, error.fault);
  if (error instanceof WorktreeUnavailable) return noticeText(t, error.code, [error.branch]);
  if (error instanceof CommitMessageFailure) return commitFailureText(t, error.code);
  if (error instanceof PolicyError) return policyFaultText(t, error.fault);
  if (error instanceof ProviderError) return errorText(t, error.view).text;
  return undefined;
}

function commitFailureText(t: Translate, code: CommitMessageFailure["code"]): string {
  switch (code) {
    case "no-changes":
      return t("None of this turn's changes remain.");
    case "nothing-to-commit":
      return t("There are no changes to commit.");
    case "no-answer":
      return t("The model's answer was empty.");
    case "limit":
      return t("The cost limit has been reached. You can raise it in Settings.");
  }
}
