/**
 * Finds calls that a model wrote as XML in its text. Only an element that the next user message answers with
 * `[name ...] Result:` counts, so that XML in code stays text.
 */
import type { ForeignEntry, ForeignMessage, ForeignPart, ForeignResult } from "./foreign-session.ts";

const RESULT = /^\s*\[([a-z][a-z_]*)(?: for [\s\S]{0,2000}?)?\] Result:\s*/;

/** The entries with the calls in answers and their results as such. */
export function withXmlCalls(entries: readonly ForeignEntry[]): ForeignEntry[] {
  const out: ForeignEntry[] = [];
  let number = 0;
  for (const entry of entries) {
    const last = out.at(-1);
    const isAnswered = entry.kind === "message" && entry.role === "user" && last?.kind === "message";
    const split =
      isAnswered && last.role === "assistant" ? splitCall(last, entry, `xml-${++number}`) : undefined;
    if (!split) {
      out.push(entry);
      continue;
    }
    out[out.length - 1] = split.answer;
    out.push(split.result);
    if (split.user.parts.length > 0) out.push(split.user);
  }
  return out;
}

interface SplitCall {
  answer: ForeignMessage;
  result: ForeignResult;
  user: ForeignMessage;
}

function splitCall(answer: ForeignMessage, user: ForeignMessage, id: string): SplitCall | undefined {
  const first = user.parts.findIndex((part) => part.type === "text" && RESULT.test(part.text));
  const heading = user.parts[first];
  const name = heading?.type === "text" ? RESULT.exec(heading.text)?.[1] : undefined;
  const at = answer.parts.findLastIndex((part) => part.type === "text");
  const words = answer.parts[at];
  if (heading?.type !== "text" || name === undefined || words?.type !== "text") return undefined;
  const call = elementOf(words.text, name);
  if (!call) return undefined;
  const parts: ForeignPart[] = answer.parts.flatMap((part, index): ForeignPart[] => {
    if (index !== at) return [part];
    const before = words.text.slice(0, call.from).trimEnd();
    return [
      ...(before.trim() === "" ? [] : [{ type: "text" as const, text: before }]),
      { type: "call", id, name, input: call.input },
    ];
  });
  // The result follows its heading, in the same text or in the next ones that the user did not write.
  const rest = heading.text.replace(RESULT, "");
  const next = user.parts[first + 1];
  const isSeparate =
    rest.trim() === "" && next?.type === "text" && !/^\s*<environment_details>/.test(next.text);
  const text = isSeparate ? next.text : rest;
  const used = new Set([first, ...(isSeparate ? [first + 1] : [])]);
  return {
    answer: { ...answer, parts },
    result: {
      kind: "result",
      callId: id,
      isError: /^\s*(?:The tool execution failed|<error>)/.test(text),
      content: text.trim() === "" ? [] : [{ type: "text", text }],
      ...(user.at === undefined ? {} : { at: user.at }),
    },
    user: { ...user, parts: user.parts.filter((_, index) => !used.has(index)) },
  };
}

/** The last element of this name, with its child elements as arguments. */
function elementOf(text: string, name: string): { from: number; input: Record<string, string> } | undefined {
  const from = text.lastIndexOf(`<${name}>`);
  if (from < 0) return undefined;
  const start = from + name.length + 2;
  const end = text.indexOf(`</${name}>`, start);
  const inside = text.slice(start, end < 0 ? undefined : end);
  const input: Record<string, string> = {};
  // One element after the other: a value may contain any other markup.
  for (let at = 0; at < inside.length; ) {
    const open = /<([a-z][\w-]*)>/g;
    open.lastIndex = at;
    const found = open.exec(inside);
    if (!found) break;
    const [tag, key = ""] = found;
    const valueFrom = found.index + tag.length;
    const valueTo = inside.indexOf(`</${key}>`, valueFrom);
    input[key] = inside.slice(valueFrom, valueTo < 0 ? undefined : valueTo).replace(/^\n|\n$/g, "");
    if (valueTo < 0) break;
    at = valueTo + key.length + 3;
  }
  return { from, input };
}
