/**
 * The fixed replies to the model: results of calls that did not run, wrappers for the user's words, and what a subtask and its parent
 * task read of each other.
 */
import type { Reason } from "../../shared/reason.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import type { AttemptKind, CallAttempt } from "../assistant/attempts.ts";
import type { ApprovedPlace } from "../ports/sandbox.ts";
import { PLACE_PARAMS } from "../tools/sandbox-block.ts";

export const NOT_RUN = {
  stopped: "The user stopped the task before this call ran.",
  started: "The call was interrupted while it ran. Its effects are unknown: check before you continue.",
  "rejected-before": "Not run, because the user rejected an earlier call in the same message.",
  "turn-over": "Not run, because an earlier call in the same message ended the turn.",
  "cut-off": "The call was cut off before its end, so it was not run. Send the complete call again.",
  "malformed-call":
    "Not run, because another call in the same message could not be read. The reason follows.",
  "user-replied": "Not run: the user sent a message instead of a decision.",
} as const;

/** The request for a call alone, whose form the endpoint enforces. */
export function callAlone(tool: string, none: string): string {
  return `Your last message contains a call of ${tool} that could not be read. Write that call alone, with the same arguments, as a JSON object with "name" and "arguments". If your message was not meant as a call, the name is "${none}".`;
}

export function onlyOneCall(tool: string): string {
  return `Not run: a message can contain only one call of ${tool}. Look at the result of the first one, then decide on the next.`;
}

export function rejected(comment: string | undefined): string {
  const feedback = comment === undefined ? "" : `\nTheir feedback:\n<feedback>\n${comment}\n</feedback>`;
  return `The user rejected this call. Nothing was changed.${feedback}`;
}

export function approvedWith(comment: string): string {
  return `The user approved this call with this comment:\n<feedback>\n${comment}\n</feedback>`;
}

export function refusedInMode(tool: string, mode: "plan" | "act"): string {
  return mode === "plan"
    ? `${tool} cannot be used in PLAN MODE, where nothing may be changed. Present the plan with plan_mode_respond; only the user can switch to ACT MODE.`
    : `${tool} is for PLAN MODE only, and the current mode is ACT MODE. Carry out the task; present the result with attempt_completion.`;
}

export function refusedByAgent(tool: string, agent: string): string {
  return `The user chose the agent ${agent} for this session, which does not have ${tool}. Do without it, and say what you could not do. Only the user can choose another agent.`;
}

export function refusedSwitchedOff(tool: string): string {
  return `The user switched the tool ${tool} off. Do without it, and say what you could not do.`;
}

export function denied(reason: Reason): string {
  return `The user's settings forbid this: ${reasonInEnglish(reason)}. Find another way, or ask them.`;
}

/** The reply to a call that would write the placeholder over the API key. */
export function containsRemovedKey(placeholder: string): string {
  return `The call was not run: it contains ${placeholder}, which replaces the user's API key in what you were shown. The file contains the key itself. Leave those lines as they are: SEARCH for other lines, change only those, and do not write the whole file. If the key must change, ask the user to change it.`;
}

/** The user's next message, in the tag that matches how the turn ended. */
export function answer(end: "completed" | "asked" | "planned", text: string): string {
  const tag = end === "asked" ? "answer" : end === "planned" ? "user_message" : "feedback";
  return `<${tag}>\n${text}\n</${tag}>`;
}

export function userMessage(text: string): string {
  return `<user_message>\n${text}\n</user_message>`;
}

/** The reply to a final answer that does not fit the schema that the user requires. `problem`: what does not fit, and where. */
export function misfitCall(tool: string, problem: string): string {
  return `The task has not ended, because the output does not fit the required JSON schema: ${problem}. Send the call of ${tool} again, with the complete output.`;
}

export function misfitReply(problem: string): string {
  return `The task has not ended: its final answer must fit a JSON schema, and ${problem}. End it with the tool for the final answer, with the complete output.`;
}

/** Follows the message with which the user lets a command run that the sandbox blocked. */
export function runApproved({ command, place }: { command: string; place: ApprovedPlace }): string {
  return `Run exactly this command again, with ${PLACE_PARAMS[place]} true; I have approved it. Then continue.\n<command>\n${command}\n</command>`;
}

export function task(text: string): string {
  return `<task>\n${text}\n</task>`;
}

/** The beginning of the result of a plan that the user starts; the model learns of the change of the mode only here. */
export const SWITCHED_TO_ACT = "The user switched to ACT MODE. Carry out the plan.";

/** What surrounds the text of a plan. */
export const PLAN_TAGS = ["\n<plan>\n", "\n</plan>"] as const;

/** `edited`: the text of a plan that the user changed in the editor. */
export function switchedToAct(edited: string | undefined): string {
  return edited === undefined
    ? SWITCHED_TO_ACT
    : `${SWITCHED_TO_ACT} The user edited it; this is the plan now:${PLAN_TAGS.join(edited)}`;
}

/** The same before a message of the user's. */
export function switchedWithMessage(edited: string | undefined): string {
  return `${switchedToAct(edited)}\nWhere the plan differs from the user's message, follow the message.`;
}

/** The beginning of the message with which the user starts a plan. */
export const START_PLAN = "Carry out this plan, which was made in PLAN MODE.";

export function startPlan(plan: string): string {
  return `${START_PLAN}${PLAN_TAGS.join(plan)}`;
}

/** How a plan becomes a document. The model reads it in plan mode only. */
export const PLAN_DOCUMENT =
  "# PLAN DOCUMENT\nThe user can comment on the lines of a plan and start it. When you present or revise a plan with plan_mode_respond, write all of it, begin with its title as a heading (# Title), put the path of each file that will change in backticks, say which of them are new, and list the steps as - [ ] items. Other answers do not begin with a heading.";

