/**
 * The forms in which models write calls as text, as their templates taught them, when the server does not parse them. Forms
 * that can be read while they arrive are in `xml`: the protocol's own, `<tool_call>` with JSON, `<function=name>`, `<invoke>`,
 * JSON alone.
 */

/** How the calls of a form are written. All patterns are sticky. */
export type CallSyntax =
  /** JSON values with names and arguments, one after the other or in a list. */
  | { kind: "json" }
  /** JSON objects whose only key is the name and whose value is the arguments. */
  | { kind: "json-keys" }
  /** `name(parameter="value")`, alone, in a list or one on each line. */
  | { kind: "python" }
  /** `before` ends before the arguments, in JSON; its first group that matches is the name. */
  | { kind: "named"; before: RegExp; after: RegExp }
  /** As `named`, with `pair` for each parameter: a name and its value, in the groups 1 and the first of the others. */
  | { kind: "pairs"; before: RegExp; pair: RegExp; after: RegExp }
  /** Elements such as `<invoke name="…">`, up to the last `until`, without what `strip` matches. */
  | { kind: "elements"; strip: RegExp; until: string };

export interface CallForm {
  /** Models that write it. */
  family: string;
  open: RegExp;
  syntax: CallSyntax;
  /** What has to follow the calls; absent: nothing. */
  close?: RegExp;
  /**
   * "token": its beginning occurs in no prose. "line": it begins a line. "message": the message is nothing else. "fence": it is
   * the code block that ends the message.
   */
  place: "token" | "line" | "message" | "fence";
}

const NAME = "([\\w.:/-]{1,80})";
const JSON_AHEAD = "(?=\\{)";

const sticky = (...parts: string[]): RegExp => new RegExp(parts.join(""), "y");
const json = { kind: "json" } as const;
const python = { kind: "python" } as const;

/** `<tool_call>name`, and a tag for each name and value of a parameter. */
function keyedForm(family: string, prefix: string): CallForm {
  const tag = (name: string) => `<${prefix}${name}>`;
  const end = (name: string) => `</${prefix}${name}>`;
  const follows = `(?=\\s*(?:${tag("arg_key")}|${end("tool_call")}))`;
  return {
    family,
    open: sticky(`(?=${tag("tool_call")}\\s*${NAME}${follows})`),
    syntax: {
      kind: "pairs",
      before: sticky(`\\s*${tag("tool_call")}\\s*${NAME}\\s*`),
      pair: sticky(
        `${tag("arg_key")}\\s*([\\w.-]{1,80})\\s*${end("arg_key")}\\s*`,
        `${tag("arg_value")}([\\s\\S]*?)${end("arg_value")}${follows}\\s*`,
      ),
      after: sticky(end("tool_call")),
    },
    place: "line",
  };
}

const CALLS = "(?:invoke|tool_call|tool_use|function_call)";
const NAMES = "(?:tool_name|name)";
const ARGS = "(?:parameters|arguments|input|args)";
const DS = (name: string) => `<[|｜]tool[▁_]${name.replaceAll("_", "[▁_]")}[|｜]>`;
const HARMONY_CALL = [
  "(?:<\\|start\\|>\\s*assistant\\s*)?",
  `(?:to=${NAME}\\s*<\\|channel\\|>\\s*commentary|<\\|channel\\|>\\s*commentary\\s+to=${NAME})`,
  "\\s*(?:<\\|constrain\\|>\\s*)?(?:json)?\\s*<\\|message\\|>\\s*",
].join("");

