/** Answers with more calls or parameters than any model means. */
import { afterEach, describe, expect, it } from "vitest";
import { Answer } from "../../../../src/core/loop/answer.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { delta, sse } from "../../../support/raw-stream.ts";

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const args = JSON.stringify({ path: "a.txt" });
const many = Array.from({ length: 4_000 }, (_, index) => index);

describe("4,000 calls in one answer", () => {
  let agent: Agent;
  afterEach(() => agent.close());

  it.each([
    [
      "native",
      [
        delta({
          tool_calls: many.map((index) => ({
            index,
            id: `c${index}`,
            type: "function",
            function: { name: "read_file", arguments: args },
          })),
        }),
        delta({}, "tool_calls"),
      ],
    ],
    [
      "native, never with a name",
      many.map((index) => delta({ tool_calls: [{ index, id: `c${index}`, function: { arguments: args } }] })),
    ],
    [
      "xml",
      [
        delta({ content: "<read_file>\n<path>a.txt</path>\n</read_file>\n".repeat(4_000) }),
        delta({}, "stop"),
      ],
    ],
  ] as const)(
    "%s: named as too many, none runs, and the task goes on after a retry",
    async (kind, chunks) => {
      const protocol = kind === "xml" ? "xml" : "native";
      agent = await startAgent({
        script: { turns: [{ fault: sse(...chunks), answer: [] }, { answer: [DONE] }] },
        protocol,
        files: { "a.txt": "one\n" },
      });
      await agent.view.send("do it");
      expect((await agent.view.active.idle)?.type).toBe("failed");
      expect(agent.rows().at(-1)).toMatchObject({
        kind: "error",
        error: { code: "response-too-large", detail: "128 tool calls" },
      });
      expect(agent.events.filter(({ type }) => type === "call-running")).toEqual([]);
      await agent.view.active.retry();
      expect((await agent.view.active.idle)?.type).toBe("completed");
      expect(agent.events.filter(({ type }) => type === "call-running")).toEqual([]);
      expect(agent.server.refusals).toEqual([]);
    },
  );
});

describe("many parameters in one call", () => {
  const started = () => {
    let subjects = 0;
    class CountingRegistry extends ToolRegistry {
      override subject(call: Parameters<ToolRegistry["subject"]>[0]): string {
        subjects++;
        return super.subject(call);
      }
    }
    let ids = 0;
    const answer = new Answer({
      messageId: "m",
      registry: new CountingRegistry(),
      newId: () => `id${ids++}`,
      emit: () => undefined,
      watch: () => undefined,
      isGiven: () => false,
      usedIds: new Set(),
    });
    return { answer, asked: () => subjects };
  };

  it("native: what the call is about is looked for once for each parameter of the tool", () => {
    const { answer, asked } = started();
    const keys = many.map((n) => `"key${n}": 1, `).join("");
    const text = `{${keys}"path": "a.txt", ${keys.replaceAll("key", "more")}"start_line": 1}`;
    answer.toolCalls([{ index: 0, id: "c", name: "read_file", arguments: text }]);
    const { subjects } = answer.end(false);
    expect(subjects).toEqual({ c: "a.txt" });
    expect(asked()).toBeLessThan(10);
  });

  it("xml: one that comes again and again counts once", () => {
    const { answer, asked } = started();
    const pair = "<path>a.txt</path>\n<start_line>1</start_line>\n";
    answer.text(`<read_file>\n${pair.repeat(4_000)}</read_file>`);
    answer.end(false);
    expect(asked()).toBeLessThan(10);
  });
});
