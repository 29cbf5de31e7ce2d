/** What a task that another task started reads after its description, and what the other task reads about it. */

const ALONE =
  "Another task started you for this. It sees only your result, and nobody can answer questions: decide yourself, and name what you assumed.";

/** The first message of such a task. */
export function childTask(description: string, kind: "explore" | "work"): string {
  const how =
    kind === "explore"
      ? "You only read; change nothing. The result of attempt_completion is your report: what you found, with paths and line numbers, briefly."
      : "You work in a git worktree of your own: a copy of the project at its last commit. Do not commit: all changes there are proposed to the user as they are. The result of attempt_completion says what you changed and how you checked it.";
  return `${description}\n\n${ALONE} ${how}`;
}

/** Files of the project's folder with changes that are not committed, which the worktree does not have. */
export function notInWorktree(files: readonly string[]): string {
  return `Not in your copy, because it is not committed: changes of ${files.join(", ")}.`;
}

export interface ChildFacts {
  id: string;
  title: string;
}

/** The result of a call that started a task. `report`: the task's last words; "": it said nothing. */
export function childReport({ id, title }: ChildFacts, how: string, report: string): string {
  const said = report.trim() === "" ? "It reported nothing." : `<report>\n${report}\n</report>`;
  return `Task "${title}" (session ${id}) ${how}\n${said}`;
}

export const CHILD_ENDS = {
  done: "is done.",
  asked: "ended with a question that nobody could answer.",
  stopped: "was stopped by the user before it was done. What it said last:",
  limit: "was ended by a limit of requests or cost before it was done. What it said last:",
  failed: "failed before it was done. What it said last:",
  interrupted: "was interrupted and did not end. It does not run any more. What it said last:",
} as const;

const keptIn = (branch: string) => `Its worktree is kept, on the branch ${branch}`;

const feedback = (comment: string | undefined) =>
  comment === undefined ? "" : `\nThe user's feedback:\n<feedback>\n${comment}\n</feedback>`;

export const CHANGES = {
  none: "It changed no files.",
  applied: (files: readonly string[], comment: string | undefined, branch: string | undefined) => {
    const kept = branch === undefined ? "" : ` ${keptIn(branch)}, because it has more than that.`;
    return `Its changes are approved, and the project has them now: ${files.join(", ")}.${kept}${feedback(comment)}`;
  },
  rejected: (branch: string, comment: string | undefined) =>
    `The user rejected its changes, so the project does not have them. ${keptIn(branch)}.${feedback(comment)}`,
  denied: (branch: string, why: string) =>
    `Its changes were not applied: ${why.replace(/\.$/, "")}. ${keptIn(branch)}.`,
  kept: (branch: string) => `Its changes so far were not applied. ${keptIn(branch)}.`,
} as const;
