import { GT, isSpace, LT, SLASH, SPACE, WHITE_SPACE_LIMIT } from "../chars.ts";
import type { ToolSyntax } from "../events.ts";
import { PROGRESS_PARAM } from "../param-names.ts";
import { isNameChar, isWorded, normalize } from "../spelling.ts";

/** The tags of one tool. Every tool accepts `PROGRESS_PARAM`, whether or not it is listed in its parameters. */
export interface ToolTags {
  name: string;
  /** Closing tags: for the name as the model wrote it, and for the tool's own name. */
  closes: readonly string[];
  /** Matches any of them. */
  closer: RegExp;
  params: readonly string[];
  longestParam: number;
  /** True if the tool has no parameters of its own, so that `<tool/>` can be a complete call. */
  bare: boolean;
  /** True for a name that is unlikely to be an HTML or XML element. */
  worded: boolean;
  /** The parameter for bare text between the tool's tags, if it is unambiguous. */
  text: string | undefined;
  fits: (params: Readonly<Record<string, string>>) => boolean;
}

/** An opening tag in prose. `wait`: the chunk may have ended inside one. `end` is the position after the tag. */
export type OpenTag =
  | { kind: "none" }
  | { kind: "wait" }
  | { kind: "reasoning"; name: string; end: number }
  | { kind: "tool" | "self-closing"; tool: ToolTags; end: number }
  /** The tag's name, followed by white space instead of its end. */
  | { kind: "attributes"; tool: ToolTags; end: number };

/**
 * What follows a tag inside a call, after optional white space. `end` is the position after it; `tag` is the
 * parameter's name as the model wrote it.
 */
export type FollowTag =
  | { kind: "none" }
  | { kind: "wait" }
  | { kind: "param"; name: string; tag: string; end: number }
  | { kind: "close"; end: number }
  /** Only in loose mode: the closing tag of something else. */
  | { kind: "wrong-close"; tag: string; end: number }
  /** Only in loose mode: nothing that belongs to a call. `end` is where the search began. */
  | { kind: "broken"; end: number };

export const NONE = { kind: "none" } as const;
export const WAIT = { kind: "wait" } as const;
const BROKEN: FollowTag = { kind: "broken", end: -1 };

const REASONING = ["thinking", "think"];
/** Characters by which another spelling may be longer than the name. */
const SPARE = 8;
const LONGEST_NAME = 64;

const tables = new WeakMap<readonly ToolSyntax[], TagTable>();

/** Every answer needs the tags of the same tools. */
export function tagTableOf(tools: readonly ToolSyntax[]): TagTable {
  const table = tables.get(tools) ?? new TagTable(tools);
  tables.set(tools, table);
  return table;
}

/** The tags that can open something in prose. */
export class TagTable {
  readonly #tools = new Map<string, ToolTags>();
  /** Keyed by the name without case and separators; contains the first of two tools that share it. */
  readonly #spellings = new Map<string, ToolTags>();
  readonly #prefixes = new Set<string>(["<"]);
  readonly #plainPrefixes = new Set<string>();
  #longest = 0;

  constructor(syntax: readonly ToolSyntax[]) {
    for (const tool of syntax) {
      const { name } = tool;
      if (name === "") continue;
      const params = [...new Set([...tool.params, PROGRESS_PARAM])].filter((param) => param !== "");
      const own = params.filter((param) => param !== PROGRESS_PARAM);
      const tags: ToolTags = {
        name,
        ...closing([`</${name}>`]),
        params,
        longestParam: Math.max(...params.map((param) => param.length)),
        bare: params.length === 1,
        worded: isWorded(name),
        text: (tool.text ?? own[0]) || undefined,
        fits: tool.fits ?? ((given) => Object.keys(given).every((param) => params.includes(param))),
      };
      this.#tools.set(name, tags);
      const plain = normalize(name);
      if (!this.#spellings.has(plain)) this.#spellings.set(plain, tags);
      for (let end = 1; end <= plain.length; end++) this.#plainPrefixes.add(plain.slice(0, end));
      this.#addPrefixes(`<${name}>`);
      if (tags.bare) this.#addPrefixes(`<${name} />`, `<${name}/>`);
    }
    for (const name of REASONING) this.#addPrefixes(`<${name}>`);
    this.#longest += SPARE;
  }

  #addPrefixes(...tags: string[]): void {
    for (const tag of tags) {
      for (let end = 1; end < tag.length; end++) this.#prefixes.add(tag.slice(0, end));
      this.#longest = Math.max(this.#longest, tag.length);
    }
  }

