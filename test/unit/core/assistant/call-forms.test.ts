/** Calls as text in the forms that models were trained on: what is certain runs, everything else is answered. */
import { describe, expect, test } from "vitest";
import { type AnswerPart, type CallAttempt, findAttempts } from "../../../../src/core/assistant/attempts.ts";
import { TextBuilder } from "../../../../src/core/assistant/events.ts";
import { CALL_FORMS } from "../../../../src/core/assistant/forms/call-forms.ts";
import { withParallelCalls } from "../../../../src/core/assistant/forms/parallel-calls.ts";
import { withTextCalls } from "../../../../src/core/assistant/forms/text-calls.ts";
import { parseAssistantMessage } from "../../../../src/core/assistant/xml/xml-protocol.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { Random, seedOf } from "../../../support/random.ts";

const registry = new ToolRegistry();
const grammar = registry.grammar();
const seed = seedOf("call-forms");

interface Outcome {
  run: { name: string; params: Record<string, unknown> }[];
  said: string;
  /** Calls that the tool refuses, with the reason. */
  refused: number;
  attempts: CallAttempt[];
}

/** What becomes of a message. `given`: what the model was given before. */
function outcome(message: string, given = ""): Outcome {
  const parsed = parseAssistantMessage(message, grammar).map((block) => {
    if (block.type === "tool") {
      const params = new Map(Object.entries(block.params).map(([key, value]) => [key, built(value)]));
      return { ...block, params };
    }
    return { ...block, text: built(block.text) };
  });
  const called = withTextCalls(parsed, grammar, (text) => given.includes(text));
  const blocks = withParallelCalls(called, () => false);
  const calls = blocks.flatMap((block) => {
    if (block.type !== "tool" || block.partial) return [];
    const params = Object.fromEntries([...block.params].map(([key, value]) => [key, value.toString()]));
    return [registry.canonical(block.name, block.native?.arguments ?? params)];
  });
  const parts = blocks.map(
    (block): AnswerPart =>
      block.type === "tool" ? { type: "other" } : { type: block.type, text: block.text.toString() },
  );
  const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const run = calls.filter((call) => registry.resolve({ type: "tool-call", id: "1", ...call }).ok);
  const refused = calls.length - run.length;
  return { run, refused, said, attempts: findAttempts(parts, grammar) };
}

function built(text: string): TextBuilder {
  const builder = new TextBuilder();
  builder.append(text);
  return builder;
}

