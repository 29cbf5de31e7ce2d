/**
 * Parses calls whose parameters are in an element of their own: `<read_file><args>` with parameters, with a JSON object
 * of them, or with groups of them, each of which is a call.
 */
import { isSpace, LT, WHITE_SPACE_LIMIT } from "../chars.ts";
import { normalize } from "../spelling.ts";
import { NONE, type TagTable, type ToolTags, WAIT } from "./tags.ts";
import { paramsOfArguments, parseJson, type WholeCall } from "./whole-call.ts";

const NAMES = ["args", "arguments", "params", "parameters"];
const LONGEST = Math.max(...NAMES.map((name) => name.length)) + 2;
const OPENING = /^<([^<>\s/]{1,80})>\s*<(args|arguments|params|parameters)>/;

/**
 * Checks whether such an element follows at `at`, the position after the opening tag of `tool`. A tool with a parameter
 * of that name has no such form.
 */
export function argsTag(
  s: string,
  at: number,
  tool: ToolTags,
  atEnd: boolean,
): typeof NONE | typeof WAIT | { kind: "args" } {
  let i = at;
  while (i < s.length && i - at <= WHITE_SPACE_LIMIT && isSpace(s.charCodeAt(i))) i++;
  const tag = s.slice(i, i + LONGEST);
  const names = NAMES.filter((name) => !tool.params.includes(name));
  if (tag !== "" && tag.charCodeAt(0) !== LT) return NONE;
  if (names.some((name) => tag.startsWith(`<${name}>`))) return { kind: "args" };
  return !atEnd && i + tag.length === s.length && names.some((name) => `<${name}>`.startsWith(tag))
    ? WAIT
    : NONE;
}

/** Whether the closing tag at the end of the text may be part of a value: the element is not closed before it. */
export function endsInArgs(text: string, close: string): boolean {
  const name = OPENING.exec(text)?.[2];
  return (
    name !== undefined &&
    !text
      .slice(0, text.length - close.length)
      .trimEnd()
      .endsWith(`</${name}>`)
  );
}

/** Parses the calls of such a text, from the tool's opening tag to its closing tag; undefined if it is damaged. */
export function readArgs(text: string, tags: TagTable): WholeCall[] | undefined {
  const open = OPENING.exec(text);
  if (open === null) return undefined;
  const [start, toolTag = "", name = ""] = open;
  const tool = tags.find(toolTag);
  const end = new RegExp(`</${name}>\\s*</[^<>\\s/]{1,80}>$`).exec(text);
  if (tool === undefined || end === null || end.index < start.length) return undefined;
  const body = text.slice(start.length, end.index).trim();
  if (body.startsWith("{")) {
    const params = paramsOfArguments(parseJson(body), tool);
    return params && [{ name: tool.name, params }];
  }
  const elements = elementsOf(body, (tag) => paramNamed(tag, tool) !== undefined);
  if (elements === undefined) return undefined;
  const own = callOf(elements, tool);
  if (own !== undefined) return [own];
  const calls = elements.map(({ tag, text: group }) => {
    const inner = paramNamed(tag, tool) === undefined ? elementsOf(group.trim(), () => true) : undefined;
    return inner && callOf(inner, tool);
  });
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

interface Element {
  tag: string;
  text: string;
}

/** Returns the consecutive elements that a text consists of. `isValue`: the tag's element ends before another such tag. */
function elementsOf(text: string, isValue: (tag: string) => boolean): Element[] | undefined {
  const elements: Element[] = [];
  let at = 0;
  while (at < text.length) {
    const open = /^\s*<([A-Za-z_][\w.-]{0,63})>/.exec(text.slice(at, at + WHITE_SPACE_LIMIT));
    if (open === null) return undefined;
    const tag = open[1] ?? "";
    const from = at + open[0].length;
    const close = `</${tag}>`;
    let end = text.indexOf(close, from);
    // A value may contain its own closing tag: it ends before another element, or at the end.
    while (
      end >= 0 &&
      isValue(tag) &&
      !/^\s*(?:<[A-Za-z_][\w.-]{0,63}>|$)/.test(text.slice(end + close.length))
    )
      end = text.indexOf(close, end + 1);
    if (end < 0) return undefined;
    elements.push({ tag, text: text.slice(from, end) });
    at = end + close.length;
    if (text.slice(at).trim() === "") break;
  }
  return elements.length > 0 ? elements : undefined;
}

function paramNamed(tag: string, tool: ToolTags): string | undefined {
  const plain = normalize(tag);
  return tool.params.find((param) => param === tag || normalize(param) === plain);
}

/** Returns the call with these parameters; undefined if one is not the tool's, or is given twice. */
function callOf(elements: readonly Element[], tool: ToolTags): WholeCall | undefined {
  const params = new Map<string, string>();
  for (const { tag, text } of elements) {
    const name = paramNamed(tag, tool);
    if (name === undefined || params.has(name)) return undefined;
    params.set(name, text.replace(/^\r?\n/, "").replace(/\r?\n[ \t]*$/, ""));
  }
  return { name: tool.name, params: [...params] };
}
