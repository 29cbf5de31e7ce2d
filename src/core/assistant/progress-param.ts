/** The parameter that every tool accepts in addition to its own: the todo list after the call. */
export const PROGRESS_PARAM = "task_progress";
