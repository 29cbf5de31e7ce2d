import type { ToolSyntax } from "../../../../src/core/assistant/events.ts";
import type { Random } from "../../../support/random.ts";

/** Tools with names that get in each other's way. */
export const TOOLS: ToolSyntax[] = [
  { name: "read_file", params: ["path", "start_line", "end_line"] },
  { name: "write_to_file", params: ["path", "content"] },
  { name: "replace_in_file", params: ["path", "diff"] },
  { name: "execute_command", params: ["command", "requires_approval"] },
  { name: "load_mcp_documentation", params: [] },
  { name: "attempt_completion", params: ["result", "command"] },
  { name: "read", params: ["path"] },
  { name: "content_tool", params: ["content", "con", "content_tool"] },
  { name: "mcp.some-server/tool", params: ["a-b", "path"] },
];

const PIECES = [
  "plain words ",
  "日本語の文章です。",
  "🐈‍⬛",
  "é e\u0301 ",
  "\ud83d",
  "\ude00",
  "\u0000",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  " ",
  "  ",
  "\t",
  "    ",
  "<",
  ">",
  "</",
  "&",
  "a && b",
  "a < b",
  "&lt;",
  "&amp;lt;",
  "&#39;",
  "&#x1F600;",
  "&#0;",
  "&nope;",
  "&am",
  "`",
  "``",
  "```",
  "````",
  "\n```\n",
  "\n```xml\n",
  "\n   ```js\n",
  "\n    ```\n",
  "\n- ```\n",
  "\n1. item\n   ```ts\n",
  "\n~~~\n",
  "\n~~~~ info `x`\n",
  "\n```a`b\n",
  "~~~",
  "`code`",
  "\n- item ",
  "\n* ",
  "\n12) ",
  "<thinking>",
  "</thinking>",
  "<think>",
  "</think>",
  "<thinking>\nhm\n</thinking>\n",
  "<thinking",
  "<think >",
  "<![CDATA[",
  "]]>",
  "]]",
  "]",
  "]]]]><![CDATA[>",
  "<![CDATA",
  "<read_file/>",
  "<load_mcp_documentation/>",
  "\n<load_mcp_documentation />\n",
  "<load_mcp_documentation></load_mcp_documentation>",
  "<unknown_tool>\n<path>a</path>\n</unknown_tool>",
  "\n<tool_call>",
  '\n<tool_call>{"name":"read',
  "</tool_call>",
  "\n<function=read_file>",
  "</function>",
  '\n<invoke name="read_file">',
  "</invoke>",
  "<parameter=path>",
  "</parameter>",
  '\n<read_file path="',
  '"/>\n',
  "------- SEARCH\n",
  "=======\n",
  "+++++++ REPLACE\n",
];

const TAGS = TOOLS.flatMap(({ name, params }) => [
  `<${name}>`,
  `</${name}>`,
  ...params.flatMap((param) => [`<${param}>`, `</${param}>`]),
]).concat("<task_progress>", "</task_progress>");

function noise(random: Random, pieces: number): string {
  let text = "";
  for (let i = random.below(pieces + 1); i > 0; i--) text += random.pick(random.chance(0.75) ? PIECES : TAGS);
  return text;
}

function space(random: Random): string {
  if (random.chance(0.01)) return " \n".repeat(510 + random.below(4));
  return random.pick(["", "", "\n", "\n", "\r\n", " ", "\n  ", "\n\n"]);
}

function value(random: Random, param: string): string {
  const body = random.pick([
    "src/a.ts",
    "",
    noise(random, 4),
    noise(random, 12),
    `a</${param}>b`,
    `<${param}>x</${param}>`,
    `  indented\nlines\n</${param}>\n`,
  ]);
  const line = random.pick(["", "\n", "\r\n", "\n\n"]);
  if (random.chance(0.15)) return `${space(random)}<![CDATA[${line}${body}${line}]]>${space(random)}`;
  return line + body + line;
}

function call(random: Random): string {
  const tool = random.pick(TOOLS);
  if (random.chance(0.2)) return otherForm(random, tool);
  const name = random.chance(0.12) ? respelled(random, tool.name) : tool.name;
  let text = `<${name}>`;
  for (const param of [...tool.params, "task_progress"]) {
    const tag = random.chance(0.04) ? random.pick([respelled(random, param), "file_path", "foo"]) : param;
    const close = random.chance(0.03)
      ? random.pick([`</${random.pick([...tool.params, "x"])}>`, ""])
      : `</${tag}>`;
    if (random.chance(0.75)) text += `${space(random)}<${tag}>${value(random, param)}${close}`;
  }
  const close = random.chance(0.08)
    ? random.pick(["", "</read>", "</tool>", `</${respelled(random, name)}>`])
    : `</${name}>`;
  return `${text}${space(random)}${close}`;
}