export const CALL_FORMS: readonly CallForm[] = [
  { family: "Mistral", open: sticky("\\[TOOL_CALLS\\]\\s*(?=[[{])"), syntax: json, place: "token" },
  {
    family: "Mistral, since v11",
    open: sticky("(?=\\[TOOL_CALLS\\])"),
    syntax: {
      kind: "named",
      before: sticky(
        `\\s*\\[TOOL_CALLS\\]\\s*${NAME}\\s*(?:\\[CALL_ID\\]\\s*\\w+\\s*)?(?:\\[ARGS\\])?\\s*${JSON_AHEAD}`,
      ),
      after: sticky(""),
    },
    place: "token",
  },
  keyedForm("GLM", ""),
  keyedForm("LongCat", "longcat_"),
  {
    family: "DeepSeek 3.2",
    open: sticky("<｜DSML｜(?:function_calls|tool_calls)>\\s*(?=<｜DSML｜invoke)"),
    syntax: { kind: "elements", strip: /(?<=<\/?)｜DSML｜/g, until: "</｜DSML｜" },
    close: sticky("</｜DSML｜(?:function_calls|tool_calls)>"),
    place: "token",
  },
  {
    family: "Step 3",
    open: sticky(
      "<｜tool_calls_begin｜>\\s*(?=<｜tool_call_begin｜>\\s*\\w+\\s*<｜tool_sep｜>\\s*<steptml:)",
    ),
    syntax: {
      kind: "elements",
      strip: /<｜tool_call_begin｜>\s*\w+\s*<｜tool_sep｜>|<｜tool_call_end｜>/g,
      until: "<｜tool_calls_end｜>",
    },
    place: "token",
  },
  {
    family: "DeepSeek",
    open: sticky(`(?:${DS("calls_begin")})?\\s*(?=${DS("call_begin")})`),
    syntax: {
      kind: "named",
      before: sticky(
        `\\s*${DS("call_begin")}\\s*(?:function\\s*${DS("sep")}\\s*)?${NAME}\\s*`,
        `(?:${DS("sep")})?\\s*(?:\`\`\`(?:json)?\\s*)?${JSON_AHEAD}`,
      ),
      after: sticky(`\\s*(?:\`\`\`)?\\s*${DS("call_end")}`),
    },
    place: "token",
  },
  {
    family: "Kimi",
    open: sticky("(?:<\\|tool_calls?_section_begin\\|>)?\\s*(?=<\\|tool_call_begin\\|>)"),
    syntax: {
      kind: "named",
      before: sticky(
        `\\s*<\\|tool_call_begin\\|>\\s*${NAME}\\s*<\\|tool_call_argument_begin\\|>\\s*${JSON_AHEAD}`,
      ),
      after: sticky("\\s*<\\|tool_call_end\\|>"),
    },
    place: "token",
  },
  { family: "Llama 3", open: sticky("<\\|python_tag\\|>\\s*(?=[[{])"), syntax: json, place: "token" },
  { family: "Llama 3", open: sticky("<\\|python_tag\\|>\\s*"), syntax: python, place: "token" },
  { family: "Llama 4", open: sticky("<\\|python_start\\|>\\s*"), syntax: python, place: "token" },
  { family: "Granite, Phi 4", open: sticky("<\\|tool_call\\|>\\s*(?=[[{])"), syntax: json, place: "token" },
  { family: "Phi 4 mini, FireFunction", open: sticky("functools\\s*(?=\\[)"), syntax: json, place: "line" },
  {
    family: "LFM 2",
    open: sticky("<\\|tool_call_start\\|>\\s*(?=\\[?\\s*\\{)"),
    syntax: json,
    place: "token",
  },
  { family: "LFM 2", open: sticky("<\\|tool_call_start\\|>\\s*"), syntax: python, place: "token" },
  {
    family: "gpt-oss",
    open: sticky(`(?=${HARMONY_CALL})`),
    syntax: {
      kind: "named",
      before: sticky(`\\s*${HARMONY_CALL}${JSON_AHEAD}`),
      after: sticky("\\s*(?:<\\|(?:call|end)\\|>)?"),
    },
    place: "token",
  },
  {
    family: "Nemotron",
    open: sticky("<(?:TOOLCALL|TOOL_CALL|tools)>\\s*(?=[[{])"),
    syntax: json,
    close: sticky("\\s*</(?:TOOLCALL|TOOL_CALL|tools)>"),
    place: "line",
  },
  { family: "Cohere", open: sticky("<\\|START_ACTION\\|>\\s*(?=[[{])"), syntax: json, place: "token" },
  {
    family: "Command R",
    open: sticky("Action:\\s*```(?:json)?\\s*(?=\\[)"),
    syntax: json,
    close: sticky("\\s*```\\.?"),
    place: "line",
  },
  {
    family: "InternLM",
    open: sticky("<\\|action_start\\|>\\s*<\\|plugin\\|>\\s*(?=\\{)"),
    syntax: json,
    place: "token",
  },
  {
    family: "Apertus",
    open: sticky("<\\|tools_prefix\\|>\\s*(?=\\[)"),
    syntax: { kind: "json-keys" },
    place: "token",
  },
  {
    family: "Olmo 3",
    open: sticky("<(?:function_calls?|tool_calls?)>\\s*(?=[A-Za-z_][\\w.]*\\()"),
    syntax: python,
    close: sticky("\\s*</(?:function_calls?|tool_calls?)>"),
    place: "line",
  },
  {
    family: "Gemma",
    open: sticky("(?=(?:<start_function_call>|<\\|tool_call>)\\s*call:)"),
    syntax: {
      kind: "pairs",
      before: sticky(`\\s*(?:<start_function_call>|<\\|tool_call>)\\s*call:${NAME}\\s*\\{\\s*`),
      pair: sticky(
        '([\\w.-]{1,80})\\s*:\\s*(?:<escape>([\\s\\S]*?)<escape>|<\\|"\\|>([\\s\\S]*?)<\\|"\\|>|(-?[\\d.]+|true|false))',
        "\\s*(?:,\\s*|(?=\\}))",
      ),
      after: sticky("\\}\\s*(?:<end_function_call>|<tool_call\\|>)"),
    },
    place: "token",
  },
  {
    family: "Hunyuan",
    open: sticky(`(?:<tool_calls>\\s*)?(?=<tool_call>\\s*${NAME}\\s*(?:<tool_sep>\\s*)?(?:\`\`\`|\\{))`),
    syntax: {
      kind: "named",
      before: sticky(
        `\\s*<tool_call>\\s*${NAME}\\s*(?:<tool_sep>\\s*)?(?:\`\`\`(?:json)?\\s*)?${JSON_AHEAD}`,
      ),
      after: sticky("\\s*(?:```)?\\s*</tool_call>"),
    },
    close: sticky("\\s*(?:</tool_calls>)?"),
    place: "line",
  },
  {
    family: "Claude 2, and others that put the name in an element",
    open: sticky(`(?:<(?:function_calls|tool_calls)>\\s*)?(?=<${CALLS}>\\s*<${NAMES}>)`),
    syntax: {
      kind: "pairs",
      before: sticky(`\\s*<${CALLS}>\\s*<${NAMES}>\\s*${NAME}\\s*</${NAMES}>\\s*<${ARGS}>\\s*`),
      pair: sticky("<([A-Za-z_][\\w.-]{0,80})>([\\s\\S]*?)</\\1>\\s*(?=<)"),
      after: sticky(`\\s*</${ARGS}>\\s*</${CALLS}>`),
    },
    close: sticky("\\s*(?:</(?:function_calls|tool_calls)>)?"),
    place: "line",
  },
  {
    family: "Functionary 2",
    open: sticky("(?=(?:<\\|from\\|>\\s*assistant\\s*)?<\\|recipient\\|>)"),
    syntax: {
      kind: "named",
      before: sticky(
        `\\s*(?:<\\|from\\|>\\s*assistant\\s*)?<\\|recipient\\|>\\s*${NAME}\\s*<\\|content\\|>\\s*${JSON_AHEAD}`,
      ),
      after: sticky("\\s*(?:<\\|stop\\|>)?"),
    },
    place: "token",
  },
  {
    family: "Functionary 3",
    open: sticky(`(?=>>>${NAME}\\s*\\n\\s*\\{)`),
    syntax: {
      kind: "named",
      before: sticky(`\\s*>>>${NAME}\\s*\\n\\s*${JSON_AHEAD}`),
      after: sticky(""),
    },
    place: "line",
  },
  {
    family: "Qwen-Agent",
    open: sticky("(?=✿FUNCTION✿)"),
    syntax: {
      kind: "named",
      before: sticky(`\\s*✿FUNCTION✿\\s*:\\s*${NAME}\\s*✿ARGS✿\\s*:\\s*${JSON_AHEAD}`),
      after: sticky("\\s*(?:✿RESULT✿\\s*:?)?"),
    },
    place: "line",
  },
  {
    family: "ReAct",
    open: sticky(`(?=Action:[ \\t]*${NAME}[ \\t]*\\n+[ \\t]*Action Input:)`),
    syntax: {
      kind: "named",
      before: sticky(
        `Action:[ \\t]*${NAME}[ \\t]*\\n+[ \\t]*Action Input:\\s*(?:\`\`\`(?:json)?\\s*)?${JSON_AHEAD}`,
      ),
      after: sticky("\\s*(?:```)?\\s*(?:Observation:)?"),
    },
    place: "line",
  },
  {
    family: "GigaChat",
    open: sticky("function call\\s*(?:<\\|role_sep\\|>)?\\s*(?=\\{)"),
    syntax: json,
    place: "line",
  },
  {
    family: "Gemini, Gemma",
    open: sticky("```(?:tool_code|tool_calls?|function_calls?)[ \\t]*\\n\\s*(?=[A-Za-z_])"),
    syntax: python,
    close: sticky("\\s*```"),
    place: "fence",
  },
  {
    family: "Llama 3.2, Llama 4, xLAM",
    open: sticky("(?=\\[?\\s*[A-Za-z_][\\w.]*\\()"),
    syntax: python,
    place: "message",
  },
];

