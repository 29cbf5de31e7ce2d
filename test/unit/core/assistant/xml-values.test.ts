import { describe, expect, test } from "vitest";
import { createAssistantParser } from "../../../../src/core/assistant/xml/xml-protocol.ts";
import { call, parse, tools } from "./parse.ts";

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
