/** What a task that another task started has to say: its result, else the last text that it wrote. */
import { expect, it } from "vitest";
import { lastWords } from "../../../../../src/core/agent/subtasks/child-report.ts";
import { ToolRegistry } from "../../../../../src/core/tools/registry.ts";
import type { Block, Message } from "../../../../../src/shared/message.ts";

const registry = new ToolRegistry();
const text = (words: string): Block => ({ type: "text", text: words });
const thought = (words: string): Block => ({ type: "reasoning", text: words });
const call = (name: string, params: Record<string, string>): Block => ({
  ...{ type: "tool-call", id: "c", name, params },
});

let count = 0;
const answer = (...blocks: Block[]): Message => ({
  ...{ id: `m${count++}`, role: "assistant", createdAt: "2026-01-01T00:00:00Z", blocks },
});

it("is the result that it delivered", () => {
  const messages = [answer(text("First.")), answer(call("attempt_completion", { result: "Two cats." }))];
  expect(lastWords(messages, registry)).toBe("Two cats.");
});

it("is its last text, also of an earlier answer, and never what it thought", () => {
  expect(lastWords([answer(text(" First. ")), answer(text("Second."))], registry)).toBe("Second.");
  const interrupted = [answer(text("First.")), answer(thought("There may be cats."), text("  "))];
  expect(lastWords(interrupted, registry)).toBe("First.");
  expect(lastWords([answer(thought("There may be cats."))], registry)).toBe("");
  expect(lastWords([answer(call("read_file", { path: "a.txt" }))], registry)).toBe("");
});