/** Where one of them may begin. */
export const CALL_STARTS = new RegExp(
  [
    "<[|｜]",
    "<(?:(?:longcat_)?tool_calls?|TOOLCALL|TOOL_CALL|tools|function_calls?|invoke|tool_use|start_function_call)>",
    "\\[TOOL_CALLS\\]",
    "(?:(?:assistant)?(?:commentary|analysis)[ \\t]+)?to=(?=\\w)",
    "functools(?=\\s*\\[)",
    "Action:",
    "✿FUNCTION✿",
    ">>>(?=\\w)",
    "function call(?=\\s*[<{])",
    "```(?=tool_c|function_c)",
  ].join("|"),
  "g",
);

/** What begins a call in a form that is not in the table, or in one that lost parts of its markup. */
export const CALL_LIKE =
  /<[|｜]\/?(?:tool|function|python|plugin|action|recipient)[^<>\n]{0,40}>|<\|channel\|>\s*(?:commentary|analysis)\s+to=|(?:(?:assistant)?(?:commentary|analysis)[ \t]+)?to=[\w.]+[ \t]*(?:<\||json|code|\{)|\[TOOL_CALLS\]|Action:[ \t]*\w+[ \t]*\n+[ \t]*Action Input:/iy;

/** What templates write after the calls. */
export const CALL_TAIL = /(?:\s|<[|｜]\/?[\w▁:/-]{1,40}[|｜]>|<\/s>|\[\/TOOL_CALLS\])*$/y;
