/** Condensing: the request to the model, the parsing of its answer, and the messages that a summary may replace. */
import type { Message } from "../../shared/message.ts";
import { withoutReasoning } from "../assistant/reasoning-forms.ts";
import { lastAnswerIndex, mayBegin, type WindowState } from "./request-messages.ts";
import { protectedFrom } from "./shorten.ts";

const SECTIONS: readonly (readonly [title: string, content: string])[] = [
  ["Task", "what the user asked for, with every later correction, in their own words where wording matters"],
  ["Decisions", "what was decided and why, what was ruled out, and the conventions to keep to"],
  [
    "Files",
    "each file that was read, created or changed: its path, what matters in it, and its current state",
  ],
  ["Commands", "what was run and the results, as far as they still matter"],
  ["Problems", "what went wrong, how it was solved, and what is still open"],
  ["Pending", "what remains to be done, in order, with the todo list if there is one"],
  ["Now", "what was being done just before, and the very next step, with the exact names and lines it needs"],
];

/** The request for a summary, sent as the last message of the conversation. `focus`: what the user wants emphasized. */
export function condenseInstructions(focus: string): string {
  const list = SECTIONS.map(([title, content]) => `## ${title}\n(${content})`).join("\n\n");
  const emphasis = focus.trim() === "" ? "" : `\n\nThe user asks you to emphasize:\n${focus.trim()}`;
  return `<explicit_instructions type="condense">
The conversation is about to outgrow the context window. Write a summary that replaces its earlier part: only the task's first message, your summary and the last steps will remain, so the summary must contain everything needed to continue.

Answer only with the summary. Do not call a tool and do not continue the task. Write in the language of the conversation, in Markdown, with exactly these sections; omit empty ones:

${list}

Be specific: exact paths, names, values, commands and error messages. Quote short pieces of code where the wording matters. If there is an earlier summary above, carry over what still applies.${emphasis}
</explicit_instructions>`;
}

/** Extracts the summary from a model's answer; "" if there is none. */
export function readSummary(answer: string): string {
  const spoken = withoutReasoning(answer);
  const called = /<condense>\s*<context>([\s\S]*?)<\/context>/.exec(spoken)?.[1];
  const tagged = /<summary>([\s\S]*?)<\/summary>/.exec(spoken)?.[1];
  const text = (called ?? tagged ?? spoken).trim();
  // The model continued the task with a tool call instead.
  return called === undefined && /^<[a-z_]+>\s*<[a-z_]+>/.test(text) ? "" : text;
}

/**
 * Index of the last message that a summary replaces. The first message, the last `keep` estimated tokens and the newest turn
 * stay. undefined: there is nothing between them.
 */
export function condenseUpTo(
  messages: readonly Message[],
  state: WindowState,
  keep: number,
): number | undefined {
  const newest = lastAnswerIndex(messages);
  const first = protectedFrom(messages, keep);
  const begin = (apart: boolean) => {
    let from = first;
    while (from < newest && !mayBegin(messages, from, apart)) from++;
    return from;
  };
  const whole = begin(false);
  const from = whole < newest ? whole : begin(true);
  const upTo = Math.min(from, Math.max(newest, 1)) - 1;
  return upTo > state.leftOutUpTo && upTo >= 1 ? upTo : undefined;
}
