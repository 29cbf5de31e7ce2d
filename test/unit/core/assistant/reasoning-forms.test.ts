/** Reasoning that only the end of an answer makes certain: nothing in it is text or a call. */
import { describe, expect, it } from "vitest";
import { AnswerReader } from "../../../../src/core/assistant/answer-reader.ts";
import { type AssistantBlock, BlockFolder, paramsOf } from "../../../../src/core/assistant/events.ts";
import { withoutReasoning, withReasoning } from "../../../../src/core/assistant/reasoning-forms.ts";

const TOOLS = [{ name: "read_file", params: ["path"] }];
const CALL = "<read_file>\n<path>a</path>\n</read_file>";
const JSON_CALL = '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>';
const FENCE = "```";

type Part = { type: string; text: string };
function blocksOf(text: string, native?: string): Part[] {
  const reader = new AnswerReader({ tools: TOOLS, newId: () => "new", maxCalls: 10 });
  const folder = new BlockFolder();
  const calls = native === undefined ? [] : [{ index: 0, id: "1", name: "read_file", arguments: native }];
  for (const event of [...reader.toolCalls(calls), ...reader.text(text), ...reader.end(false)])
    folder.add(event);
  return withReasoning(folder.open).map((block): Part => {
    if (block.type === "tool") return { type: "tool", text: paramsOf(block).path ?? "" };
    return { type: block.type, text: block.text.toString().trim() };
  });
}
const types = (blocks: readonly Pick<AssistantBlock | Part, "type">[]) => blocks.map(({ type }) => type);

describe.each([CALL, JSON_CALL])("the call %j", (call) => {
  it.each([
    ["</think>", "before an orphan tag"],
    ["</thinking>", "before another"],
    ["</Thought>", "in another case"],
    ["[/THINK]", "in brackets"],
    ["◁/think▷", "in triangles"],
    ["<channel|>", "of a channel"],
    ["<|END_THINKING|>", "of tokens"],
  ])("is reasoning before %s alone", (close) => {
    const blocks = blocksOf(`Maybe\n${call}\nno.${close}\n\nI will not.`);
    expect(types(blocks)).toEqual(["reasoning", "text"]);
    expect(blocks[0]?.text).toMatch(/^Maybe\n+<read_file>\n<path>a<\/path>\n<\/read_file>\nno\.$/);
    expect(blocks[1]?.text).toBe("I will not.");
  });

  it.each([
    ["[THINK]", "[/THINK]"],
    ["<thought>", "</thought>"],
    ["<reasoning>", "</reasoning>"],
    ["<seed:think>", "</seed:think>"],
    ["<Think>", "</Think>"],
    ["<longcat_think>", "</longcat_think>"],
    ["◁think▷", "◁/think▷"],
    ["<|channel>thought\n", "<channel|>"],
    ["<|begin_of_thought|>", "<|end_of_thought|>"],
    ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
    ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"],
    ["<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"],
  ])("is reasoning between %s and %s, and a call after it", (open, close) => {
    expect(blocksOf(`${open}Maybe\n${call}\nno.${close}\nI will not.`)).toMatchObject([
      { type: "reasoning", text: expect.stringMatching(/^Maybe[\s\S]*no\.$/) },
      { type: "text", text: "I will not." },
    ]);
    expect(types(blocksOf(`${open}Maybe${close}\n${call}`))).toEqual(["reasoning", "tool"]);
  });

  it.each(["[THINK]", "<thought>", "<|channel|>analysis<|message|>"])(
    "is reasoning after %s without an end",
    (open) => {
      expect(types(blocksOf(`\n${open}\nMaybe\n${call}`))).toEqual(["reasoning"]);
    },
  );

  it.each([
    ["code", `${call}\nThe tag \`</think>\` ends it.`],
    ["a fence", `${call}\n${FENCE}\n[/THINK]\n</think>\n${FENCE}\n`],
    ["the middle of a line", `${call}\nThe tag </think> ends it, and so does [/THINK] there.`],
    ["an element that another answer begins with", `I use <thought> here.\n${call}`],
  ])("runs where the tag is in %s", (_, text) => {
    expect(types(blocksOf(text))).toContain("tool");
    expect(types(blocksOf(text))).not.toContain("reasoning");
  });
});

it("a value of a call may contain any of them", () => {
  const blocks = blocksOf("<read_file>\n<path>[THINK]</think>\n</thought></path>\n</read_file>");
  expect(types(blocks)).toEqual(["tool"]);
});

it("a call that the endpoint read stays one", () => {
  expect(types(blocksOf("No.\n</think>\nYes.", '{"path":"a"}'))).toEqual(["tool", "reasoning", "text"]);
});

it.each([
  ["<think>Dogs?</think>Cats.<THINKING>No.</THINKING>", "Cats."],
  ["Dogs</think>Cats.", "Dogs</think>Cats."],
  ["Dogs?</think>Cats.", "Cats."],
  ["Dogs?\n</think>Cats.", "Cats."],
  ["[THINK]Dogs?[/THINK]Cats.", "Cats."],
  ["Cats.", "Cats."],
])("%j says %j", (answer, said) => {
  expect(withoutReasoning(answer).trim()).toBe(said);
});
