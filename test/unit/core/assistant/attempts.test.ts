import { describe, expect, test } from "vitest";
import { type AnswerPart, type CallAttempt, findAttempts } from "../../../../src/core/assistant/attempts.ts";
import { parseAssistantMessage } from "../../../../src/core/assistant/xml/xml-protocol.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { Random, seedOf } from "../../../support/random.ts";
import { attemptable, deformed, HOWS, prose } from "./deformed.ts";

const registry = new ToolRegistry();
const grammar = registry.grammar();
const seed = seedOf("attempts");

interface Outcome {
  /** Calls that the registry takes, under its own names. */
  run: { name: string; params: Record<string, unknown> }[];
  /** Why the others do not run, as the model is told. */
  errors: string[];
  attempts: CallAttempt[];
}

/** What becomes of a message. */
function outcome(message: string): Outcome {
  const blocks = parseAssistantMessage(message, grammar);
  const run: Outcome["run"] = [];
  const errors: string[] = [];
  for (const block of blocks) {
    if (block.type !== "tool") continue;
    const { partial, fault } = block;
    const call = {
      type: "tool-call" as const,
      id: "1",
      ...registry.canonical(block.name, block.params),
      ...(partial ? { partial } : {}),
      ...(fault === undefined ? {} : { malformed: fault }),
    };
    const resolved = registry.resolve(call);
    if (resolved.ok) run.push({ name: call.name, params: call.params });
    else errors.push(resolved.error);
  }
  const said = blocks.map((block): AnswerPart => (block.type === "tool" ? { type: "other" } : block));
  return { run, errors, attempts: findAttempts(said, grammar) };
}

const requiredOf = (name: string) =>
  [...registry.usage(name).matchAll(/^<(\w+)>\.\.\.</gm)].map((match) => match[1] ?? "");

describe("a call in a form that is not the protocol's", () => {
  const random = new Random(seed);
  const tools = attemptable(grammar).filter(({ name }) => requiredOf(name).length > 0);

  test.each(HOWS)("%s: run with what was meant, or answered", (how) => {
    for (const tool of tools) {
      const { message, params } = deformed(random, how, tool, requiredOf(tool.name));
      const { run, errors, attempts } = outcome(message);
      const context = `seed ${seed}: ${JSON.stringify(message)}`;
      expect(run.length + errors.length + attempts.length, context).toBeGreaterThan(0);
      // What runs is the tool that was meant, with values that were written for the parameters that they have.
      for (const call of run) {
        expect(call.name, context).toBe(registry.find(tool.name)?.name);
        for (const [name, value] of Object.entries(call.params))
          expect([params[name], "x"], `${context}: ${name}`).toContain(value);
      }
    }
  });

  test.each([
    "name in another spelling",
    "first parameter in another spelling",
    "JSON in <tool_call>",
    "<function=…>",
    "<invoke>",
    "a list item",
  ])("%s: run, since it is certain", (how) => {
    for (const tool of tools) {
      const { message, params } = deformed(random, how, tool, requiredOf(tool.name));
      const { run } = outcome(message);
      const expected = registry.canonical(tool.name, params);
      const needed = Object.keys(registry.canonical(tool.name, {}).params);
      expect(needed).toEqual([]);
      const text = Object.values(params).every((value) => typeof value === "string");
      // A required boolean or list cannot take the words that stand for its value here.
      if (text && registry.resolve({ type: "tool-call", id: "1", ...expected }).ok)
        expect(run, `seed ${seed}: ${JSON.stringify(message)}`).toEqual([expected]);
    }
  });

  test.each([
    ["<execute_command>ls</execute_command>", "execute_command", { command: "ls" }],
    ["<execute_command>\nls -la\n</execute_command>\n", "execute_command", { command: "ls -la" }],
    ["<read_file>a b.txt</read_file>", "read_file", { path: "a b.txt" }],
    ["<attempt_completion>Done.</attempt_completion>", "attempt_completion", { result: "Done." }],
    ['<read_file path="a"/>', "read_file", { path: "a" }],
    ['<read_file path="a"></read_file>', "read_file", { path: "a" }],
    ["<read_file><file_path>a</file_path></read_file>", "read_file", { path: "a" }],
    ["<read_file><path>a</read_file>", "read_file", { path: "a" }],
    ['<function=read_file>{"path":"a"}</function>', "read_file", { path: "a" }],
    ["<readFile><filePath>a</filePath></readFile>", "read_file", { path: "a" }],
    ["<list>\n<path>a</path>\n</list>", "list_files", { path: "a" }],
    ["<read_file>\n<args>\n<path>a</path>\n</args>\n</read_file>", "read_file", { path: "a" }],
    [
      "<read_file><args>\n  <file>\n    <path>a</path>\n  </file>\n</args></read_file>",
      "read_file",
      { path: "a" },
    ],
    ['<read_file><arguments>{"path": "a"}</arguments></read_file>', "read_file", { path: "a" }],
    ['```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```', "read_file", { path: "a" }],
    ['~~~\n{"tool": "read_file", "parameters": {"file_path": "a"}}', "read_file", { path: "a" }],
    ['{"name": "read_file", "parameters": {"path": "a"}}\n', "read_file", { path: "a" }],
    [
      '<think>\nSo.\n</think>\n[{"function": {"name": "readFile", "arguments": "{\\"path\\": \\"a\\"}"}}]',
      "read_file",
      { path: "a" },
    ],
  ])("%s runs", (message, name, params) => {
    expect(outcome(message)).toEqual({ run: [{ name, params }], errors: [], attempts: [] });
  });

  test.each([
    ["<read_file><path>a</path></read>", "it ends with </read> instead of </read_file>"],
    ["<read_file><path>a</path>\n\nI wait.", "its closing tag </read_file> is missing"],
    ["<execute_command><command>ls</execute_command>", "the closing tag </command> is missing"],
    ["<write_to_file><path>a</path><content>x</path></write_to_file>", "</content> is missing"],
    ["<read_file><foo>a</foo></read_file>", "foo is not a parameter of this tool"],
  ])("%s is answered with what is wrong", (message, words) => {
    expect(outcome(message).errors.join()).toContain(words);
  });

  test("a call that lacks its end does not swallow the next one", () => {
    const next = "<list_files><path>b</path></list_files>";
    for (const before of ["<read_file><path>a</path>", "<execute_command><command>ls</execute_command>"]) {
      const { run, errors } = outcome(`${before}\n${next}`);
      expect([run.map(({ name }) => name), errors.length]).toEqual([["list_files"], 1]);
    }
  });
});

