/**
 * A session's answers as a script that the played model of the repository plays (`test/model-server`), in order and over any
 * API. It contains what models wrote, and only one line of each user message, which names the turn.
 */
import type { Message, ToolCallBlock, Usage } from "../../../shared/message.ts";
import type { StoredSession } from "../session-store.ts";

type ScriptPart =
  | { text: string }
  | { reasoning: string }
  | { tool: string; params: Record<string, unknown> };

interface ScriptTurn {
  name: string;
  answer: ScriptPart[];
  usage?: { promptTokens: number; completionTokens: number; cachedTokens?: number; cost?: number };
  /** How an answer ended that was cut off. */
  fault?: { kind: "cut"; after: number } | { kind: "reset" };
}

export interface AnswerScript {
  /** Turns are used up over all conversations, so that the script also plays if a message is not the recorded one. */
  scope: "server";
  turns: ScriptTurn[];
}

/** Characters of the user's message in a turn's name. */
const NAME_LENGTH = 60;

export function toScript({ messages }: StoredSession): AnswerScript {
  const turns: ScriptTurn[] = [];
  let turn = "";
  for (const message of messages) {
    if (message.display !== undefined) turn = message.display.replace(/\s+/g, " ").trim();
    if (message.role !== "assistant") continue;
    const name = `answer ${turns.length + 1}, after: ${[...turn].slice(0, NAME_LENGTH).join("")}`;
    turns.push({ name, ...turnOf(message) });
  }
  return { scope: "server", turns };
}

function turnOf(message: Message): Omit<ScriptTurn, "name"> {
  const answer = answerParts(message);
  const usage = message.usage && { usage: usageOf(message.usage) };
  if (!message.interrupted) return { answer, ...usage };
  const after = answer.reduce((sum, part) => sum + sizeOf(part), 0);
  return { answer, ...usage, fault: after === 0 ? { kind: "reset" } : { kind: "cut", after } };
}

/** What the model wrote, in order, without calls that were cut off. */
export function answerParts({ blocks }: Pick<Message, "blocks">): ScriptPart[] {
  return blocks.flatMap((block): ScriptPart[] => {
    if (block.type === "text" && block.text !== "") return [{ text: block.text }];
    if (block.type === "reasoning" && block.text !== "") return [{ reasoning: block.text }];
    return block.type === "tool-call" && isComplete(block)
      ? [{ tool: block.name, params: block.params }]
      : [];
  });
}

export function isComplete({ partial }: ToolCallBlock): boolean {
  return !partial;
}

function sizeOf(part: ScriptPart): number {
  if ("text" in part) return [...part.text].length;
  return "reasoning" in part ? [...part.reasoning].length : 0;
}

function usageOf({ inputTokens, outputTokens, cachedTokens, cost }: Usage): NonNullable<ScriptTurn["usage"]> {
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}
