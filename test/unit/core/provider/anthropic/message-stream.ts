/** Events of the Messages API, as its endpoints send them. */
import { stream } from "../../../../support/raw-stream.ts";

export const START = { type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } };
export const start = (index: number, block: object) => ({
  type: "content_block_start",
  index,
  content_block: block,
});
export const delta = (index: number, fields: object) => ({
  type: "content_block_delta",
  index,
  delta: fields,
});
export const stop = (index: number) => ({ type: "content_block_stop", index });
export const finish = (reason: string, usage: object = { output_tokens: 5 }) => ({
  ...{ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
});
export const END = { type: "message_stop" };
export const text = (index: number, ...words: string[]) => [
  start(index, { type: "text", text: "" }),
  ...words.map((word) => delta(index, { type: "text_delta", text: word })),
  stop(index),
];

export function answer(...content: object[]): string {
  const blocks = content.length > 0 ? content : text(0, "Fine.");
  return stream(START, { type: "ping" }, ...blocks, finish("end_turn"), END);
}
