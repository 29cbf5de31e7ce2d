import { expect } from "vitest";
import {
  type AssistantBlock,
  type AssistantEvent,
  foldEvents,
} from "../../../../src/core/assistant/events.ts";
import {
  createAssistantParser,
  parseAssistantMessage,
} from "../../../../src/core/assistant/xml/xml-protocol.ts";

/** The tools of the XML tests. */
export const tools = [
  { name: "read_file", params: ["path", "start_line", "end_line"] },
  { name: "write_to_file", params: ["path", "content"] },
  { name: "replace_in_file", params: ["path", "diff"] },
  { name: "execute_command", params: ["command", "requires_approval"] },
  { name: "attempt_completion", params: ["result", "command"] },
  { name: "load_mcp_documentation", params: [] },
];

/** The blocks of the message, which must be the same one code unit at a time. */
export function parse(message: string): AssistantBlock[] {
  const blocks = parseAssistantMessage(message, tools);
  expect(foldEvents(stream(message.split("")))).toEqual(blocks);
  return blocks;
}

/** The events of the chunks, to the end. */
export function stream(chunks: string[]): AssistantEvent[] {
  const parser = createAssistantParser(tools);
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

export const text = (value: string): AssistantBlock => ({ type: "text", text: value });
export const reasoning = (value: string): AssistantBlock => ({ type: "reasoning", text: value });
export const call = (name: string, params: Record<string, string>, partial = false): AssistantBlock => ({
  type: "tool",
  name,
  params,
  partial,
});
