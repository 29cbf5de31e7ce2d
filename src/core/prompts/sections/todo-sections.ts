import type { PromptFacts } from "../prompt-facts.ts";

export const automaticTodo = ({ wording }: PromptFacts) =>
  wording === "full"
    ? `AUTOMATIC TODO LIST MANAGEMENT

The todo list shows the user where the task stands. Some messages show you the list: review it then. After a switch to ACT MODE, send the whole list with your next call. The user may change the list; continue from their version. Update it without announcing that.`
    : `AUTOMATIC TODO LIST MANAGEMENT

Some messages show you the todo list: review it then. After a switch to ACT MODE, send all of it. The user may change it; their version applies.`;

export const taskProgress = ({ wording }: PromptFacts) =>
  wording === "full"
    ? `UPDATING TASK PROGRESS

Every tool takes the optional parameter task_progress. Its value is the whole todo list as it stands, as a Markdown checklist: "- [ ]" before an open step, "- [x]" before a finished one.

- Begin a list when a task has several steps, with a few items that mean something to the user rather than every small action.
- Mark a step as done once a result shows its success. Always send the whole list, because it replaces the last one.
- Rewrite the list when the plan changes. Before attempt_completion, finish or remove every item.`
    : `UPDATING TASK PROGRESS

Every tool accepts the optional task_progress: the whole todo list as it stands, as a Markdown checklist (- [ ] open, - [x] done). The user sees it.

- Start one for a task of several steps: few, meaningful items. Rewrite it when the plan changes.
- Mark a step as done once a result shows its success.
- Before attempt_completion, finish or remove every item.`;