  /** Finds the tool with that name, in any spelling. */
  find(name: string): ToolTags | undefined {
    const exact = this.#tools.get(name);
    if (exact !== undefined) return exact;
    const tool = isName(name) ? this.#spellings.get(normalize(name)) : undefined;
    if (tool === undefined) return undefined;
    return { ...tool, ...closing([`</${name}>`, ...tool.closes]), worded: tool.worded || isWorded(name) };
  }

  /** Reads the opening tag at `at`, which is the position of a `<`. */
  openTag(s: string, at: number, atEnd: boolean): OpenTag {
    const limit = Math.min(s.length, at + this.#longest);
    let end = at + 1;
    while (end < limit) {
      const c = s.charCodeAt(end);
      if (c === GT) return this.#complete(s.slice(at + 1, end), end + 1);
      if (c === LT) return NONE;
      if (isSpace(c)) {
        const tool = this.find(s.slice(at + 1, end));
        // `<tool />` of a tool without parameters is read to its end.
        if (tool !== undefined && !(tool.bare && c === SPACE)) return { kind: "attributes", tool, end };
        if (tool === undefined && !this.#prefixes.has(s.slice(at, end + 1))) return NONE;
      }
      end++;
    }
    if (limit < s.length || atEnd) return NONE;
    const name = s.slice(at + 1);
    const spelled = /^[A-Za-z_]/.test(name) && this.#plainPrefixes.has(normalize(name));
    return this.#prefixes.has(s.slice(at)) || spelled ? WAIT : NONE;
  }

  #complete(tag: string, end: number): OpenTag {
    const tool = this.find(tag);
    if (tool !== undefined && tag.charCodeAt(tag.length - 1) !== SLASH) return { kind: "tool", tool, end };
    if (REASONING.includes(tag)) return { kind: "reasoning", name: tag, end };
    if (tag.charCodeAt(tag.length - 1) !== SLASH) return NONE;
    const cut = tag.charCodeAt(tag.length - 2) === SPACE ? 2 : 1;
    const bare = this.find(tag.slice(0, -cut));
    return bare?.bare ? { kind: "self-closing", tool: bare, end } : NONE;
  }
}

function closing(closes: string[]): Pick<ToolTags, "closes" | "closer"> {
  const escaped = closes.map((close) => close.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return { closes, closer: new RegExp(escaped.join("|"), "g") };
}

/** Skips white space, and remembers where it stopped so that no run is scanned again for the next chunk. */
export class SpaceSkipper {
  #from = -1;
  #to = -1;

  /** Returns the position after the white space at `at`; -1 if there is more than the protocol allows. */
  skip(s: string, at: number): number {
    let i = at === this.#from ? this.#to : at;
    const limit = Math.min(s.length, at + WHITE_SPACE_LIMIT + 1);
    while (i < limit) {
      const c = s.charCodeAt(i);
      if (c !== SPACE && (c > 13 || (c !== 10 && c !== 13 && c !== 9))) break;
      i++;
    }
    if (i === s.length) {
      this.#from = at;
      this.#to = i;
    }
    return i - at > WHITE_SPACE_LIMIT ? -1 : i;
  }

  /** Adjusts positions after `count` characters were removed from the front of the text. */
  shift(count: number): void {
    this.#from -= count;
    this.#to -= count;
  }

  /**
   * Reads what follows at `at` within a call of `tool`: after white space, one of its parameters that the call does not
   * have yet, or its closing tag. With `loose`, a parameter in another spelling or one that the tool does not have also
   * counts, and text that cannot belong to the call is distinguished from a parameter that is given twice.
   */
  follow(s: string, at: number, tool: ToolTags, given: ReadonlySet<string>, loose?: TagTable): FollowTag {
    const found = this.#read(s, at, tool, given, loose);
    return found === BROKEN ? { kind: "broken", end: at } : found;
  }

  #read(
    s: string,
    at: number,
    tool: ToolTags,
    given: ReadonlySet<string>,
    loose: TagTable | undefined,
  ): FollowTag {
    const none = loose === undefined ? NONE : BROKEN;
    const i = this.skip(s, at);
    if (i < 0) return none;
    if (i === s.length) return WAIT;
    if (s.charCodeAt(i) !== LT) return none;
    if (i + 1 === s.length) return WAIT;
    if (s.charCodeAt(i + 1) === SLASH) return closeOf(s, i, tool, loose !== undefined);
    const longest = Math.max(tool.longestParam + SPARE, loose === undefined ? 0 : LONGEST_NAME);
    const limit = Math.min(s.length, i + longest + 2);
    let end = i + 1;
    while (end < limit && s.charCodeAt(end) !== GT) end++;
    const tag = s.slice(i + 1, end);
    if (end === limit && limit < s.length) return none;
    if (end < limit) return named(tag, end + 1, tool, given, loose);
    if (tool.params.some((param) => param.startsWith(tag) && !given.has(param))) return WAIT;
    return loose !== undefined && isName(tag) ? WAIT : none;
  }
}

function closeOf(s: string, at: number, tool: ToolTags, loose: boolean): FollowTag {
  const { closes } = tool;
  const rest = s.slice(at, at + Math.max(LONGEST_NAME, ...closes.map((close) => close.length)) + 3);
  for (const close of closes) if (rest.startsWith(close)) return { kind: "close", end: at + close.length };
  let end = 2;
  while (end < rest.length && isNameChar(rest.charCodeAt(end))) end++;
  const name = rest.slice(2, end);
  if (rest.charCodeAt(end) === GT && name !== "") {
    if (normalize(name) === normalize(tool.name)) return { kind: "close", end: at + end + 1 };
    return loose ? { kind: "wrong-close", tag: name, end: at + end + 1 } : NONE;
  }
  if (at + rest.length === s.length) {
    const spelled = end === rest.length && normalize(tool.name).startsWith(normalize(name));
    if (spelled || closes.some((close) => close.startsWith(rest))) return WAIT;
    if (loose && end === rest.length) return WAIT;
  }
  return loose ? BROKEN : NONE;
}

function named(
  tag: string,
  end: number,
  tool: ToolTags,
  given: ReadonlySet<string>,
  loose: TagTable | undefined,
): FollowTag {
  const none = loose === undefined ? NONE : BROKEN;
  if (tool.params.includes(tag)) return given.has(tag) ? NONE : { kind: "param", name: tag, tag, end };
  if (loose === undefined || !isName(tag)) return none;
  const plain = normalize(tag);
  const name = tool.params.find((param) => normalize(param) === plain);
  if (name !== undefined) return given.has(name) ? NONE : { kind: "param", name, tag, end };
  // Another call, reasoning, or the same call again begins.
  if (plain === normalize(tool.name)) return BROKEN;
  if (loose.find(tag)?.worded || REASONING.includes(tag)) return BROKEN;
  return given.has(tag) ? NONE : { kind: "param", name: tag, tag, end };
}

function isName(tag: string): boolean {
  return /^[A-Za-z_][\w.:-]*$/.test(tag);
}

/** Returns a name without the prefix that some models put before it. */
export function lastName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
}

/** Returns the tool that `name` means: `read_file`, `functions.read_file`, `functions.read_file:0`. */
export function toolNamed(name: string, tags: TagTable): ToolTags | undefined {
  return tags.find(lastName(name.replace(/:\d+$/, "")));
}
