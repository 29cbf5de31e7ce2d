/** The todo list that the model keeps through `task_progress`, and the reminders that keep it kept. */

/** After so many requests an existing list is brought to mind again. */
const reminderEvery = 10;
/** Items and characters of the longest list. */
const mostItems = 200;
const longest = 20_000;

export interface TodoState {
  markdown: string;
  /** Answers of the model in this task so far. */
  requests: number;
  /** `requests` when the list was last brought to mind; 0: never. */
  remindedAt: number;
  first: boolean;
  /** The mode has just become act. */
  enteredAct: boolean;
  planMode: boolean;
  /** The person changed the list since the model last heard of it. */
  edited: boolean;
}

const example = ["- [ ] Read the files concerned", "- [ ] Make the change", "- [ ] Check that it works"].join(
  "\n",
);

/** Text for the next user message, or undefined when there is nothing to say. */
export function todoReminder(state: TodoState): string | undefined {
  const { enteredAct, edited, planMode, first } = state;
  const list = state.markdown.trim();
  if (edited) {
    return list === ""
      ? "# TODO LIST REMOVED BY THE PERSON\nThe person took the todo list away. Start another one only if the task needs it."
      : `# TODO LIST CHANGED BY THE PERSON (${counts(list)})\n${list}\n\nThis list holds now: work by it, keep what the person wrote, and update it with the task_progress parameter.`;
  }
  if (list !== "") {
    const due = state.requests > 0 && state.requests - state.remindedAt >= reminderEvery;
    if (!enteredAct && !due) return undefined;
    return `# TODO LIST (${counts(list)})\n${list}\n\nBring it up to date with the task_progress parameter of your next tool call.`;
  }
  if (enteredAct) {
    return `# TODO LIST REQUIRED\nThe plan is now being carried out. Give its steps as a todo list in the task_progress parameter of your next tool call, in this form:\n${example}`;
  }
  if (!first) return undefined;
  return planMode
    ? `# TODO LIST OPTIONAL\nWhen you present a plan of several steps, you may give them as a todo list in the task_progress parameter, in this form:\n${example}`
    : `# TODO LIST RECOMMENDED\nA task of several steps goes better with a todo list, which the person can watch. To start one, give all its steps in the task_progress parameter of your next tool call, in this form, with - [x] for what is done:\n${example}`;
}

function counts(list: string): string {
  const { done, total } = progress(list);
  return `${done} of ${total} done`;
}

const item = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(\S.*)$/;

export function progress(markdown: string): { done: number; total: number } {
  const marks = markdown.split("\n").flatMap((line) => item.exec(line)?.[1] ?? []);
  return { done: marks.filter((mark) => mark !== " ").length, total: marks.length };
}

/**
 * The items of a list, one a line, indented as they were. What stands around them is dropped: a text without items is no
 * list and becomes "".
 */
export function cleanTodo(markdown: string): string {
  const lines = markdown
    .slice(0, longest)
    .split(/\r?\n/)
    .flatMap((line) => {
      const found = item.exec(line);
      const indent = /^\s*/.exec(line)?.[0].replaceAll("\t", "  ") ?? "";
      return found ? [`${indent}- [${found[1] === " " ? " " : "x"}] ${found[2]?.trimEnd()}`] : [];
    });
  return lines.slice(0, mostItems).join("\n");
}