function respelled(random: Random, name: string): string {
  const camel = name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  return random.pick([camel, pascal, name.toUpperCase(), name.replace(/_/g, "-")]);
}

/** Parameters as elements or JSON, or groups of them, as in `<args>`. */
function grouped(random: Random, given: readonly (readonly [string, string])[]): string {
  const elements = () =>
    given.map(([param, body]) => `${space(random)}<${param}>${body}</${param}>`).join("");
  return random.pick([
    elements,
    () => `${elements()}${space(random)}`,
    () => `<file>${elements()}</file>${space(random)}<file>${elements()}</file>`,
    () => JSON.stringify(Object.fromEntries(given)),
    () => "x",
  ])();
}

/** A call in a form of another protocol, or in one that leaves tags out. */
function otherForm(random: Random, { name, params }: ToolSyntax): string {
  const given = params
    .filter(() => random.chance(0.8))
    .map((param) => [param, value(random, param)] as const);
  const json = JSON.stringify({ name, arguments: Object.fromEntries(given) });
  const elements = (open: string, close: string) =>
    given
      .map(([param, body]) => `${space(random)}<parameter${open}${param}${close}>${body}</parameter>`)
      .join("");
  const quoted = given.map(([param, body]) => ` ${param}="${body.replaceAll('"', "&quot;")}"`).join("");
  const text = random.pick([
    () => `<tool_call>${space(random)}${json}${space(random)}</tool_call>`,
    () => `<tool_call><function=${name}>${elements("=", "")}</function></tool_call>`,
    () => `<function=${name}>${elements("=", "")}${space(random)}</function>`,
    () => `<invoke name="${name}">${elements(' name="', '"')}</invoke>`,
    () => `<function_calls><invoke name="${name}">${elements(' name="', '"')}</invoke></function_calls>`,
    () => `<${name}${quoted}/>`,
    () => `<${name}${quoted}></${name}>`,
    () => `<${name}>${given[0]?.[1] ?? "x"}</${name}>`,
    () => `<${name}>${JSON.stringify(Object.fromEntries(given))}</${name}>`,
    () => `<${name}>${space(random)}<args>${grouped(random, given)}</args>${space(random)}</${name}>`,
  ])();
  return random.pick(["\n", "\n", "\n  ", ""]) + text + random.pick(["", "\n", " \n"]);
}

/** JSON alone in a fence, or alone; it is a call if nothing follows it. */
function jsonForm(random: Random): string {
  const { name, params } = random.pick(TOOLS);
  const args = Object.fromEntries(params.map((param) => [param, value(random, param)]));
  const body = random.pick([
    () => JSON.stringify({ name, arguments: args }),
    () => JSON.stringify([{ name, parameters: args }]),
    () => JSON.stringify({ arguments: args, tool: respelled(random, name) }, undefined, 2),
    () => JSON.stringify({ type: "function", function: { name, arguments: JSON.stringify(args) } }),
    () => JSON.stringify({ name, arguments: { ...args, other: 1 } }),
    () => JSON.stringify({ name: "a-package", arguments: args }),
  ])();
  if (random.chance(0.25)) return space(random) + body + space(random);
  const fence = random.pick(["```", "```", "````", "~~~", "`".repeat(33)]);
  const close = random.pick([
    "",
    `\n${fence}`,
    `\n${fence}\n`,
    `\n  ${fence}  \n\n`,
    `\n${fence}\n.`,
    `\n      ${fence}`,
  ]);
  const info = random.pick(["", "json", "json", "tool_call", " json", "json {a}", "\r"]);
  return `${random.pick(["\n", "\n", "", "\n- ", "\n  "])}${fence}${info}\n${space(random)}${body}${close}`;
}

/** A message with calls, prose, code and traps in any order, sometimes damaged or cut off. */
export function hostileMessage(random: Random): string {
  let text = "";
  for (let i = 1 + random.below(4); i > 0; i--) {
    text += noise(random, 6);
    if (random.chance(0.7)) text += space(random) + call(random) + space(random);
    if (random.chance(0.15)) text += jsonForm(random);
  }
  if (random.chance(0.2)) text = `${random.chance(0.3) ? "" : text}${jsonForm(random)}`;
  if (random.chance(0.25)) {
    const at = random.below(text.length + 1);
    text = text.slice(0, at) + text.slice(at + random.below(8));
  }
  if (random.chance(0.3)) text = text.slice(0, random.below(text.length + 1));
  return text;
}
