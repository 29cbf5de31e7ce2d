/** Parameters whose escaped entities are decoded: short values that name or search for something. */
const SHORT = new Set([
  "path",
  "command",
  "regex",
  "file_pattern",
  "url",
  "uri",
  "question",
  "options",
  "server_name",
  "tool_name",
  "directory",
  "keyword",
]);

/** True for parameters whose values are decoded. File content, diffs, results and similar values never are. */
export function isShortParam(name: string): boolean {
  return SHORT.has(name);
}

/** Parameters whose value is a single word or path, which cannot contain the parameter's closing tag. */
const ATOMIC = new Set([
  "path",
  "directory",
  "start_line",
  "end_line",
  "recursive",
  "file_pattern",
  "context_lines",
  "multiline",
  "requires_approval",
  "timeout",
  "id",
  "wait_seconds",
  "url",
  "uri",
  "server_name",
  "tool_name",
  "action",
  "coordinate",
  "needs_more_exploration",
]);

/** True for parameters whose values end at their first closing tag, whatever follows it. */
export function isAtomicParam(name: string): boolean {
  return ATOMIC.has(name);
}

/** Decodes the five named entities and numeric character references in `text`. */
export function decodeEntities(text: string): string {
  const decoder = new EntityText();
  return decoder.push(text) + decoder.end();
}

const LIMIT = 4096;
const LONGEST_ENTITY = 9;
const NAMED: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const ENTITY = /&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));/y;
const ENTITY_START = /^&[#a-zA-Z0-9]*$/;
const SPECIAL = /[&<>]/g;

function decodeAt(text: string, at: number): { text: string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return undefined;
  const end = ENTITY.lastIndex;
  const [, name, decimal, hex] = match;
  if (name !== undefined) return { text: NAMED[name] ?? "", end };
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? "", 16);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return { text: String.fromCodePoint(code), end };
}

/**
 * Decodes one short value as it streams. Entities are decoded only if the value contains no bare `<`, `>` or `&`, which
 * is known only at its end. So text streams up to the first entity. The rest is held back until the value ends
 * (decoded) or a bare character appears (unchanged, as is everything after it). A value that continues for more than
 * 4,096 characters after its first entity is not short and stays unchanged.
 */
export class EntityText {
  #state: "plain" | "held" | "raw" = "plain";
  #held = "";
  #decoded: string[] = [];
  #checked = 0;

  /** Returns the text that is final now. */
  push(text: string): string {
    if (this.#state === "raw") return text;
    if (this.#state === "held") {
      this.#held += text;
      return this.#check();
    }
    SPECIAL.lastIndex = 0;
    const at = SPECIAL.exec(text)?.index ?? -1;
    if (at < 0) return text;
    if (text[at] !== "&") {
      this.#state = "raw";
      return text;
    }
    this.#state = "held";
    this.#held = text.slice(at);
    return text.slice(0, at) + this.#check();
  }

  /** Returns the rest of the value. */
  end(): string {
    if (this.#state !== "held") return "";
    const rest = this.#held.slice(this.#checked);
    return rest.includes("&") ? this.#raw() : this.#decoded.join("") + rest;
  }

  #check(): string {
    for (;;) {
      SPECIAL.lastIndex = this.#checked;
      const at = SPECIAL.exec(this.#held)?.index ?? this.#held.length;
      this.#decoded.push(this.#held.slice(this.#checked, at));
      this.#checked = at;
      if (at === this.#held.length) break;
      if (this.#held[at] !== "&") return this.#raw();
      const entity = decodeAt(this.#held, at);
      if (entity !== undefined) {
        this.#decoded.push(entity.text);
        this.#checked = entity.end;
        continue;
      }
      const rest = this.#held.length - at <= LONGEST_ENTITY ? this.#held.slice(at) : "";
      if (!ENTITY_START.test(rest)) return this.#raw();
      break;
    }
    return this.#held.length > LIMIT ? this.#raw() : "";
  }

  #raw(): string {
    const held = this.#held;
    this.#state = "raw";
    this.#held = "";
    this.#decoded = [];
    return held;
  }
}
