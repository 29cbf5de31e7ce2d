import type { CodeTracker } from "../markdown.ts";
import { argsTag } from "./args-calls.ts";
import { foreignTag } from "./foreign-calls.ts";
import { type FollowTag, NONE, type SpaceSkipper, type TagTable, type ToolTags, WAIT } from "./tags.ts";
import { readAttributes, readBare, restOfLine, type WholeCall } from "./whole-call.ts";

/** What begins at a `<` in prose. */
export type Start =
  | typeof NONE
  | typeof WAIT
  | { kind: "reasoning"; name: string; end: number }
  /** A call whose next tag is `follow`. `params` are the parameters given as attributes of its own tag. */
  | {
      kind: "call";
      tool: ToolTags;
      params: WholeCall["params"];
      follow: Extract<FollowTag, { kind: "param" | "close" }>;
    }
  | { kind: "whole"; call: WholeCall; end: number }
  /** A call in the format of another protocol, up to `close`. */
  | { kind: "foreign"; close: string };

export interface Prose {
  tags: TagTable;
  spaces: SpaceSkipper;
  code: CodeTracker;
  atEnd: boolean;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * Reads the tag at `at`. Anywhere in prose, a tool's tag starts a call if one of its parameters or its closing tag
 * follows. At the start of a line, where tools are not mentioned in passing, other unambiguous forms also count.
 */
export function startAt(s: string, at: number, prose: Prose): Start {
  const { tags, spaces, code, atEnd } = prose;
  const tag = tags.openTag(s, at, atEnd);
  if (tag.kind === "reasoning" || tag.kind === "wait") return tag;
  if (tag.kind === "none") {
    if (!code.atLineStart) return NONE;
    const foreign = foreignTag(s, at, tags, atEnd);
    return foreign.kind === "foreign" ? { kind: "foreign", close: foreign.close } : foreign;
  }
  const { tool } = tag;
  const alone = code.atLineStart && tool.worded;
  if (tag.kind === "attributes") return alone ? withAttributes(s, tag.end, tool, prose) : NONE;
  const follow =
    tag.kind === "tool" ? spaces.follow(s, tag.end, tool, nothing) : endOfLine(s, tag.end, prose);
  // A tool's opening and closing tags next to each other in a sentence are not a call.
  const pair = follow.kind === "close" && !tool.bare && !code.atLineStart;
  if ((follow.kind === "param" || follow.kind === "close") && !pair)
    return { kind: "call", tool, params: [], follow };
  if (follow.kind === "wait") return wait(atEnd);
  if (tag.kind !== "tool" || !alone) return NONE;
  const args = argsTag(s, tag.end, tool, atEnd);
  if (args.kind === "args") return { kind: "foreign", close: closeOf(s, at, tag.end) };
  if (args.kind === "wait") return args;
  const loose = spaces.follow(s, tag.end, tool, nothing, tags);
  if (loose.kind === "param") return { kind: "call", tool, params: [], follow: loose };
  if (loose.kind === "wait") return wait(atEnd);
  return loose.kind === "broken" ? readBare(s, tag.end, tool, atEnd) : NONE;
}

/** Returns the closing tag of the opening tag between `at` and `end`. */
export function closeOf(s: string, at: number, end: number): string {
  return `</${s.slice(at + 1, end)}`;
}

function wait(atEnd: boolean): Start {
  return atEnd ? NONE : WAIT;
}

function withAttributes(s: string, at: number, tool: ToolTags, { spaces, atEnd }: Prose): Start {
  const read = readAttributes(s, at, tool, atEnd);
  if (read.kind !== "attributes") return read;
  const { params, end } = read;
  if (read.closed) {
    const line = restOfLine(s, end, atEnd);
    if (line === "blank") return { kind: "whole", call: { name: tool.name, params }, end };
    return line === "wait" ? WAIT : NONE;
  }
  const follow = spaces.follow(s, end, tool, new Set(params.map(([name]) => name)));
  if (follow.kind === "param" || follow.kind === "close") return { kind: "call", tool, params, follow };
  return follow.kind === "wait" ? wait(atEnd) : NONE;
}

/** A self-closing call must be alone on its line. */
function endOfLine(s: string, from: number, { code, atEnd }: Prose): FollowTag {
  if (!code.atLineStart) return NONE;
  const line = restOfLine(s, from, atEnd);
  if (line === "blank") return { kind: "close", end: from };
  return line === "wait" ? WAIT : NONE;
}
