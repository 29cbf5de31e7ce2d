/** Ids of calls: some endpoints restart at 1 in each message, or give two calls of a message the same one. */
import { expect, it } from "vitest";
import { Answer } from "../../../../src/core/loop/answer.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";

function idsOf(given: readonly string[], used: readonly string[]): string[] {
  let count = 0;
  const answer = new Answer({
    messageId: "m",
    registry: new ToolRegistry(),
    newId: () => `new${++count}`,
    emit: () => undefined,
    watch: () => undefined,
    isGiven: () => false,
    usedIds: new Set(used),
  });
  answer.toolCalls(
    given.map((id, index) => ({
      index,
      id,
      name: "read_file",
      arguments: JSON.stringify({ path: "a.txt" }),
    })),
  );
  return answer.end(false).blocks.flatMap((block) => (block.type === "tool-call" ? [block.id] : []));
}

it("are the endpoint's as long as they are unique", () => {
  expect(idsOf(["call_1", "call_2"], ["call_0"])).toEqual(["call_1", "call_2"]);
});

it("are new ones where an earlier message has them, even if the new one is taken too", () => {
  expect(idsOf(["call_0", "call_1"], ["call_0"])).toEqual(["new1", "call_1"]);
  expect(idsOf(["call_0"], ["call_0", "new1", "new2"])).toEqual(["new3"]);
});

it("are new ones where another call of the same message has them", () => {
  expect(idsOf(["call_1", "call_1"], [])).toEqual(["call_1", "new1"]);
});
