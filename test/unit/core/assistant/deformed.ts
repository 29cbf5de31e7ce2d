/** Messages with one attempted call each, in the ways in which models get a call wrong, and messages of prose. */
import type { ToolSyntax } from "../../../../src/core/assistant/events.ts";
import { isWorded } from "../../../../src/core/assistant/spelling.ts";
import type { Random } from "../../../support/random.ts";

/** What a reader takes the message for. */
export interface Deformed {
  how: string;
  message: string;
  /** The tool and parameters that are meant, if they are certain: run with these, or answered. */
  tool: string | undefined;
  params: Record<string, string>;
}

const FENCE = "```";

const VALUES: Record<string, readonly string[]> = {
  path: ["src/a.ts", "README.md", "日本語.txt", "a b/c.md"],
  command: ["ls -la", "npm test", "git status && git diff"],
  content: ["one\ntwo", '{"a": 1}', "<div>\n  <p>x</p>\n</div>"],
  regex: ["foo.*bar", "\\bclass\\b"],
};

function sampleOf(random: Random, param: string): string {
  return random.pick(VALUES[param] ?? ["some words", "x"]);
}

function respelled(random: Random, name: string): string {
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  return random.pick([camel, pascal, name.toUpperCase(), name.replaceAll("_", "-")]);
}

type Params = Record<string, string>;
const element = (tag: string, value: string) => `<${tag}>${value}</${tag}>`;
const body = (params: Params) =>
  Object.entries(params)
    .map(([name, value]) => element(name, value))
    .join("\n");
const call = (tool: string, params: Params) => `<${tool}>\n${body(params)}\n</${tool}>`;
const json = (tool: string, params: Params, key = "arguments") =>
  JSON.stringify({ name: tool, [key]: params });
const first = (params: Params) => Object.keys(params)[0] ?? "";

/** How each deformation writes a call; `sure`: what is meant is certain, so it is run with those parameters or answered. */
const DEFORMATIONS: Record<string, (random: Random, tool: string, params: Params) => string> = {
  "name in another spelling": (random, tool, params) => call(respelled(random, tool), params),
  "opening tag alone in another spelling": (random, tool, params) =>
    `<${respelled(random, tool)}>\n${body(params)}\n</${tool}>`,
  "first parameter in another spelling": (random, tool, params) => {
    const [name, ...rest] = Object.keys(params);
    const other = respelled(random, name ?? "");
    const renamed = [[other, params[name ?? ""] ?? ""], ...rest.map((key) => [key, params[key] ?? ""])];
    return call(tool, Object.fromEntries(renamed));
  },
  "wrong parameter name": (_, tool, params) => call(tool, { foo_bar: params[first(params)] ?? "" }),
  "a parameter too many": (_, tool, params) => call(tool, { ...params, explanation: "because" }),
  "no parameters": (_, tool) => `<${tool}>\n</${tool}>`,
  "bare text": (_, tool, params) => element(tool, params[first(params)] ?? ""),
  "bare text on lines of its own": (_, tool, params) =>
    `<${tool}>\n${params[first(params)] ?? ""}\n</${tool}>`,
  "bare JSON": (_, tool, params) => element(tool, JSON.stringify(params)),
  attributes: (_, tool, params) =>
    `<${tool}${Object.entries(params)
      .map(([name, value]) => ` ${name}="${value.replaceAll('"', "&quot;")}"`)
      .join("")}/>`,
  "attributes and a closing tag": (_, tool, params) => `<${tool} ${first(params)}="x"></${tool}>`,
  "an unknown attribute": (_, tool) => `<${tool} whatever="x"/>`,
  "nothing but its tag": (_, tool) => `<${tool}/>`,
  "JSON in <tool_call>": (_, tool, params) => `<tool_call>\n${json(tool, params)}\n</tool_call>`,
  "JSON in <tool_call> that never closes": (_, tool, params) => `<tool_call>\n${json(tool, params)}`,
  "damaged JSON in <tool_call>": (_, tool, params) =>
    `<tool_call>\n${json(tool, params).slice(0, -1)}\n</tool_call>`,
  "<function=…>": (_, tool, params) =>
    `<function=${tool}>\n${Object.entries(params)
      .map(([name, value]) => `<parameter=${name}>\n${value}\n</parameter>`)
      .join("\n")}\n</function>`,
  "<invoke>": (_, tool, params) =>
    `<function_calls>\n<invoke name="${tool}">\n${Object.entries(params)
      .map(([name, value]) => `<parameter name="${name}">${value}</parameter>`)
      .join("\n")}\n</invoke>\n</function_calls>`,
  "<invoke> cut off": (_, tool, params) => `<invoke name="${tool}">\n<parameter name="${first(params)}">x`,
  "JSON alone": (_, tool, params) => json(tool, params, "parameters"),
  "JSON in a fence": (_, tool, params) => `${FENCE}json\n${json(tool, params)}\n${FENCE}`,
  "a fence at the end": (_, tool, params) => `${FENCE}xml\n${call(tool, params)}\n${FENCE}`,
  "a fence that never closes": (_, tool, params) => `${FENCE}xml\n${call(tool, params)}`,
  "back-ticks at the end": (_, tool, params) => `\`<${tool}>${element(first(params), "x")}</${tool}>\``,
  "unclosed <thinking>": (_, tool, params) => `<thinking>\nNow I do it.\n${call(tool, params)}`,
  "unclosed <think>": (_, tool, params) => `<think>\nNow.\n${call(tool, params)}\n`,
  "[TOOL_CALLS]": (_, tool, params) => `[TOOL_CALLS] [${json(tool, params)}]`,
  "a quote": (_, tool, params) =>
    call(tool, params)
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
  "a list item": (_, tool, params) => `- <${tool}>${body(params)}</${tool}>`,
  "cut off in its name": (_, tool) => `<${tool}>\n`,
  "cut off in a parameter's tag": (_, tool, params) => `<${tool}>\n<${first(params).slice(0, 2)}`,
  "cut off in a value": (_, tool, params) => `<${tool}>\n<${first(params)}>ab`,
  "wrong closing tag": (_, tool, params) => `<${tool}>\n${body(params)}\n</tool>`,
  "no closing tag": (_, tool, params) => `<${tool}>\n${body(params)}\n`,
  "a value closed by another tag": (_, tool, params) => `<${tool}>\n<${first(params)}>x</foo>\n</${tool}>`,
  "a value that is not closed": (_, tool, params) => `<${tool}>\n<${first(params)}>x\n</${tool}>`,
  "an unknown tool": (_, tool) => `<${tool}_now>\n<x>1</x>\n</${tool}_now>`,
};

