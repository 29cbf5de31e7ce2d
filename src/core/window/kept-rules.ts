/** The rules that came or changed during a task stay when the messages that brought them are left out of requests. */
import type { Message, RulesBlock } from "../../shared/message.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Rule } from "../instructions/rule-survey.ts";
import { rulesDifference, rulesText } from "../instructions/rules.ts";

const INTRO = "These rules came or changed during the task and still apply:";

/**
 * What the messages after the first one changed about the rules, up to `index`, as far as it fits into `tokens`, the newest first; "" if
 * nothing. It depends on these messages alone, so that it stays the same in all later requests.
 */
export function keptRules(messages: readonly Message[], index: number, tokens: number): string {
  const blocks = messages
    .slice(0, index + 1)
    .map(({ blocks }) => blocks.filter(({ type }) => type === "rules"));
  const all = blocks.flat().filter((block) => block.type === "rules");
  const last = all.at(-1);
  const before = inFirst(blocks[0]) ?? all.find(({ changed }) => changed === undefined);
  if (!last || last === before) return "";
  const { changed, gone } = rulesDifference(before?.rules ?? [], last.rules);
  const parts = changed.length === 0 ? [] : [`${INTRO}\n\n${bounded(changed, tokens)}`];
  if (gone.length > 0) parts.push(`These rules are no longer in force: ${gone.join(", ")}.`);
  return parts.join("\n\n");
}

/** The last record of the first message, which stays in all requests. */
function inFirst(blocks: Message["blocks"] = []): RulesBlock | undefined {
  return blocks.findLast((block) => block.type === "rules");
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
