export const automaticTodo = () => `AUTOMATIC TODO LIST MANAGEMENT

Messages remind you to review the todo list, and to write all of it when PLAN MODE changes to ACT MODE. The user may change it; their version applies.`;

export const taskProgress = () => `UPDATING TASK PROGRESS

Every tool takes task_progress: the whole todo list after that call, as a Markdown checklist (- [ ] open, - [x] done). The user sees it.

- Start one for a task of several steps: few, meaningful items. Rewrite it when the plan changes.
- Mark a step as done in the call that completes it.
- Before attempt_completion, finish or remove every item.`;
