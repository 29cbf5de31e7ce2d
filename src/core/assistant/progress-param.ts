/** The parameter that every tool takes beside its own: the todo list as it is after the call. */
export const progressParam = "task_progress";
