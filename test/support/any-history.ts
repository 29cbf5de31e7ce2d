/** Histories as no loop would write them: orphaned calls, results before calls, repeated ids, empty contents. */
import type { Block, Message } from "../../src/shared/message.ts";
import type { ModelChoice } from "../../src/shared/models/connection.ts";
import { fc } from "./property.ts";

const texts = fc.oneof(
  fc.constantFrom("", " ", "\n\n", "Fine.", "done \n", "half a pair: \ud83d", "\udc00", "猫", "<tool>"),
  fc.string({ maxLength: 20, unit: "grapheme" }),
);
const ids = fc.constantFrom("a", "b", "a", "", "call:1", "functions.read_file:0", "日本", "x".repeat(80));
const names = fc.constantFrom(
  "read_file",
  "read_file",
  "execute_command",
  "a.b c",
  "",
  "ツール",
  "n".repeat(150),
);
const images = fc.record({
  mimeType: fc.constantFrom("image/png", "image/jpeg", "image/webp", "image/bmp"),
  data: fc.constant("iVBORw0KGgo="),
});
const opaque = fc.constantFrom<Record<string, unknown>>(
  {},
  { type: "thinking" },
  { type: "thinking", thinking: "x", signature: "" },
  { type: "redacted_thinking" },
  { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" },
  { type: "reasoning", id: "rs_1" },
);

export interface HistoryOptions {
  /** The model that gets the history. */
  recipient: ModelChoice;
  /** Returns the opaque form of reasoning that the recipient's endpoint signed, for this text. */
  signed?: (text: string) => Record<string, unknown>;
}

/** Returns arbitrary messages. Those of the recipient contain what its endpoint signed, or what cannot be sent back. */
export function anyHistory({ recipient, signed }: HistoryOptions): fc.Arbitrary<Message[]> {
  const ownReasoning = fc.tuple(texts, fc.option(opaque, { freq: 1 })).map(([text, other]): Block => {
    const form = other ?? signed?.(text);
    return { type: "reasoning", text, ...(form ? { signed: form } : {}) };
  });
  const otherReasoning = fc.record({
    type: fc.constant("reasoning" as const),
    text: texts,
    signed: fc.oneof(opaque, fc.constant({ type: "thinking", thinking: "x", signature: "another's" })),
  });
  const call: fc.Arbitrary<Block> = fc.record({
    type: fc.constant("tool-call" as const),
    id: ids,
    name: names,
    params: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(texts, fc.jsonValue({ maxDepth: 2 }))),
  });
  const result: fc.Arbitrary<Block> = fc.record({
    type: fc.constant("tool-result" as const),
    callId: ids,
    name: names,
    label: texts,
    outcome: fc.constantFrom("done" as const, "failed" as const, "not-run" as const),
    parts: fc.array(
      fc.oneof(
        texts.map((text) => ({ type: "text" as const, text })),
        images.map((image) => ({ type: "image" as const, ...image })),
      ),
      { maxLength: 3 },
    ),
  });
  const said: fc.Arbitrary<Block> = fc.oneof(
    texts.map((text) => ({ type: "text" as const, text })),
    images.map((image) => ({ type: "image" as const, ...image })),
  );
  const text = texts.map((words): Block => ({ type: "text", text: words }));
  const blocks = (...kinds: fc.Arbitrary<Block>[]) => fc.array(fc.oneof(...kinds), { maxLength: 4 });
  const own = { model: recipient.model, connection: recipient.connection.name };
  const contents: fc.Arbitrary<Pick<Message, "role" | "blocks" | "model" | "connection">> = fc.oneof(
    blocks(said).map((list) => ({ role: "user" as const, blocks: list })),
    blocks(result, result, said).map((list) => ({ role: "tool" as const, blocks: list })),
    blocks(text, call, ownReasoning).map((list) => ({ role: "assistant" as const, blocks: list, ...own })),
    blocks(text, call, otherReasoning).map((list) => ({
      ...{ role: "assistant" as const, blocks: list, model: "another", connection: own.connection },
    })),
  );
  return fc
    .array(contents, { maxLength: 10 })
    .map((list) =>
      list.map((content, index) => ({ ...content, id: `m${index}`, createdAt: "2025-01-01T00:00:00Z" })),
    );
}
