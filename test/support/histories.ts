/** Random conversations, reproducible from the same random numbers. */
import type { Block, Message } from "../../src/shared/message.ts";

const CREATED_AT = "2025-01-01T00:00:00.000Z";
const TOOLS = ["read_file", "execute_command", "ask_followup_question", "attempt_completion"];

/**
 * A conversation as the loop creates it: user messages, answers with and without calls, results, and steps that free
 * context.
 */
export function conversation(random: () => number, count: number): Message[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const messages: Message[] = [];
  let number = 0;
  const id = () => `m${++number}`;
  while (messages.length < count) {
    if (random() < 0.3) {
      const blocks: Block[] = [{ type: "text", text: `what the model reads ${number}` }];
      if (random() < 0.3) blocks.push({ type: "image", mimeType: "image/png", data: "AAAA" });
      if (random() < 0.2) {
        blocks.push({ type: "window", shortened: ["a", "b"], before: 9, after: 1 });
      }
      const display = random() < 0.8 ? { display: `Question ${number}` } : {};
      messages.push({ id: id(), role: "user", createdAt: CREATED_AT, blocks, ...display });
    }
    const calls = Array.from({ length: Math.floor(random() * 3) }, () => ({
      type: "tool-call" as const,
      id: `call-${++number}`,
      name: pick(TOOLS),
      params: {
        path: "x".repeat(50),
        result: "Done.",
        question: "Which?",
        options: '["a","b"]',
        command: "ls",
      },
      ...(random() < 0.05 ? { partial: true } : {}),
    }));
    messages.push({
      id: id(),
      role: "assistant",
      createdAt: CREATED_AT,
      blocks: [
        ...(random() < 0.3 ? [{ type: "reasoning" as const, text: "Hm." }] : []),
        { type: "text", text: `Answer ${number}` },
        ...calls,
      ],
    });
    for (const call of calls) {
      const label = call.name;
      messages.push({
        id: id(),
        role: "tool",
        createdAt: CREATED_AT,
        blocks: [
          {
            ...{ type: "tool-result", callId: call.id, name: call.name, label },
            outcome: pick(["done", "failed", "rejected"] as const),
            parts: [{ type: "text", text: "y".repeat(100) }],
            ...(random() < 0.5 ? { shown: { added: 1, text: "z" } } : {}),
            removed: [{ path: "a", content: "secret", encoding: "utf8" }],
          },
        ],
        ...(random() < 0.1 ? { display: `An answer ${number}` } : {}),
      });
    }
  }
  return messages;
}
