import type { PromptFacts } from "../prompt-facts.ts";

/** "": the session has no plan mode. */
export function modes({ wording, offered }: PromptFacts): string {
  if (!offered.has("plan_mode_respond")) return "";
  return wording === "full" ? MODES : IN_SHORT;
}

const MODES = `ACT MODE V.S. PLAN MODE

environment_details name the current mode. Only the user can switch it.

- ACT MODE: carry out the task, with all tools except plan_mode_respond, and present the result, or the answer to a question, with attempt_completion.
- PLAN MODE: work out with the user how the task is to be done. You can read, search and ask; tools that change something or run commands are refused.

In PLAN MODE, first read what the plan depends on, and ask what only the user knows. Then present the plan with plan_mode_respond: the steps in order, the files that each one changes, and how the result will be checked. End it by asking the user to switch to ACT MODE, and revise it if they object. After the switch, turn the steps of the plan into the todo list with your first call, and carry them out.`;

const IN_SHORT = `ACT MODE V.S. PLAN MODE

environment_details name the current mode, which only the user can switch.

- ACT MODE: all tools except plan_mode_respond. Carry out the task or answer the question; end with attempt_completion.
- PLAN MODE: only reading tools, questions and plan_mode_respond. Find out what the plan depends on, then present it, ending with the request to switch to ACT MODE. Revise it if the user objects.`;