const FENCE = "```";
/** Each form with a call of a tool whose text is `value`, as JSON and as it is. */
const FORMS: Record<string, (value: string, json: string) => string> = {
  Hermes: (_, json) =>
    `<tool_call>\n{"name": "execute_command", "arguments": {"command": ${json}}}\n</tool_call>`,
  Mistral: (_, json) => `[TOOL_CALLS][{"name": "execute_command", "arguments": {"command": ${json}}}]</s>`,
  "Mistral, one call": (_, json) =>
    `[TOOL_CALLS] {"name": "execute_command", "arguments": {"command": ${json}}}`,
  "Mistral v11": (_, json) => `[TOOL_CALLS]execute_command{"command": ${json}}`,
  "Mistral v13": (_, json) => `[TOOL_CALLS]execute_command[CALL_ID]a1b2c3d4e[ARGS]{"command": ${json}}`,
  Magistral: (_, json) => `[TOOL_CALLS]execute_command[ARGS]{"command": ${json}}`,
  "GLM 4.5": (value) =>
    `<tool_call>execute_command\n<arg_key>command</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`,
  "GLM 4.7": (value) =>
    `<tool_call>execute_command<arg_key>command</arg_key><arg_value>${value}</arg_value></tool_call>`,
  LongCat: (value) =>
    `<longcat_tool_call>execute_command\n<longcat_arg_key>command</longcat_arg_key>\n<longcat_arg_value>${value}</longcat_arg_value>\n</longcat_tool_call>`,
  "DeepSeek 3": (_, json) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute_command\n${FENCE}json\n{"command": ${json}}\n${FENCE}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "DeepSeek 3.1": (_, json) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>execute_command<｜tool▁sep｜>{"command": ${json}}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
  "DeepSeek 3.2": (value) =>
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="execute_command">\n<｜DSML｜parameter name="command" string="true">${value}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  "Kimi K2": (_, json) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.execute_command:0<|tool_call_argument_begin|>{"command": ${json}}<|tool_call_end|><|tool_calls_section_end|>`,
  "Llama 3.1": (_, json) =>
    `<|python_tag|>{"name": "execute_command", "parameters": {"command": ${json}}}<|eom_id|>`,
  "Llama 3.1, own tools": (_, json) => `<|python_tag|>execute_command.call(command=${json})<|eom_id|>`,
  "Llama 4": (_, json) => `<|python_start|>[execute_command(command=${json})]<|python_end|>`,
  pythonic: (_, json) => `[execute_command(command=${json})]`,
  "pythonic, alone": (_, json) => `execute_command(command=${json})`,
  tool_code: (_, json) => `${FENCE}tool_code\nprint(default_api.execute_command(command=${json}))\n${FENCE}`,
  Granite: (_, json) => `<|tool_call|>[{"name": "execute_command", "arguments": {"command": ${json}}}]`,
  "Granite code": (_, json) =>
    `<function_call> {"name": "execute_command", "arguments": {"command": ${json}}}`,
  "Phi 4": (_, json) =>
    `<|tool_call|>[{"name": "execute_command", "arguments": {"command": ${json}}}]<|/tool_call|>`,
  functools: (_, json) => `functools[{"name": "execute_command", "arguments": {"command": ${json}}}]`,
  "Step 3": (value) =>
    `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="execute_command"><steptml:parameter name="command">${value}</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
  "gpt-oss": (_, json) =>
    `<|channel|>commentary to=functions.execute_command <|constrain|>json<|message|>{"command": ${json}}<|call|>`,
  "gpt-oss, recipient first": (_, json) =>
    `<|start|>assistant to=functions.execute_command<|channel|>commentary json<|message|>{"command": ${json}}<|call|>`,
  function_call: (_, json) =>
    `{"function_call": {"name": "execute_command", "arguments": ${JSON.stringify(`{"command": ${json}}`)}}}`,
  Nemotron: (_, json) =>
    `<TOOLCALL>[{"name": "execute_command", "arguments": {"command": ${json}}}]</TOOLCALL>`,
  "Qwen, tools": (_, json) =>
    `<tools>\n{"name": "execute_command", "arguments": {"command": ${json}}}\n</tools>`,
  Cohere: (_, json) =>
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "execute_command", "parameters": {"command": ${json}}}]<|END_ACTION|>`,
  "Command R": (_, json) =>
    `Action: ${FENCE}json\n[{"tool_name": "execute_command", "parameters": {"command": ${json}}}]\n${FENCE}`,
  InternLM: (_, json) =>
    `<|action_start|><|plugin|>\n{"name": "execute_command", "parameters": {"command": ${json}}}<|action_end|>`,
  Apertus: (_, json) => `<|tools_prefix|>[{"execute_command": {"command": ${json}}}]<|tools_suffix|>`,
  "Olmo 3": (_, json) => `<function_calls>\nexecute_command(command=${json})\n</function_calls>`,
  "LFM 2": (_, json) => `<|tool_call_start|>[execute_command(command=${json})]<|tool_call_end|>`,
  FunctionGemma: (value) =>
    `<start_function_call>call:execute_command{command:<escape>${value}<escape>}<end_function_call>`,
  "Gemma 4": (value) => `<|tool_call>call:execute_command{command:<|"|>${value}<|"|>}<tool_call|>`,
  Hunyuan: (_, json) =>
    `<tool_calls>\n<tool_call>execute_command\n${FENCE}json\n{"command": ${json}}\n${FENCE}\n</tool_call>\n</tool_calls>`,
  "MiniMax M1": (_, json) =>
    `<tool_calls>\n{"name": "execute_command", "arguments": {"command": ${json}}}\n</tool_calls>`,
  "MiniMax M2": (value) =>
    `<minimax:tool_call>\n<invoke name="execute_command">\n<parameter name="command">${value}</parameter>\n</invoke>\n</minimax:tool_call>`,
  Grok: (value) =>
    `<xai:function_call name="execute_command">\n<parameter name="command">${value}</parameter>\n</xai:function_call>`,
  "Qwen3-Coder": (value) =>
    `<tool_call>\n<function=execute_command>\n<parameter=command>\n${value}\n</parameter>\n</function>\n</tool_call>`,
  "Seed-OSS": (value) =>
    `<seed:tool_call>\n<function=execute_command>\n<parameter=command>${value}</parameter>\n</function>\n</seed:tool_call>`,
  "Claude 2": (value) =>
    `<function_calls>\n<invoke>\n<tool_name>execute_command</tool_name>\n<parameters>\n<command>${value}</command>\n</parameters>\n</invoke>\n</function_calls>`,
  Claude: (value) =>
    `<function_calls>\n<invoke name="execute_command">\n<parameter name="command">${value}</parameter>\n</invoke>\n</function_calls>`,
  "a name in an element": (_, json) =>
    `<tool_use>\n<name>execute_command</name>\n<input>{"command": ${json}}</input>\n</tool_use>`,
  "an attribute with children": (value) =>
    `<tool name="execute_command">\n<command>${value}</command>\n</tool>`,
  "Functionary 2": (_, json) =>
    `<|from|>assistant\n<|recipient|>execute_command\n<|content|>{"command": ${json}}<|stop|>`,
  "Functionary 3": (_, json) => `>>>execute_command\n{"command": ${json}}`,
  "Qwen-Agent": (_, json) => `✿FUNCTION✿: execute_command\n✿ARGS✿: {"command": ${json}}\n✿RESULT✿`,
  ReAct: (_, json) =>
    `Thought: I run it.\nAction: execute_command\nAction Input: {"command": ${json}}\nObservation:`,
  LangChain: (_, json) =>
    `${FENCE}json\n{"action": "execute_command", "action_input": {"command": ${json}}}\n${FENCE}`,
  GigaChat: (_, json) =>
    `function call<|role_sep|>\n{"name": "execute_command", "arguments": {"command": ${json}}}`,
  "multi_tool_use.parallel": (_, json) =>
    `{"name": "multi_tool_use.parallel", "arguments": {"tool_uses": [{"recipient_name": "functions.execute_command", "parameters": {"command": ${json}}}]}}`,
  tool_uses: (_, json) =>
    `{"tool_uses": [{"recipient_name": "functions.execute_command", "parameters": {"command": ${json}}}]}`,
};
/** Forms that say what they are wherever they stand; the others are certain alone in a message or at the start of a line. */
const ALONE = new Set([
  "pythonic",
  "pythonic, alone",
  "function_call",
  "multi_tool_use.parallel",
  "tool_uses",
]);
const names = Object.keys(FORMS);
const write = (form: string, value: string) => FORMS[form]?.(value, JSON.stringify(value)) ?? "";
const runs = (value: string) => [{ name: "execute_command", params: { command: value } }];

describe("a call that is certain", () => {
  test.each(names)("in the form of %s runs", (form) => {
    for (const value of ["ls", "echo 'a b' | wc -l", 'grep -n "x" src/*.ts && echo {}', "印 \\n"]) {
      const { run, said, attempts } = outcome(write(form, value));
      expect(run, value).toEqual(runs(value));
      expect(attempts).toEqual([]);
      if (form !== "ReAct") expect(said).toBe("");
    }
  });

  test.each(names.filter((form) => !ALONE.has(form)))("in the form of %s runs after a text", (form) => {
    const { run, said } = outcome(`I list the files.\n\n${write(form, "ls")}`);
    expect(run).toEqual(runs("ls"));
    expect(said).toContain("I list the files.");
  });

  test("is one of several", () => {
    const two = [
      '[TOOL_CALLS]read_file{"path": "a"}[TOOL_CALLS]read_file{"path": "b"}',
      '[TOOL_CALLS][{"name":"read_file","arguments":{"path":"a"}},{"name":"read_file","arguments":{"path":"b"}}]',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>{"path":"b"}<|tool_call_end|><|tool_calls_section_end|>',
      "[read_file(path='a'), read_file(path='b')]",
      "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>\n<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>b</arg_value>\n</tool_call>",
      '<tool_calls>\n{"name":"read_file","arguments":{"path":"a"}}\n{"name":"read_file","arguments":{"path":"b"}}\n</tool_calls>',
      '<|python_tag|>{"name":"read_file","parameters":{"path":"a"}}; {"name":"read_file","parameters":{"path":"b"}}',
      '{"tool_uses":[{"recipient_name":"functions.read_file","parameters":{"path":"a"}},{"recipient_name":"read_file","parameters":{"path":"b"}}]}',
    ];
    for (const message of two)
      expect(outcome(message).run, message).toEqual(
        ["a", "b"].map((path) => ({ name: "read_file", params: { path } })),
      );
  });

  test("keeps values as they are", () => {
    const content = "a\n\n<b>\n  'c' \"d\" \\n\n";
    const python = `[write_to_file(path='x', content='''${content.replace("\\", "\\\\")}''')]`;
    const glm = `<tool_call>write_to_file\n<arg_key>path</arg_key>\n<arg_value>x</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}\n</arg_value>\n</tool_call>`;
    for (const message of [python, glm])
      expect(outcome(message).run).toEqual([{ name: "write_to_file", params: { path: "x", content } }]);
  });
});

describe("a call that is not certain is answered", () => {
  test.each(names.filter((form) => !ALONE.has(form) && form !== "Granite code"))(
    "in the form of %s with a text after it, or arguments that do not fit",
    (form) => {
      const more = outcome(`${write(form, "ls")}\n\nThe folder has two files.`);
      // What can be read while it arrives runs; what follows it is the model's.
      expect(more.run.length + more.attempts.length).toBe(
        form === "tool_code" || form === "LangChain" ? 0 : 1,
      );
      const misfit = outcome(
        write(form, "ls").replaceAll("command", "comand").replaceAll("execute_comand", "execute_command"),
      );
      expect(misfit.run).toEqual([]);
      expect(misfit.refused + misfit.attempts.length).toBe(1);
    },
  );

  test.each([
    ["an unknown tool", '[TOOL_CALLS]fly_away{"to": "moon"}', "unknown", "fly_away"],
    [
      "an unknown tool in tokens",
      '<|tool_call|>[{"name": "fly_away", "arguments": {}}]',
      "unknown",
      "fly_away",
    ],
    ["no end", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a", "other-form", "read_file"],
    [
      "a form that lost its tokens",
      'assistantcommentary to=functions.read_file json{"path":"a"}',
      "other-form",
      "read_file",
    ],
    ["tokens of nobody", '<|tool▁request|>read_file {"path": "a"}', "other-form", "read_file"],
    ["an argument given twice", "[read_file(path='a', path='b')]", "other-form", "read_file"],
    ["an expression", "[read_file(path=name)]", "other-form", "read_file"],
    ["an attribute for each argument", '<tool name="read_file" path="a"/>', "other-form", "read_file"],
    [
      "an observation that the model made up",
      'Action: read_file\nAction Input: {"path": "a"}\nObservation: It is empty.',
      "other-form",
      "read_file",
    ],
  ])("with %s", (_, message, kind, name) => {
    const { run, attempts } = outcome(message);
    expect(run).toEqual([]);
    expect(attempts).toEqual([expect.objectContaining({ kind, name })]);
  });

  test.each(
    names.filter((form) =>
      CALL_FORMS.some(({ open, place }) => place !== "fence" && opens(open, write(form, "ls"))),
    ),
  )("in the form of %s if the model was given that text", (form) => {
    const text = write(form, "rm -rf build");
    const { run, attempts } = outcome(`The file ends with this:\n${text}`, `1 | ${text}`);
    expect(run).toEqual([]);
    if (!ALONE.has(form)) expect(attempts).toHaveLength(1);
  });
});

function opens(open: RegExp, text: string): boolean {
  open.lastIndex = 0;
  return open.test(text);
}

describe("a mention", () => {
  test.each(names)("of the form of %s in code stays what it is", (form) => {
    const text = write(form, "ls");
    const tick = text.includes(FENCE) ? "~~~" : FENCE;
    const fenced = `The template writes this:\n\n${tick}text\n${text}\n${tick}\n\nThe server reads it.`;
    expect(outcome(fenced)).toEqual({ run: [], refused: 0, said: fenced, attempts: [] });
    if (text.includes("\n")) return;
    const inline = `The template writes \`\`${text}\`\` and the server reads it.`;
    expect(outcome(inline)).toEqual({ run: [], refused: 0, said: inline, attempts: [] });
  });

  test.each([
    "Mistral models write [TOOL_CALLS] and then the name, such as read_file.",
    "The token <|tool_call_begin|> precedes functions.read_file:0 in what Kimi writes.",
    "It prints the words Action: and Action Input: for read_file.",
    "Use [read_file] for that.",
    "The harmony format has <|channel|>commentary to=functions.read_file in it.",
    "In Python:\n>>> read_file(path)\n",
    "| Model | Marker |\n| --- | --- |\n| Mistral | [TOOL_CALLS] |",
  ])("in prose stays what it is: %j", (text) => {
    expect(outcome(text)).toEqual({ run: [], refused: 0, said: text, attempts: [] });
  });

  test("of any size is searched", () => {
    const random = new Random(seed);
    const pieces = [
      "[TOOL_CALLS]",
      "<|tool_call|>",
      "[a(",
      "<tool_call>x",
      ">>>a\n{",
      "Action: a\nAction Input: {",
      '"',
      "```tool_code\na(",
      "{",
      "\n",
    ];
    for (let i = 0; i < 20; i++) {
      const text = Array.from({ length: 3 }, () => random.pick(pieces))
        .join("")
        .repeat(10_000);
      expect(outcome(text).run).toEqual([]);
    }
  });
});