describe("what is said of an attempt", () => {
  test.each([
    ["I will read it.\n\n<read_fle>\n<path>a</path>\n</read_fle>", "unknown", "read_fle", ["read_file"]],
    ["<foo_bar><x>1</x></foo_bar>\n<read_file><path>a</path></read_file>", "unknown", "foo_bar", []],
    ["<read_file><path>a</path></read_file>\n<foo_bar><x>1</x></foo_bar>", "unknown", "foo_bar", []],
    ["<write_to_file>hello</write_to_file>", "malformed", "write_to_file", []],
    ["```xml\n<read_file>\n<path>a</path>\n</read_file>\n```\n", "in-code", "read_file", []],
    ["<thinking>hm\n<read_file><path>a</path></read_file>", "in-reasoning", "read_file", []],
    ["<thinking>hm\n<read_file>\n<path>a</path>\n", "in-reasoning", "read_file", []],
    ["<think>hm\n<read_file><path>a</path></read_file>\nThen I edit it.", "in-reasoning", "read_file", []],
    ['Now:\n{"name": "read_file", "arguments": {"path": "a"}}', "other-form", "read_file", []],
    ['```json\n{"name": "read_file", "arguments": {"file": 1, "b": 2}}\n```', "in-code", "read_file", []],
  ])("%j", (message, kind, name, suggestions) => {
    const near = expect.arrayContaining(suggestions);
    expect(outcome(message).attempts).toEqual([expect.objectContaining({ kind, name, suggestions: near })]);
  });
});

describe("prose", () => {
  test("is neither run nor answered", () => {
    const random = new Random(seed);
    for (let i = 0; i < 400; i++) {
      const message = prose(random, random.pick(attemptable(grammar)));
      expect(outcome(message), `seed ${seed}: ${message}`).toEqual({ run: [], errors: [], attempts: [] });
    }
  });

  test.each([
    "The config:\n<user_profile>\n<first_name>A</first_name>\n</user_profile>",
    "<list>\n<item>x</item>\n</list>",
    '<List items="a" />',
    "<my_root>\n<child>\n",
    "<thinking>Should I call <read_file>? No.</thinking>Done.",
    '```json\n{"name":"my-package","version":"1"}\n```',
    "There is <read_file>\nand there is <path>.",
  ])("%j stays prose", (message) => {
    expect(outcome(message)).toEqual({ run: [], errors: [], attempts: [] });
  });

  test("of any size is searched", () => {
    const pieces = [
      "<a_b>\n<c>\n",
      " \n",
      "<read_file> x ",
      "<read_file>\n",
      "`",
      "{",
      "</a_b>",
      "<tool_call>\n{",
    ];
    for (const piece of pieces) {
      const text = piece.repeat(500_000 / piece.length);
      expect(findAttempts([{ type: "text", text }], grammar).length).toBeLessThan(11);
      expect(findAttempts([{ type: "reasoning", text }], grammar)).toEqual([]);
    }
  });
});
