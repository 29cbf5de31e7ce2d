/** Reads the encoding that an `.editorconfig` file sets for a file (https://spec.editorconfig.org). */
import path from "node:path";

export interface Charset {
  /** In lower case, the last one that applies. `unset`: what files above say does not apply. */
  charset?: string;
  /** Files above this one do not apply. */
  isRoot: boolean;
}

/** `file`: relative to the folder of the `.editorconfig` file. */
export function charsetIn(config: string, file: string): Charset {
  const name = file.split(path.sep).join("/");
  let charset: string | undefined;
  let isRoot = false;
  // Before the first section, `root` alone has a meaning.
  let applies: boolean | undefined;
  for (const line of config.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    const text = line.trim();
    if (text === "" || /^[#;]/.test(text)) continue;
    const section = /^\[(.*)\]$/.exec(text)?.[1];
    if (section !== undefined) {
      applies = namesFile(section, name);
      continue;
    }
    const [, key, value] = /^([^=:]+?)\s*[=:]\s*(.*?)(?:\s+[#;].*)?$/.exec(text) ?? [];
    if (applies === undefined && key?.toLowerCase() === "root") isRoot = value?.toLowerCase() === "true";
    if (applies && key?.toLowerCase() === "charset" && value) charset = value.toLowerCase();
  }
  return { isRoot, ...(charset === undefined ? {} : { charset }) };
}

/** A pattern without a slash names files in all folders. */
function namesFile(pattern: string, name: string): boolean {
  const inFolder = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const anywhere = pattern.includes("/") ? "" : "(?:.*/)?";
  try {
    return new RegExp(`^${anywhere}${expressionOf(inFolder)}$`, "u").test(name);
  } catch {
    // Not a pattern that the specification has.
    return false;
  }
}

/** Braces that are not closed, or that contain only one text, are literal. */
function expressionOf(pattern: string): string {
  let expression = "";
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const [whole, made] = firstPart(rest);
    expression += made;
    at += whole.length;
  }
  return expression;
}

function firstPart(rest: string): [whole: string, expression: string] {
  const escaped = /^\\(.)/su.exec(rest);
  if (escaped) return [escaped[0], quoted(escaped[1] ?? "")];
  if (rest.startsWith("/**/")) return ["/**/", "(?:/|/.*/)"];
  if (rest.startsWith("**")) return ["**", ".*"];
  if (rest.startsWith("*")) return ["*", "[^/]*"];
  if (rest.startsWith("?")) return ["?", "[^/]"];
  const set = /^\[(!?)([^\]/]+)\]/u.exec(rest);
  if (set) return [set[0], `[${set[1] === "!" ? "^" : ""}${(set[2] ?? "").replace(/[\\[\]^]/g, "\\$&")}]`];
  const range = /^\{([+-]?\d+)\.\.([+-]?\d+)\}/.exec(rest);
  if (range) return [range[0], numbers(Number(range[1]), Number(range[2]))];
  const braces = bracesAt(rest);
  if (braces) return [braces.whole, `(?:${braces.parts.map(expressionOf).join("|")})`];
  const [character = ""] = rest;
  return [character, quoted(character)];
}

/** Numbers beyond this are not listed. */
const MOST_NUMBERS = 1_000;

function numbers(from: number, to: number): string {
  const [low, high] = [Math.min(from, to), Math.min(Math.max(from, to), Math.min(from, to) + MOST_NUMBERS)];
  return `(?:${Array.from({ length: high - low + 1 }, (_, at) => String(low + at)).join("|")})`;
}

/** The alternatives of braces that the text begins with. */
function bracesAt(text: string): { whole: string; parts: string[] } | undefined {
  if (!text.startsWith("{")) return undefined;
  const parts = [""];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "{" && depth++ === 0) continue;
    if (character === "}" && --depth === 0)
      return parts.length > 1 ? { whole: text.slice(0, at + 1), parts } : undefined;
    if (character === "," && depth === 1) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return undefined;
}

const quoted = (text: string) =>
  text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`));
