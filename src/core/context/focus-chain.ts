/** The todo list that the model keeps through `task_progress`, and the reminders that keep it kept. */

/** Every so many requests an existing list is brought to mind. */
const reminderEvery = 10;

export interface TodoState {
  markdown: string;
  /** Requests of this task so far. */
  requests: number;
  first: boolean;
  /** The mode has just become act. */
  enteredAct: boolean;
  planMode: boolean;
}

const example = ["- [ ] Read the files concerned", "- [ ] Make the change", "- [ ] Check that it works"].join(
  "\n",
);

/** Text for the next user message, or undefined when there is nothing to say. */
export function todoReminder(state: TodoState): string | undefined {
  const list = state.markdown.trim();
  if (list !== "") {
    if (!state.enteredAct && (state.requests === 0 || state.requests % reminderEvery !== 0)) return undefined;
    const { done, total } = progress(list);
    return `# TODO LIST (${done} of ${total} done)\n${list}\n\nBring it up to date with the task_progress parameter of your next tool call.`;
  }
  if (state.enteredAct) {
    return `# TODO LIST REQUIRED\nThe plan is now being carried out. Give its steps as a todo list in the task_progress parameter of your next tool call, in this form:\n${example}`;
  }
  if (!state.first || state.planMode) return undefined;
  return `# TODO LIST RECOMMENDED\nA task of several steps goes better with a todo list, which the person can watch. To start one, give all its steps in the task_progress parameter of your next tool call, in this form, with - [x] for what is done:\n${example}`;
}

export function progress(markdown: string): { done: number; total: number } {
  const items = markdown.match(/^\s*[-*] \[[ xX]\] /gm) ?? [];
  return { done: items.filter((item) => /\[[xX]\]/.test(item)).length, total: items.length };
}

/** A list that holds no items is no list; what the model wrote around it is dropped. */
export function cleanTodo(markdown: string): string {
  return markdown
    .split("\n")
    .filter((line) => /^\s*[-*] \[[ xX]\] \S/.test(line))
    .map((line) => line.trimEnd())
    .join("\n");
}
