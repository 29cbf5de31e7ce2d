import { GT, LT, SLASH, SPACE, WHITE_SPACE_LIMIT } from "./chars.ts";
import type { ToolSyntax } from "./events.ts";

/** One tool's tags. Every tool takes `task_progress`, named among its parameters or not. */
export interface ToolTags {
  name: string;
  close: string;
  params: string[];
  longestParam: number;
  /** True where the tool has no parameters of its own, so that `<tool/>` can be a whole call. */
  bare: boolean;
}

/** An opening tag in prose. `wait`: the chunk ended within what may be one. `end` is the place after the tag. */
export type OpenTag =
  | { kind: "none" }
  | { kind: "wait" }
  | { kind: "reasoning"; name: string; end: number }
  | { kind: "tool" | "self-closing"; tool: ToolTags; end: number };

/** What follows a tag inside a call, after white space. `end` is the place after it. */
export type FollowTag =
  | { kind: "none" }
  | { kind: "wait" }
  | { kind: "param"; name: string; end: number }
  | { kind: "close"; end: number };

export const NONE = { kind: "none" } as const;
export const WAIT = { kind: "wait" } as const;

const REASONING = ["thinking", "think"];
const PROGRESS = "task_progress";

/** The tags that may open something in prose. */
export class TagTable {
  private readonly tools = new Map<string, ToolTags>();
  private readonly prefixes = new Set<string>(["<"]);
  private longest = 0;

  constructor(tools: readonly ToolSyntax[]) {
    for (const { name, params } of tools) {
      if (name === "") continue;
      const all = [...new Set([...params, PROGRESS])].filter((param) => param !== "");
      const longestParam = Math.max(...all.map((param) => param.length));
      this.tools.set(name, {
        name,
        close: `</${name}>`,
        params: all,
        longestParam,
        bare: all.length === 1,
      });
      this.addPrefixes(`<${name}>`);
      if (all.length === 1) this.addPrefixes(`<${name} />`, `<${name}/>`);
    }
    for (const name of REASONING) this.addPrefixes(`<${name}>`);
  }

  private addPrefixes(...tags: string[]): void {
    for (const tag of tags) {
      for (let end = 1; end < tag.length; end++) this.prefixes.add(tag.slice(0, end));
      this.longest = Math.max(this.longest, tag.length);
    }
  }

  /** The opening tag at `at`, where a `<` stands. */
  openTag(s: string, at: number, atEnd: boolean): OpenTag {
    const limit = Math.min(s.length, at + this.longest);
    let end = at + 1;
    while (end < limit) {
      const c = s.charCodeAt(end);
      if (c === GT) return this.complete(s.slice(at + 1, end), end + 1);
      if (c === LT) return NONE;
      end++;
    }
    if (limit < s.length || atEnd) return NONE;
    return this.prefixes.has(s.slice(at)) ? WAIT : NONE;
  }

  private complete(tag: string, end: number): OpenTag {
    const tool = this.tools.get(tag);
    if (tool !== undefined) return { kind: "tool", tool, end };
    if (REASONING.includes(tag)) return { kind: "reasoning", name: tag, end };
    if (tag.charCodeAt(tag.length - 1) !== SLASH) return NONE;
    const cut = tag.charCodeAt(tag.length - 2) === SPACE ? 2 : 1;
    const bare = this.tools.get(tag.slice(0, -cut));
    return bare?.bare ? { kind: "self-closing", tool: bare, end } : NONE;
  }
}

/** Skips white space, and remembers where it stopped so that no chunk makes it look at the same run again. */
export class SpaceSkipper {
  private from = -1;
  private to = -1;

  /** The place after the white space at `at`; -1 where there is more of it than the protocol reads. */
  skip(s: string, at: number): number {
    let i = at === this.from ? this.to : at;
    const limit = Math.min(s.length, at + WHITE_SPACE_LIMIT + 1);
    while (i < limit) {
      const c = s.charCodeAt(i);
      if (c !== SPACE && (c > 13 || (c !== 10 && c !== 13 && c !== 9))) break;
      i++;
    }
    if (i === s.length) {
      this.from = at;
      this.to = i;
    }
    return i - at > WHITE_SPACE_LIMIT ? -1 : i;
  }

  /** Says that `count` characters at the front of the text went away. */
  shift(count: number): void {
    this.from -= count;
    this.to -= count;
  }

  /**
   * What follows at `at` within a call of `tool`: after white space, one of its parameters that the call does not
   * have yet, or its closing tag.
   */
  follow(s: string, at: number, tool: ToolTags, given: ReadonlySet<string>): FollowTag {
    const i = this.skip(s, at);
    if (i < 0) return NONE;
    if (i === s.length) return WAIT;
    if (s.charCodeAt(i) !== LT) return NONE;
    if (i + 1 === s.length) return WAIT;
    if (s.charCodeAt(i + 1) === SLASH) {
      const { close } = tool;
      if (s.startsWith(close, i)) return { kind: "close", end: i + close.length };
      return s.length - i < close.length && close.startsWith(s.slice(i)) ? WAIT : NONE;
    }
    const limit = Math.min(s.length, i + tool.longestParam + 2);
    let end = i + 1;
    while (end < limit && s.charCodeAt(end) !== GT) end++;
    const name = s.slice(i + 1, end);
    if (end < limit)
      return tool.params.includes(name) && !given.has(name) ? { kind: "param", name, end: end + 1 } : NONE;
    if (limit < s.length) return NONE;
    return tool.params.some((param) => param.startsWith(name) && !given.has(param)) ? WAIT : NONE;
  }
}
