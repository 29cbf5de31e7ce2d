import { describe, expect, test } from "vitest";
import {
  type AssistantBlock,
  type AssistantEvent,
  foldEvents,
} from "../../../../src/core/assistant/events.ts";
import { createAssistantParser, parseAssistantMessage } from "../../../../src/core/assistant/xml.ts";

const tools = [
  { name: "read_file", params: ["path", "start_line", "end_line"] },
  { name: "write_to_file", params: ["path", "content"] },
  { name: "replace_in_file", params: ["path", "diff"] },
  { name: "execute_command", params: ["command", "requires_approval"] },
  { name: "attempt_completion", params: ["result", "command"] },
  { name: "load_mcp_documentation", params: [] },
];

/** The blocks of the message, which must be the same one code unit at a time. */
function parse(message: string): AssistantBlock[] {
  const blocks = parseAssistantMessage(message, tools);
  expect(foldEvents(stream(message.split("")))).toEqual(blocks);
  return blocks;
}

function stream(chunks: string[]): AssistantEvent[] {
  const parser = createAssistantParser(tools);
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

const text = (value: string): AssistantBlock => ({ type: "text", text: value });
const reasoning = (value: string): AssistantBlock => ({ type: "reasoning", text: value });
const call = (name: string, params: Record<string, string>, partial = false): AssistantBlock => ({
  type: "tool",
  name,
  params,
  partial,
});
const READ = "<read_file><path>a.ts</path></read_file>";
const read = call("read_file", { path: "a.ts" });

/** The value of `content` in a call that writes a file. */
function content(value: string): string | undefined {
  const [block] = parse(`<write_to_file>\n<path>a</path>\n<content>${value}</content>\n</write_to_file>`);
  if (block?.type !== "tool") throw new Error("no call");
  expect(block.partial).toBe(false);
  return block.params.content;
}

function command(value: string): string | undefined {
  const [block] = parse(`<execute_command><command>${value}</command></execute_command>`);
  return block?.type === "tool" ? block.params.command : undefined;
}

describe("prose", () => {
  test.each([
    ["a tool's name in prose", "use <read_file> to read, then <write_to_file>."],
    ["a tool's name at the end", "I would use <read_file>"],
    ["a tool's tag and a line break", "There is <read_file>\nand there is <path>."],
    ["a tag that was begun", "see <read_fi"],
    ["another tool's parameter", "<read_file>\n<content>x</content>\n</read_file>"],
    ["a closing tag alone", "that ends with </read_file> and </path>"],
    ["less-than signs", "if (a < b && b <c) <<<"],
    ["an empty element of a tool with parameters", "\n<read_file/>\n"],
    ["other tags", "<div>\n<path>a</path>\n</div>"],
  ])("%s stays prose", (_, message) => {
    expect(parse(message)).toEqual([text(message)]);
  });

  test("a call after a mention in prose is a call", () => {
    expect(parse(`I use <read_file> now.\n${READ}`)).toEqual([text("I use <read_file> now.\n"), read]);
  });

  test("white space between blocks is left out, other text keeps its own", () => {
    expect(parse(`\n${READ}\n\n${READ} \n then \n${READ}\n`)).toEqual([
      read,
      read,
      text(" \n then \n"),
      read,
    ]);
  });

  test("a message without anything has no blocks", () => {
    expect(parse("")).toEqual([]);
    expect(parse(" \n ")).toEqual([]);
  });
});

describe("code", () => {
  test.each([
    ["inline code", `\`${READ}\``],
    ["inline code of two back-ticks", `\`\`a \` ${READ}\`\``],
    ["a fence", `\`\`\`\n${READ}\n\`\`\``],
    ["a fence with an info string", `like so:\n\`\`\`xml title=a\n${READ}\n\`\`\`\ndone`],
    ["a fence of tildes", `~~~ \`x\`\n${READ}\n~~~`],
    ["a longer fence around a shorter one", `\`\`\`\`\n\`\`\`\n${READ}\n\`\`\`\n${READ}\n\`\`\`\``],
    ["a fence that is indented", `   \`\`\`\n${READ}\n   \`\`\``],
    ["a fence of the other kind inside", `~~~\n\`\`\`\n~~\n${READ}\n~~~`],
    ["a fence in a list", `1. Do:\n   - so\n\n     \`\`\`xml\n     ${READ}\n     \`\`\`\n`],
    ["a fence that begins with its list item", `- \`\`\`\n  ${READ}\n  \`\`\``],
    ["a fence that never closes", `\`\`\`\n${READ}\n`],
    ["a fence with CRLF", `\`\`\`\r\n${READ}\r\n\`\`\`\r\n`],
    ["three back-ticks within a line", `so: \`\`\`xml\n${READ}\n\`\`\``],
    ["a fence's line with a back-tick in it", `\`\`\`a\` ${READ}\`\`\``],
    ["thinking in inline code", "the `<thinking>` tag"],
    ["thinking in a fence", "```\n<thinking>\n```"],
  ])("%s holds no call", (_, message) => {
    expect(parse(message)).toEqual([text(message)]);
  });

  test.each([
    ["a fence that closed", `\`\`\`\ncode\n\`\`\`\n`],
    ["a fence closed by a longer run, with spaces after it", `\`\`\`\ncode\n  \`\`\`\`  \n`],
    ["inline code that closed", "`code` "],
    ["inline code with a longer run in it", "`a `` b` "],
    ["a stray back-tick on the line before", "don`t\n"],
    ["three stray back-ticks and a blank line", "a ``` b\n\n"],
    ["a fence of inline code on one line", "```code``` "],
    ["what would be a fence but for its indentation", "    ~~~\n"],
    ["two tildes", "~~\n"],
  ])("a call after %s is a call", (_, before) => {
    expect(parse(before + READ)).toEqual([text(before), read]);
  });

  test("code that opened before a call does not outlast a block", () => {
    expect(parse(`${READ}\`\n${READ}`)).toEqual([read, text("`\n"), read]);
  });
});

describe("calls", () => {
  test("white space between tags does not matter", () => {
    const message = "<read_file>\r\n\t <path>a.ts</path>\n\n<start_line>2</start_line> </read_file>";
    expect(parse(message)).toEqual([call("read_file", { path: "a.ts", start_line: "2" })]);
  });

  test("two calls in one message, with text between them", () => {
    expect(parse(`${READ}\nand\n${READ}`)).toEqual([read, text("\nand\n"), read]);
    const starts = stream([READ + READ]).filter((event) => event.type === "tool-start");
    expect(starts.map((event) => event.index)).toEqual([0, 1]);
  });

  test("a tool without parameters, with a closing tag or as an empty element on its own line", () => {
    const load = call("load_mcp_documentation", {});
    expect(parse("<load_mcp_documentation>\n</load_mcp_documentation>")).toEqual([load]);
    expect(parse("Now:\n  <load_mcp_documentation/>")).toEqual([text("Now:\n  "), load]);
    expect(parse("<load_mcp_documentation /> \nok")).toEqual([load, text(" \nok")]);
    const mention = "the <load_mcp_documentation/> tool";
    expect(parse(mention)).toEqual([text(mention)]);
    expect(parse("<load_mcp_documentation/> it is")).toEqual([text("<load_mcp_documentation/> it is")]);
  });

  test("a call without parameters of a tool that wants some is a call", () => {
    expect(parse("<read_file></read_file>")).toEqual([call("read_file", {})]);
  });

  test("every tool takes task_progress", () => {
    const message =
      "<read_file>\n<path>neko.txt</path>\n<task_progress>\n- [ ] 読む\n</task_progress>\n</read_file>";
    expect(parse(message)).toEqual([call("read_file", { path: "neko.txt", task_progress: "- [ ] 読む" })]);
  });

  test("white space past the limit makes the tag text, up to it the tag holds", () => {
    const limit = " ".repeat(1024);
    expect(parse(`<read_file>${limit}<path>a.ts</path></read_file>`)).toEqual([read]);
    const past = `<read_file>${limit} <path>a.ts</path></read_file>`;
    expect(parse(past)).toEqual([text(past)]);
  });

  test("a whole exchange of the reference documents", () => {
    const message =
      "<thinking>\n猫を犬に。\n</thinking>\n\n<replace_in_file>\n<path>neko.txt</path>\n<diff>\n------- SEARCH\n" +
      "吾輩は猫である。\n=======\n吾輩は犬である。\n+++++++ REPLACE\n</diff>\n</replace_in_file>";
    const diff = "------- SEARCH\n吾輩は猫である。\n=======\n吾輩は犬である。\n+++++++ REPLACE";
    expect(parse(message)).toEqual([
      reasoning("猫を犬に。"),
      call("replace_in_file", { path: "neko.txt", diff }),
    ]);
  });
});

describe("a call that is cut off", () => {
  test.each([
    ["after the first value", "<read_file><path>a.ts</path>", { path: "a.ts" }],
    ["within the tool's closing tag", "<read_file>\n<path>a.ts</path>\n</read_fi", { path: "a.ts" }],
    ["within a value's closing tag", "<read_file>\n<path>a.ts</pa", { path: "a.ts" }],
    ["within a value", "<write_to_file><path>a</path><content>\nabc", { path: "a", content: "abc" }],
    [
      "after a value's line break",
      "<write_to_file><path>a</path><content>\nabc\n",
      { path: "a", content: "abc" },
    ],
    ["before a value", "<write_to_file><path>a</path><content>", { path: "a", content: "" }],
    ["within CDATA", "<write_to_file><path>a</path><content><![CDATA[x]]", { path: "a", content: "x" }],
    [
      "within the start of CDATA",
      "<write_to_file><path>a</path><content><![CDA",
      { path: "a", content: "<![CDA" },
    ],
    ["by a value whose closing tag is missing", "<read_file><path>a</read_file>", { path: "a</read_file>" }],
  ])("%s is partial", (_, message, params) => {
    const [block] = parse(message);
    expect(block).toMatchObject({ type: "tool", params, partial: true });
  });

  test("before anything says that it is one stays text", () => {
    expect(parse("ok\n<read_file>\n")).toEqual([text("ok\n<read_file>\n")]);
    expect(parse("ok\n<read_file>\n<pat")).toEqual([text("ok\n<read_file>\n<pat")]);
  });

  test("the parser takes nothing after the end", () => {
    const parser = createAssistantParser(tools);
    parser.push("<read_file><path>a");
    expect(parser.end().at(-1)).toEqual({ type: "tool-end", index: 0, partial: true });
    expect(parser.push("</path></read_file>")).toEqual([]);
    expect(parser.end()).toEqual([]);
  });
});

describe("values", () => {
  test.each([
    ["its own closing tag", "a</content>b"],
    ["its own closing tag and text after white space", "a</content>\n  b"],
    ["an element of its own name", "<content>x</content>\n<content>y</content>"],
    ["elements named like parameters that the call has", "<content>x</content>\n<path>y</path>"],
    ["other tools' tags", "</diff></replace_in_file><read_file><path>x</path></read_file>"],
    ["the tool's closing tag alone", "a</write_to_file>b"],
    ["the start of its closing tag", "a</conten></cont"],
    ["thinking", "<thinking>x</thinking>"],
    ["entities and bare characters", "&lt;a&gt; &amp;&amp; <b> && c"],
    ["code fences", "```\n</content>\n```"],
    ["indentation, trailing spaces and no final newline", "  a\n\tb  "],
    ["emoji, combining marks and NUL", "🐈‍⬛ e\u0301 \u0000"],
    ["lone surrogates", "\ud83d \ude00"],
    ["CRLF and CR", "a\r\nb\rc"],
  ])("content keeps %s", (_, value) => {
    expect(content(value)).toBe(value);
    expect(content(`\n${value}\n`)).toBe(value);
    expect(content(`\r\n${value}\r\n`)).toBe(value);
  });

  test("exactly one line break at either end is the protocol's", () => {
    expect(content("\n\n  a\n\n\n")).toBe("\n  a\n\n");
    expect(content("\n")).toBe("");
    expect(content("\n\n")).toBe("");
    expect(content("\n\n\n")).toBe("\n");
    expect(content("\r\n\r\n")).toBe("");
    expect(content("\r")).toBe("\r");
    expect(content(" \na\n ")).toBe(" \na\n ");
    expect(content("")).toBe("");
  });

  test("</command> inside a command and </diff> inside a diff are kept", () => {
    expect(command("echo '</command>' > a")).toBe("echo '</command>' > a");
    const diff = "------- SEARCH\n</diff>\n=======\n<diff>\n+++++++ REPLACE";
    const message = `<replace_in_file><path>a</path><diff>\n${diff}\n</diff></replace_in_file>`;
    expect(parse(message)).toEqual([call("replace_in_file", { path: "a", diff })]);
  });

  test("a closing tag followed by a parameter that the call has is the value's", () => {
    const message = "<read_file><path>a</path><path>b</path></read_file>";
    expect(parse(message)).toEqual([call("read_file", { path: "a</path><path>b" })]);
  });
});

describe("CDATA", () => {
  test.each([
    ["around the value", "<![CDATA[a < b && c]]>", "a < b && c"],
    ["with white space around it", "\n  <![CDATA[a]]>  \n", "a"],
    ["with line breaks inside", "\n<![CDATA[\n  a\n\n]]>\n", "  a\n"],
    [
      "around everything that could end the value",
      "<![CDATA[x</content></write_to_file>y]]>",
      "x</content></write_to_file>y",
    ],
    ["with ]]> inside", "<![CDATA[a]]> b]]]>", "a]]> b]"],
    ["in two sections", "<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"],
    ["that is empty", "<![CDATA[]]>", ""],
    ["with entities inside", "<![CDATA[&lt;]]>", "&lt;"],
    ["in the middle of a value", "a<![CDATA[b]]>", "a<![CDATA[b]]>"],
  ])("%s", (_, value, expected) => {
    expect(content(value)).toBe(expected);
  });

  test("in a short value, without decoding", () => {
    expect(command("<![CDATA[a &amp; b]]>")).toBe("a &amp; b");
  });
});

describe("entities", () => {
  test.each([
    ["decoded in a command", "grep &quot;&lt;b&gt;&quot; a &amp;&amp; ls", 'grep "<b>" a && ls'],
    ["decoded once", "echo &amp;lt;", "echo &lt;"],
    ["decoded by number", "&#39;&#x1F408;", "'🐈"],
    ["kept beside a bare &", "a && echo &lt;", "a && echo &lt;"],
    ["kept beside a bare > that comes after", "echo &lt; > a", "echo &lt; > a"],
    ["kept beside a bare <", "cat <<E &amp;", "cat <<E &amp;"],
    ["kept beside an entity that is none", "&lt; &nope; &", "&lt; &nope; &"],
    ["kept where the value ends within one", "&lt;&am", "&lt;&am"],
    ["kept where the number is no character", "&lt;&#xD800;", "&lt;&#xD800;"],
    ["kept in a value that is not short", `&lt;${"a".repeat(4100)}`, `&lt;${"a".repeat(4100)}`],
  ])("%s", (_, value, expected) => {
    expect(command(value)).toBe(expected);
  });

  test("never decoded in content, diffs and results", () => {
    expect(content("&lt;a&gt;")).toBe("&lt;a&gt;");
    const done = "<attempt_completion><result>&lt;</result></attempt_completion>";
    expect(parse(done)).toEqual([call("attempt_completion", { result: "&lt;" })]);
  });

  test("a short value streams up to its first entity", () => {
    const parser = createAssistantParser(tools);
    const events = parser.push("<execute_command><command>npm test &amp;");
    expect(events.at(-1)).toEqual({ type: "param", index: 0, name: "command", delta: "npm test " });
  });
});

describe("reasoning", () => {
  test("<thinking> and <think> are reasoning, without the line break at either end", () => {
    expect(parse("a <thinking>\nb\n</thinking> c")).toEqual([text("a "), reasoning("b"), text(" c")]);
    expect(parse("<think>b</think>c")).toEqual([reasoning("b"), text("c")]);
  });

  test("thinking that never closes is reasoning to the end, and its calls are none", () => {
    expect(parse(`<thinking>hm\n${READ}`)).toEqual([reasoning(`hm\n${READ}`)]);
    expect(parse("<think>hm</thinking></thi")).toEqual([reasoning("hm</thinking>")]);
  });

  test("a call inside thinking is none, one after it is", () => {
    expect(parse(`<thinking>${READ}</thinking>${READ}`)).toEqual([reasoning(READ), read]);
  });

  test("the other kind of thinking inside stays as it is", () => {
    expect(parse("<thinking>a<think>b</think>c</thinking>")).toEqual([reasoning("a<think>b</think>c")]);
  });

  test("blocks that follow each other are parted by a blank line", () => {
    expect(parse("<thinking>a</thinking>\n<thinking>b</thinking>")).toEqual([reasoning("a\n\nb")]);
    expect(parse("<thinking></thinking>")).toEqual([]);
  });
});

describe("streaming", () => {
  test("text and values come as they arrive", () => {
    const parser = createAssistantParser(tools);
    expect(parser.push("Let me")).toEqual([{ type: "text", delta: "Let me" }]);
    expect(parser.push(" see.<write_to_file><path>a</path><content>\nab")).toEqual([
      { type: "text", delta: " see." },
      { type: "tool-start", index: 0, name: "write_to_file" },
      { type: "param", index: 0, name: "path", delta: "a" },
      { type: "param", index: 0, name: "content", delta: "ab" },
    ]);
    expect(parser.push("c\n")).toEqual([{ type: "param", index: 0, name: "content", delta: "c" }]);
    expect(parser.push("d")).toEqual([{ type: "param", index: 0, name: "content", delta: "\nd" }]);
    expect(parser.push("</content></write_to_file>")).toEqual([
      { type: "tool-end", index: 0, partial: false },
    ]);
  });

  test("no delta ends between the halves of a surrogate pair", () => {
    for (const message of [
      "🐈",
      "<thinking>🐈</thinking>",
      "<write_to_file><content>🐈</content></write_to_file>",
    ]) {
      const deltas = stream(message.split("")).flatMap((event) => ("delta" in event ? [event.delta] : []));
      expect(deltas.join("")).toBe("🐈");
      expect(deltas).toContain("🐈");
    }
  });

  test("what is held back is bounded, whatever comes", () => {
    const openers = ["", "<thinking>", "<write_to_file><content>", "<write_to_file><content><![CDATA["];
    const fillers = [
      "</content>\n",
      "<read_file>   ",
      "]]></content> ",
      "\n",
      "<",
      " ",
      "</thinkin",
      "&lt;",
      "`",
    ];
    for (const opener of openers) {
      for (const filler of fillers) {
        const parser = createAssistantParser(tools);
        let held = 0;
        let most = 0;
        for (const chunk of [opener, ...new Array<string>(1500).fill(filler)]) {
          held += chunk.length;
          for (const event of parser.push(chunk)) if ("delta" in event) held -= event.delta.length;
          most = Math.max(most, held);
        }
        expect(most).toBeLessThan(1200);
      }
    }
  });

  test("a megabyte of anything is read", () => {
    for (const piece of ["<read_file>\n", "`<", "</content>", "\n- ```", " ", "]]>", "<thinking", "&lt;"]) {
      const many = piece.repeat(1_000_000 / piece.length);
      expect(parseAssistantMessage(`<write_to_file><path>a</path><content>${many}`, tools)).toHaveLength(1);
      expect(parseAssistantMessage(`<write_to_file><path>${many}`, tools)).toHaveLength(1);
      expect(parseAssistantMessage(many, tools).length).toBeLessThan(2);
    }
  });
});