export const HOWS = Object.keys(DEFORMATIONS);

/** Tools whose own name tells them from HTML, with a parameter of text. */
export function attemptable(tools: readonly ToolSyntax[]): ToolSyntax[] {
  return tools.filter(({ name, params }) => isWorded(name) && params.length > 1 && /_/.test(name));
}

export function deformed(
  random: Random,
  how: string,
  tool: ToolSyntax,
  required: readonly string[],
): Deformed {
  const params = Object.fromEntries(required.map((param) => [param, sampleOf(random, param)]));
  const text = DEFORMATIONS[how]?.(random, tool.name, params) ?? "";
  const before = random.pick(["", "I will do that now.\n\n", "Next:\n", "次にこれを実行します。\n\n"]);
  return { how, message: before + text, tool: tool.name, params };
}

/** Answers that mention tools, show examples or hold HTML and XML, and attempt nothing. */
export function prose(random: Random, tool: ToolSyntax): string {
  const { name } = tool;
  const param = tool.params[0] ?? "path";
  const example = call(name, { [param]: "x" });
  const parts = [
    `I would use <${name}> for that.`,
    `The \`<${name}>\` tool takes \`<${param}>\`.`,
    `<${name}> is the tool for that. It takes <${param}>.`,
    `Its tags are <${name}> and </${name}>.`,
    `- <${name}>: does it\n- <other_thing>: does not`,
    `Like so:\n\n${FENCE}xml\n${example}\n${FENCE}\n\nThat is how it is called.`,
    `Like so: \`<${name}>${element(param, "x")}</${name}>\`, and no other way.`,
    `${FENCE}json\n${json(name, { [param]: "x" })}\n${FENCE}\n\nis the same in JSON.`,
    "<div>\n  <span>text</span>\n</div>",
    "<App>\n  <UserList items={users} />\n  <ListItem>one</ListItem>\n</App>",
    "<dependency>\n  <groupId>org.example</groupId>\n  <artifactId>x</artifactId>\n</dependency>",
    "<user_profile>\n<first_name>Ann</first_name>\n</user_profile>\n\nis the profile.",
    `if (a <b && c> d) { ${name}(x); }`,
    `const list: Array<${name}> = [];`,
    "<details>\n<summary>More</summary>\ntext\n</details>",
    '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>',
    "The <tool_call> tag is what other models write.",
    `${FENCE}python\n${name}("x")\n${FENCE}`,
    "a < b, c > d & e",
  ];
  let text = "";
  for (let i = 1 + random.below(4); i > 0; i--) text += `${random.pick(parts)}\n\n`;
  return `${text}That is all there is to it.`;
}
