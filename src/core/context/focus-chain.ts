/** The todo list that the model keeps through `progressParam`, and the reminders that keep it kept. */
import { progressParam } from "../assistant/progress-param.ts";

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
      : `# TODO LIST CHANGED BY THE PERSON (${counts(list)})\n${list}\n\nThis list holds now: work by it, keep what the person wrote, and update it with the ${progressParam} parameter.`;
  }
  if (list !== "") {
    const due = state.requests > 0 && state.requests - state.remindedAt >= reminderEvery;
    // A new task that begins with a list was handed over.
    if (!first && !enteredAct && !due) return undefined;
    return `# TODO LIST (${counts(list)})\n${list}\n\n${advice(list)}`;
  }
  // A task that begins in act mode is no change of the mode, even if the user chose the mode just before.
  if (enteredAct && !first) {
    return `# TODO LIST REQUIRED\nThe mode is now ACT MODE. List every step of the work that remains in the ${progressParam} parameter of your next tool call, in this form:\n${example}`;
  }
  if (!first) return undefined;
  return planMode
    ? `# TODO LIST OPTIONAL\nWhen you present a plan of several steps, you may give them as a todo list in the ${progressParam} parameter, in this form:\n${example}`
    : `# TODO LIST RECOMMENDED\nA task of several steps goes better with a todo list, which the person can watch. To start one, give all its steps in the ${progressParam} parameter of your next tool call, in this form, with - [x] for what is done:\n${example}`;
}

/** Share of the steps from which a list counts as nearly done. */
const nearly = 0.75;

/** What to do with the list, by how far it has come. */
function advice(list: string): string {
  const { done, total } = progress(list);
  if (done === 0)
    return `No step is marked as done yet. If some are, mark them now, and mark each later step as soon as it is finished, in the ${progressParam} parameter of your next tool call.`;
  if (done === total)
    return `Every step is done. Check that the work is complete, then present it with attempt_completion. If something is still missing, add it to the list in the ${progressParam} parameter of your next tool call.`;
  if (done >= total * nearly) {
    const left = total - done;
    const rest = left === 1 ? "One step remains. Finish it" : `${left} steps remain. Finish them`;
    return `${rest}, check the result, and mark what is done in the ${progressParam} parameter of your next tool call before you complete the task.`;
  }
  return `Mark what has been finished since and go on with the next open step. If the work has changed, rewrite the list so that it fits. Use the ${progressParam} parameter of your next tool call.`;
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

const namedList = new RegExp(
  `${progressParam}[^\\n]*\\n([\\s\\S]*?)(?=\\n#|\\n</|\\n\\n(?!\\s*(?:[-*+]|\\d+[.)])\\s+\\[)|$)`,
  "i",
);

/**
 * The list that a new task begins with: the one that its context names under `progressParam`, else what is open of
 * `current`; "" where nothing is.
 */
export function handedOver(context: string, current: string): string {
  const list = cleanTodo(namedList.exec(context)?.[1] ?? "");
  if (list !== "") return list;
  const { done, total } = progress(current);
  return done < total ? current : "";
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
