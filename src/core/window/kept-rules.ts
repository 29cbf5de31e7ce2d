/** The rules that came or changed during a task stay when the messages that brought them are left out of requests. */
import type { Message, RulesBlock } from "../../shared/message.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Rule } from "../instructions/rule-survey.ts";
import { rulesAfter, rulesDifference, rulesText } from "../instructions/rules.ts";

const INTRO = "These rules came or changed during the task and still apply:";

/**
 * What the messages after the first one changed about the rules, up to `index`, as far as it fits into `tokens`, the newest first; "" if
 * nothing. It depends on these messages alone, so that it stays the same in all later requests.
 */
export function keptRules(messages: readonly Message[], index: number, tokens: number): string {
  const records = messages.slice(0, index + 1).map(recordsIn);
  const all = records.flat();
  const start = all.find(({ changed }) => changed === undefined);
  // What the first message brought stays in all requests.
  const before = rulesAfter(records[0] ?? []) ?? (start && rulesAfter([start]));
  const { changed, gone } = rulesDifference(before?.rules ?? [], rulesAfter(all)?.rules ?? []);
  const parts = changed.length === 0 ? [] : [`${INTRO}\n\n${bounded(changed, tokens)}`];
  if (gone.length > 0) parts.push(`These rules are no longer in force: ${gone.join(", ")}.`);
  return parts.join("\n\n");
}

function recordsIn({ blocks }: Message): RulesBlock[] {
  return blocks.filter((block) => block.type === "rules");
}

function bounded(rules: readonly Rule[], tokens: number): string {
  let room = tokens;
  const texts = rules.toReversed().map((rule) => {
    const text = rulesText([rule]);
    room -= estimateTokens(text);
    return room >= 0
      ? text
      : `(The rules from ${rule.name} are too long to stay here. Read the file again if you work on what it is for.)`;
  });
  return texts.reverse().join("\n\n");
}
