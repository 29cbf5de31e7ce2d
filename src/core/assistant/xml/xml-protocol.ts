import { type AssistantBlock, foldEvents, type ToolSyntax } from "../events.ts";
import { TagTable } from "./tags.ts";
import { type AssistantParser, XmlParser } from "./xml-parser.ts";

export type { AssistantParser };

/**
 * An incremental parser of the XML protocol. What it holds back between chunks is bounded by the longest tag and
 * `WHITE_SPACE_LIMIT`, and work for a chunk is proportional to the chunk and that tail.
 *
 * - A tool's opening tag starts a call outside code (see `CodeTracker`) when one of the tool's parameters or its
 *   closing tag follows, after white space. `<tool/>` alone on its line is a call of a tool without parameters.
 * - A value ends at its closing tag when a parameter that the call does not have yet follows, or the tool's closing
 *   tag; that of a path, number or the like ends at its first closing tag. One line break (LF or CRLF) at either end is the protocol's; the rest is the value's.
 * - A CDATA section around a value hides every tag in it until `]]>` and such an ending; one line break at either
 *   end inside it is the protocol's too, and `]]><![CDATA[` joins two sections.
 * - `<thinking>` and `<think>` outside code are reasoning up to the first closing tag of the same name, or to the
 *   message's end. One line break at either end is left out; neighbouring blocks are parted by a blank line.
 * - Text keeps its white space; text that is white space only (up to `WHITE_SPACE_LIMIT`) is left out.
 * - At the start of a line, forms that leave no doubt are calls as well: names in another case or spelling, parameters
 *   that the tool does not have, attributes, bare text where the tool has one parameter for it (see `whole-call.ts`),
 *   and other protocols' tags (see `foreign-calls.ts`), which are collected up to their end.
 * - A call with a wrong or missing closing tag is closed as partial, and `fault` says what is wrong with it.
 * - A call that the message does not finish is closed as partial, without what may be the start of its value's
 *   ending tags.
 */
export function createAssistantParser(tools: readonly ToolSyntax[]): AssistantParser {
  return new XmlParser(new TagTable(tools));
}

/** The blocks of a whole message under the XML protocol. */
export function parseAssistantMessage(text: string, tools: readonly ToolSyntax[]): AssistantBlock[] {
  const parser = createAssistantParser(tools);
  return foldEvents([...parser.push(text), ...parser.end()]);
}
