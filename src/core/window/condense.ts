/** Condensing: what the model is asked for, how its answer is read, and which messages a summary may stand for. */
import type { Message } from "../../shared/message.ts";
import { protectedFrom } from "./shorten.ts";
import { lastAnswer, mayBegin, type WindowState } from "./window.ts";

const sections: readonly (readonly [title: string, content: string])[] = [
  [
    "Task",
    "what the person asked for, with every later correction, in their own words where wording matters",
  ],
  ["Decisions", "what was decided and why, what was ruled out, and the conventions to keep to"],
  ["Files", "each file that was read, made or changed: its path, what matters in it, and its state now"],
  ["Commands", "what was run and what came of it, as far as it still matters"],
  ["Problems", "what went wrong, how it was solved, and what is still open"],
  ["Pending", "what remains to be done, in order, with the todo list if there is one"],
  ["Now", "what was being done just before, and the very next step, with the exact names and lines it needs"],
];

/** The request for a summary, as the last message of the conversation to be condensed. `focus`: the person's own wish. */
export function condenseInstructions(focus: string): string {
  const list = sections.map(([title, content]) => `## ${title}\n(${content})`).join("\n\n");
  const wish =
    focus.trim() === "" ? "" : `\n\nThe person asks you to pay attention to this above all:\n${focus.trim()}`;
  return `<explicit_instructions type="condense">
The conversation is about to outgrow the context window. Write a summary that takes the place of its earlier part: after it only the task's first message, your summary and the last steps are left, so whatever is needed to go on must be in it.

Answer with the summary alone. Do not call a tool and do not go on with the task. Write in the language of the conversation, in Markdown, with exactly these sections; leave out one that would be empty:

${list}

Be specific: exact paths, names, values, commands and error messages. Quote short pieces of code where the wording counts. If an earlier summary stands above, carry over what still holds.${wish}
</explicit_instructions>`;
}

/** The summary in a model's answer; "" where it gave none. */
export function readSummary(answer: string): string {
  const spoken = answer.replace(/<(think(?:ing)?)>[\s\S]*?<\/\1>/g, "");
  const called = /<condense>\s*<context>([\s\S]*?)<\/context>/.exec(spoken)?.[1];
  const tagged = /<summary>([\s\S]*?)<\/summary>/.exec(spoken)?.[1];
  const text = (called ?? tagged ?? spoken).trim();
  // An answer that is a tool call went on with the task instead.
  return called === undefined && /^<[a-z_]+>\s*<[a-z_]+>/.test(text) ? "" : text;
}

/**
 * Index of the last message that a summary stands for: all but the first message and the last steps, which stay as they
 * are (`keep` estimated tokens of them, and the newest turn in any case). Undefined where nothing lies between.
 */
export function condenseUpTo(
  messages: readonly Message[],
  state: WindowState,
  keep: number,
): number | undefined {
  const newest = lastAnswer(messages);
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
