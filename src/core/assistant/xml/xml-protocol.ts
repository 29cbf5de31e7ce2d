import { type AssistantBlock, foldEvents, type ToolSyntax } from "../events.ts";
import { tagTableOf } from "./tags.ts";
import { type AssistantParser, XmlParser } from "./xml-parser.ts";

export type { AssistantParser };

/**
 * Creates an incremental parser of the XML protocol. The text held back between chunks is bounded by the longest tag
 * and `WHITE_SPACE_LIMIT`, and the work per chunk is proportional to the chunk and that text.
 *
 * - A tool's opening tag starts a call outside code (see `CodeTracker`) if one of the tool's parameters or its closing
 *   tag follows, after optional white space. `<tool/>` alone on its line is a call of a tool without parameters.
 * - A value ends at its closing tag if that is followed by a parameter that the call does not have yet or by the tool's
 *   closing tag. A value that is a path, a number or similar ends at its first closing tag. One line break (LF or CRLF)
 *   at either end belongs to the protocol; other line breaks belong to the value.
 * - A CDATA section around a value hides all tags in it until `]]>` followed by such an ending. One line break at
 *   either end inside it also belongs to the protocol, and `]]><![CDATA[` joins two sections.
 * - `<thinking>` and `<think>` outside code are reasoning up to the first closing tag with the same name, or to the end
 *   of the message. One line break at either end is dropped. A blank line separates adjacent blocks.
 * - Text keeps its white space. Text that is only white space (up to `WHITE_SPACE_LIMIT`) is dropped.
 * - At the start of a line, unambiguous forms are also calls: names in another case or spelling, parameters that the
 *   tool does not have, attributes, bare text if the tool has one parameter for it (see `whole-call.ts`), and tags of
 *   other protocols (see `foreign-calls.ts`), which are collected up to their end.
 * - JSON with a tool's name and arguments that fit is a call if it is alone in a code fence, or the whole answer, and
 *   nothing follows it (see `held-call.ts`). It is held back from where it begins.
 * - A call with a wrong or missing closing tag is closed as partial, and `fault` says what is wrong with it.
 * - A call that the message does not finish is closed as partial, without what may be the start of its value's closing
 *   tags.
 */
export function createAssistantParser(tools: readonly ToolSyntax[]): AssistantParser {
  return new XmlParser(tagTableOf(tools));
}

/** Returns the blocks of a complete message in the XML protocol. */
export function parseAssistantMessage(text: string, tools: readonly ToolSyntax[]): AssistantBlock[] {
  const parser = createAssistantParser(tools);
  return foldEvents([...parser.push(text), ...parser.end()]);
}