/** The beginning of the result of a completion that differs from the plan. It is sent once for each plan. */
export const PLAN_DIFFERS = "The task has not ended yet, because its changes differ from the plan.";

export function planDiffers(facts: readonly string[]): string {
  return `${PLAN_DIFFERS}\n${facts.map((fact) => `- ${fact}`).join("\n")}\nDo what is missing. Where the plan no longer applies, complete the task again and say why in the result. You are told this only once.`;
}

/** What the user wrote beside lines of a plan. The quoted lines are the plan's. */
export function planComments(title: string, comments: readonly PlanCommentText[]): string {
  const quoted = comments.map(({ line, quote, text }) => `Line ${line}:\n> ${quote}\n${text}`);
  return `Comments on the plan ${JSON.stringify(title)}. Revise it and present all of it again.\n\n${quoted.join("\n\n")}`;
}

/** Follows the comments if the user also changed the text of the plan. */
export function editedPlan(plan: string): string {
  return `I also edited the plan. This is its text now, in which the lines are counted:${PLAN_TAGS.join(plan)}`;
}

export interface PlanCommentText {
  /** 1-based. */
  line: number;
  /** The line of the plan. */
  quote: string;
  /** What the user wrote. */
  text: string;
}

export const CONDENSING = "The user has not answered this yet; they asked to condense the conversation.";

export const CONTINUE_AFTER_CUT =
  "Your last message was interrupted and is shown above as far as it was received. Continue from there.";

export const CUT_FOR_MESSAGE =
  "The user ended your last message with this one, before it was complete; it is shown above as far as it was received.";

export function repeated(times: number): string {
  return `You have made this same call ${times} times with the same result, and nothing has changed in between. Use the result you have: take another step, or ask the user if you are stuck.`;
}

export function editedAgain(times: number): string {
  return `You have made this same call ${times} times since the user's last message, so what it changes was undone or was there already. Look at the file as it is now and take another step, or ask the user if you are stuck.`;
}

/** Why text that looks like a call is not a call. */
const ATTEMPT_PROBLEMS: Record<AttemptKind, (name: string) => string> = {
  unknown: (name) => `contains something that looks like a call of ${name}, but there is no such tool.`,
  malformed: (name) =>
    `contains something that looks like a call of ${name}, but it does not have the form of one.`,
  "in-code": (name) =>
    `ends with a call of ${name} in a code fence or in backticks, which makes it an example. If it is an example, leave it as it is and continue or complete the task.`,
  "in-reasoning": (name) =>
    `ends within your reasoning, with a call of ${name} in it. End the reasoning before the call.`,
  "other-form": (name) => `contains a call of ${name} in a form that is not supported here.`,
};

/** The reply to malformed calls. `usage`: the form of a call; "" under native calling. */
export function malformedCalls(attempts: readonly CallAttempt[], usage: string): string {
  const problems = attempts.map(({ kind, name, suggestions }) => {
    const near = suggestions.length > 0 ? ` Did you mean ${suggestions.join(" or ")}?` : "";
    return `Your message ${ATTEMPT_PROBLEMS[kind](name)}${near}`;
  });
  const form =
    usage === ""
      ? "Call tools through the function calling interface, not as text."
      : `To call a tool, write it outside code, with nothing around it, in this form:\n\n${usage}`;
  return `${[...new Set(problems)].join("\n")}\nIt was not run. ${form}`;
}

/** What a subtask reads after its description. */
const ALONE =
  "Another task started you for this. It sees only your result, and nobody can answer questions: decide yourself, and name what you assumed.";

/** The first message of a subtask. */
export function subtaskMessage(description: string, kind: "explore" | "work"): string {
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

export interface SubtaskFacts {
  id: string;
  title: string;
}

/** The result of a call that started a subtask. `report`: its result, or the last text that it wrote; "": there is none. */
export function subtaskResult({ id, title }: SubtaskFacts, how: string, report: string): string {
  const result = report.trim() === "" ? "It reported nothing." : `<report>\n${report}\n</report>`;
  return `Task "${title}" (session ${id}) ${how}\n${result}`;
}

export const SUBTASK_ENDS = {
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
    const rest = branch === undefined ? "" : ` ${keptIn(branch)}, because it has more than that.`;
    return `Its changes are approved, and the project has them now: ${files.join(", ")}.${rest}${feedback(comment)}`;
  },
  rejected: (branch: string, comment: string | undefined) =>
    `The user rejected its changes, so the project does not have them. ${keptIn(branch)}.${feedback(comment)}`,
  denied: (branch: string, why: string) =>
    `Its changes were not applied: ${why.replace(/\.$/, "")}. ${keptIn(branch)}.`,
  kept: (branch: string) => `Its changes so far were not applied. ${keptIn(branch)}.`,
} as const;

/** What a hook of the user's says. Its output may quote anything, so it is marked as what it is. */
export function hookContext(text: string): string {
  return `<hook_output>\n${text}\n</hook_output>`;
}

export function hookDenied(reason: string): string {
  return `Not run: a hook that the user set up blocked this call.${said(reason)}`;
}

export function hookChanged(params: string): string {
  return `A hook that the user set up changed the arguments of this call before it ran. They were: ${params}`;
}

export function hookChangedInput(tool: string): string {
  return `Not run: a hook that the user set up changed the input of ${tool}, and this call cannot be changed that way. Make the change in smaller calls, such as one for each file.`;
}

export function hookContinues(reason: string): string {
  return `The task does not end yet: a hook that the user set up wants you to continue.${said(reason)}`;
}

function said(reason: string): string {
  return reason === "" ? "" : `\n${hookContext(reason)}`;
}
