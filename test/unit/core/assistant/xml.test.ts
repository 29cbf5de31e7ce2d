import { describe, expect, test } from "vitest";
import {
  createAssistantParser,
  parseAssistantMessage,
} from "../../../../src/core/assistant/xml/xml-protocol.ts";
import { call, parse, reasoning, stream, text, tools } from "./parse.ts";

const READ = "<read_file><path>a.ts</path></read_file>";
const read = call("read_file", { path: "a.ts" });

describe("prose", () => {
  test.each([
    ["a tool's name in prose", "use <read_file> to read, then <write_to_file>."],
    ["a tool's name at the end", "I would use <read_file>"],
    ["a tool's tag and a line break", "There is <read_file>\nand there is <path>."],
    ["a tag that was begun", "see <read_fi"],
    ["another tool's parameter in a sentence", "I use <read_file> <content>x</content> here"],
    ["a tool's two tags side by side in a sentence", "The tags <read_file></read_file> go around it."],
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
    [
      "by a value whose closing tag is missing",
      "<write_to_file><content>a</write_to_file>",
      { content: "a</write_to_file>" },
    ],
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
