/** Finds the skills that a conversation has loaded: the model with a tool, or the user with a command. */
import type { Message } from "../../shared/message.ts";
import { estimateTokens } from "../context/tokens.ts";
import { SKILL_TAG } from "../fence.ts";
import { USE_SKILL } from "../tools/use-skill.ts";

export interface LoadedSkill {
  name: string;
  /** In its tag. */
  text: string;
}

const SKILL = new RegExp(`<${SKILL_TAG} name="([^"]+)">[\\s\\S]*?</${SKILL_TAG}>`);
/** How the message of a user who called a skill begins; nothing that they wrote comes before it. */
const CALLED = /^<explicit_instructions type="/;

/** The skills that a message loads. Other texts that look like a skill, such as the content of a file, are none. */
export function skillsOf({ role, blocks }: Message): LoadedSkill[] {
  if (role === "assistant") return [];
  return blocks.flatMap((block) => {
    if (block.type === "tool-result")
      return block.name === USE_SKILL && block.outcome === "done"
        ? block.parts.flatMap((part) => (part.type === "text" ? loadedBy(part.text) : []))
        : [];
    return block.type === "text" && CALLED.test(block.text) ? loadedBy(block.text) : [];
  });
}

function loadedBy(text: string): LoadedSkill[] {
  const [whole, name] = SKILL.exec(text) ?? [];
  return whole === undefined || name === undefined ? [] : [{ name, text: whole }];
}

/**
 * The texts of the skills that the messages after the first one loaded, up to `index`, as far as they fit into `tokens`, the newest
 * first. It depends on these messages alone, so that it stays the same in all later requests.
 */
export function keptSkills(messages: readonly Message[], index: number, tokens: number): string[] {
  const newest = new Map<string, string>();
  for (const message of messages.slice(1, index + 1).reverse())
    for (const { name, text } of skillsOf(message)) if (!newest.has(name)) newest.set(name, text);
  let room = tokens;
  const texts = [...newest].map(([name, text]) => {
    room -= estimateTokens(text);
    return room >= 0 ? text : `(The skill ${name} is too long to stay here. Load it again if you need it.)`;
  });
  return texts.reverse();
}
