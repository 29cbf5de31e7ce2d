/** Every fixed text that is sent to the model as an answer, in one place. */
import type { Reason } from "../../shared/reason.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import type { Attempt, AttemptKind } from "../assistant/attempts.ts";

export const notRun = {
  stopped: "The person stopped the task before this call ran.",
  started: "The call was interrupted while it ran. What it did is not known: look before you go on.",
  "rejected-before": "Not run, because the person rejected an earlier call of the same message.",
  "turn-over": "Not run, because an earlier call of the same message ended the turn.",
  "cut-off": "The call was cut off before its end, so it was not run. Send it again, whole.",
  unread:
    "Not run, because another call of the same message could not be read. What was wrong with it follows.",
  spoke: "Not run: the person wrote something instead of deciding on it.",
} as const;

export function rejected(comment: string | undefined): string {
  const said = comment === undefined ? "" : `\nThey said:\n<feedback>\n${comment}\n</feedback>`;
  return `The person rejected this call. Nothing was changed.${said}`;
}

export function approvedWith(comment: string): string {
  return `The person approved this call and said:\n<feedback>\n${comment}\n</feedback>`;
}

export function refusedInMode(tool: string, mode: "plan" | "act"): string {
  return mode === "plan"
    ? `${tool} cannot be used in PLAN MODE: nothing may be changed. Present the plan with plan_mode_respond; only the person can switch to ACT MODE.`
    : `${tool} is for PLAN MODE only, and the current mode is ACT MODE. Carry the task out; present the result with attempt_completion.`;
}

export function denied(reason: Reason): string {
  return `The person's settings forbid this: ${reasonInEnglish(reason)}. Find another way, or ask them.`;
}

/** Of a call that would write the placeholder to where the key is. */
export function holdsRemovedKey(placeholder: string): string {
  return `Nothing was done: the call contains ${placeholder}, which stands for the user's API key in what you were shown. The file has the key there. Leave the lines with it as they are: SEARCH for other lines, change only those, and do not write the whole file. If the key itself has to change, ask the user to do it.`;
}

/** What the person says next, in the form that suits what it answers. */
export function answer(end: "completed" | "asked" | "planned", text: string): string {
  const tag = end === "asked" ? "answer" : end === "planned" ? "user_message" : "feedback";
  return `<${tag}>\n${text}\n</${tag}>`;
}

export function userMessage(text: string): string {
  return `<user_message>\n${text}\n</user_message>`;
}

export function task(text: string): string {
  return `<task>\n${text}\n</task>`;
}

export const exploreMore = "Go on exploring with the reading tools, then present the plan.";

/** The result of a plan that waited for an answer when the mode changed; nothing else says so. */
export const switchedToAct = "The person switched to ACT MODE. The plan may now be carried out.";

export const condensing =
  "The person has not answered this yet; they asked for the conversation to be condensed.";

export const continueAfterCut =
  "Your last message was interrupted and is shown above as far as it came. Go on from there.";

export function repeated(times: number): string {
  return `You have made this same call ${times} times with the same result, and nothing has changed in between. Use the result that you have: take another step, or ask the user if you are stuck.`;
}

/** What keeps what looks like a call from being one. */
const unread: Record<AttemptKind, (name: string) => string> = {
  unknown: (name) => `contains something that looks like a call of ${name}, but there is no such tool.`,
  malformed: (name) =>
    `contains something that looks like a call of ${name}, but it does not have the form of one.`,
  "in-code": (name) =>
    `ends with a call of ${name} in a code fence or in back-ticks, which makes it an example. If it is one, leave it as it is and go on or complete the task.`,
  "in-reasoning": (name) =>
    `ends within your reasoning, with a call of ${name} in it. Finish the reasoning before the call.`,
  "other-form": (name) => `contains a call of ${name} in a form that is not read here.`,
};

/** The answer to calls that were not understood. `usage`: how a call is written; "" under native calling. */
export function unreadCalls(attempts: readonly Attempt[], usage: string): string {
  const found = attempts.map(({ kind, name, suggestions }) => {
    const near = suggestions.length > 0 ? ` Did you mean ${suggestions.join(" or ")}?` : "";
    return `Your message ${unread[kind](name)}${near}`;
  });
  const form =
    usage === ""
      ? "Call tools through the function calling interface, not as text."
      : `To call a tool, write it outside code, with nothing around it, in this form:\n\n${usage}`;
  return `${[...new Set(found)].join("\n")}\nIt was not run. ${form}`;
}
