/** The todo list that the model maintains with `PROGRESS_PARAM`, and the reminders to update it. */
import { type Message, toolCalls } from "../../shared/message.ts";
import { PROGRESS_PARAM } from "../assistant/param-names.ts";

/** Requests between two reminders of an existing list. */
const REMINDER_EVERY = 10;
/** Items and characters of the longest list; the rest is cut. */
const MOST_ITEMS = 200;
const LONGEST = 20_000;

export interface TodoState {
  markdown: string;
  /** The model's answers in this task so far. */
  requests: number;
  /** `requests` at the last reminder; 0: never. */
  remindedAt: number;
  first: boolean;
  /** The mode has just become act. */
  enteredAct: boolean;
  planMode: boolean;
  /** The user changed the list, and the model has not received the change yet. */
  edited: boolean;
}

const example = ["- [ ] Read the files concerned", "- [ ] Make the change", "- [ ] Check that it works"].join(
  "\n",
);

/** The reminder for the next user message, or undefined if none is due. */
export function todoReminder(state: TodoState): string | undefined {
  const { enteredAct, edited, planMode, first } = state;
  const list = state.markdown.trim();
  if (edited) {
    return list === ""
      ? "# TODO LIST REMOVED BY THE USER\nThe user removed the todo list. Start another one only if the task needs it."
      : `# TODO LIST CHANGED BY THE USER (${counts(list)})\n${list}\n\nThis list now applies: follow it, keep what the user wrote, and update it with the ${PROGRESS_PARAM} parameter.`;
  }
  if (list !== "") {
    const due = state.requests > 0 && state.requests - state.remindedAt >= REMINDER_EVERY;
    // A new task that already has a list received it from the previous task.
    if (!first && !enteredAct && !due) return undefined;
    return `# TODO LIST (${counts(list)})\n${list}\n\n${advice(list)}`;
  }
  // Starting a task in act mode is not a mode change, even if the user has just selected the mode.
  if (enteredAct && !first) {
    return `# TODO LIST REQUIRED\nThe mode is now ACT MODE. List every step of the work that remains in the ${PROGRESS_PARAM} parameter of your next tool call, in this form:\n${example}`;
  }
  if (!first) return undefined;
  return planMode
    ? `# TODO LIST OPTIONAL\nWhen you present a plan of several steps, you may give them as a todo list in the ${PROGRESS_PARAM} parameter, in this form:\n${example}`
    : `# TODO LIST RECOMMENDED\nFor a task of several steps, start a todo list in the ${PROGRESS_PARAM} parameter of your next tool call, as UPDATING TASK PROGRESS says.`;
}

/** Share of finished steps at which a list counts as nearly done. */
const NEARLY = 0.75;

/** What to do next with the list, depending on its progress. */
function advice(list: string): string {
  const { done, total } = progress(list);
  if (done === 0)
    return `No step is marked as done yet. If some are, mark them now, and mark each later step as soon as it is finished, in the ${PROGRESS_PARAM} parameter of your next tool call.`;
  if (done === total)
    return `Every step is done. Check that the work is complete, then present it with attempt_completion. If something is still missing, add it to the list in the ${PROGRESS_PARAM} parameter of your next tool call.`;
  if (done >= total * NEARLY) {
    const remaining = total - done;
    const rest = remaining === 1 ? "One step remains. Finish it" : `${remaining} steps remain. Finish them`;
    return `${rest}, check the result, and mark what is done in the ${PROGRESS_PARAM} parameter of your next tool call before you complete the task.`;
  }
  return `Mark what has been finished since and continue with the next open step. If the work has changed, rewrite the list to match. Use the ${PROGRESS_PARAM} parameter of your next tool call.`;
}

function counts(list: string): string {
  const { done, total } = progress(list);
  return `${done} of ${total} done`;
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(\S.*)$/;

export function progress(markdown: string): { done: number; total: number } {
  const marks = markdown.split("\n").flatMap((line) => ITEM.exec(line)?.[1] ?? []);
  return { done: marks.filter((mark) => mark !== " ").length, total: marks.length };
}

const NAMED_LIST = new RegExp(
  `${PROGRESS_PARAM}[^\\n]*\\n([\\s\\S]*?)(?=\\n#|\\n</|\\n\\n(?!\\s*(?:[-*+]|\\d+[.)])\\s+\\[)|$)`,
  "i",
);

/**
 * The list that a new task starts with: the one that its context names under `PROGRESS_PARAM`, otherwise `current` if it has
 * open steps, otherwise "".
 */
export function handedOver(context: string, current: string): string {
  const list = cleanTodo(NAMED_LIST.exec(context)?.[1] ?? "");
  if (list !== "") return list;
  const { done, total } = progress(current);
  return done < total ? current : "";
}

/**
 * The items of a list, one per line, with their indentation. Other text is dropped; without items, the result is "".
 */
export function cleanTodo(markdown: string): string {
  const lines = markdown
    .slice(0, LONGEST)
    .split(/\r?\n/)
    .flatMap((line) => {
      const item = ITEM.exec(line);
      const indent = /^\s*/.exec(line)?.[0].replaceAll("\t", "  ") ?? "";
      return item ? [`${indent}- [${item[1] === " " ? " " : "x"}] ${item[2]?.trimEnd()}`] : [];
    });
  return lines.slice(0, MOST_ITEMS).join("\n");
}

/** The todo list of the last call in these messages that contains one. */
export function todoOf(messages: readonly Message[]): string {
  const calls = messages.flatMap(toolCalls);
  const lists = calls.map((call) => call.params[PROGRESS_PARAM]).filter((value) => typeof value === "string");
  return cleanTodo(lists.at(-1) ?? "");
}
