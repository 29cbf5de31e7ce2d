import { bareLines } from "../../text.ts";

/** A line that represents omitted text. */
export interface Elision {
  /** 1-based. */
  line: number;
  text: string;
}

/**
 * Finds the first line of a complete file's content that represents omitted text: "// ... existing code ...", "# rest
 * of the file unchanged", 以下省略. Only comments and bracketed notes count, not prose, spread syntax or lone dots. A line
 * that also occurs in `original` belongs to the file, and one inside a fence of Markdown to an example.
 */
export function findElision(content: string, original?: string): Elision | undefined {
  let known: Set<string> | undefined;
  const lines = bareLines(content);
  let fenceEnd = -1;
  const unclosed = new Map<string, number>();
  for (let at = 0; at < lines.length; at++) {
    if (at > fenceEnd) fenceEnd = endOfFence(lines, at, unclosed);
    const text = (lines[at] ?? "").trim();
    if (at <= fenceEnd || !isElision(text)) continue;
    known ??= new Set(original === undefined ? [] : bareLines(original).map((line) => line.trim()));
    if (!known.has(text)) return { line: at + 1, text };
  }
  return undefined;
}

/**
 * The last line of the fence that opens on a line; -1 if none opens there, or if it is never closed. `unclosed` keeps the
 * length from which fences of a sign are never closed.
 */
function endOfFence(lines: readonly string[], at: number, unclosed: Map<string, number>): number {
  const open = /^\s*(`{3,}|~{3,})([^`]*)$/.exec(lines[at] ?? "")?.[1];
  if (open === undefined) return -1;
  const sign = open.charAt(0);
  if (open.length >= (unclosed.get(sign) ?? Number.POSITIVE_INFINITY)) return -1;
  const close = new RegExp(`^\\s*${sign}{${open.length},}\\s*$`);
  for (let row = at + 1; row < lines.length; row++) if (close.test(lines[row] ?? "")) return row;
  unclosed.set(sign, open.length);
  return -1;
}

/** Whether a line, apart from surrounding white space, says that text was omitted here. */
export function isElision(line: string): boolean {
  const text = line.trim();
  if (text === "" || text.length > 160) return false;
  const comment = commentText(text);
  if (comment === undefined) return isBareElision(text);
  return saysLeftOut(comment);
}

/** Returns the text of a line that is only a comment; undefined for other lines. */
function commentText(text: string): string | undefined {
  const found =
    /^\{?\/\*+(.*?)\*+\/\}?$/.exec(text) ??
    /^<!--(.*?)-->$/.exec(text) ??
    /^(?:\/\/+|#+(?!\w)|--+|;+|%+|'|\*(?!\w)|\(\*|""")(.*)$/.exec(text);
  return found?.[1]?.trim();
}

const DOTS = "(?:\\.{3,}|\u2026+|\u22ef+)";
const THINGS =
  "(?:code|file|content|contents|lines?|functions?|methods?|class|classes|implementation|logic|imports?|styles?|tests?|properties|fields|cases|handlers?|components?|routes?|markup|html|body|section|sections|config|definitions?|entries|items|stuff|parts?|it|this|everything|document|page|script|module|rules?|text)";
const REST =
  "(?:rest|remainder|remaining|other|others|previous|existing|original|unchanged|same|omitted|above|below)";

const WITH_DOTS = new RegExp(
  `^${DOTS}\\s*[(\\[]?\\s*(?:(?:the|all|your|and|keep|with|more|as)\\s+)*${REST}\\b[^;={}]*$|^[^;={}]*\\b${REST}\\b[^;={}]*${DOTS}\\s*[)\\]]?$|^${DOTS}\\s*[^;={}]*\\b(?:unchanged|omitted|as before|stays? the same|remains? the same|truncated|snipped?)\\b[^;={}]*$|^\\(?${DOTS}\\)?$`,
  "i",
);

const WITHOUT_DOTS = [
  new RegExp(
    `^(?:the |all |keep (?:the |all )?|leave (?:the |all )?|insert (?:the )?)?(?:rest|remainder) of (?:the |your |this |that )?(?:\\w+['\u2019]?s? ){0,3}${THINGS}(?: (?:here|goes here|below|above|is |are |remains? |stays? |as )?(?:unchanged|the same|omitted|as before|as is|same|here|below)?(?: as (?:before|above|is|it was))?)?\\.?$`,
    "i",
  ),
  new RegExp(
    `^(?:(?:the|all|keep|your) )*(?:existing|previous|original|remaining|other|unchanged) (?:\\w+ ){0,2}${THINGS}(?: (?:here|goes here|unchanged|remains?(?: unchanged| the same)?|stays?(?: unchanged| the same)?|omitted|as before|(?:is|are) (?:unchanged|the same|omitted)|for brevity|omitted for brevity))\\.?$`,
    "i",
  ),
  /^(?:\w+ ){0,4}(?:omitted|elided|truncated|snipped) for (?:brevity|clarity)\.?$/i,
  /^(?:rest|remaining code|existing code|unchanged|snip|same as (?:before|above)|no changes?(?: here| below| above)?|code (?:unchanged|omitted)|as before)\.?$/i,
  /^(?:the )?(?:rest|remainder|everything else)(?: of (?:the |this )?\w+)? (?:is |are |remains? |stays? )?(?:the same|unchanged|omitted|as before|as is)\.?$/i,
];

const JAPANESE =
  /^[(\uff08\u3010[]?\s*(?:\.{3}|\u2026+|\u30fb{3}|\u2015+)?\s*(?:(?:\u4ee5\u4e0b|\u4ee5\u964d|\u4e2d|\u524d|\u5f8c)\u7565|(?:\u4ee5\u4e0b|\u4ee5\u964d|\u6b8b\u308a|\u4ed6|\u305d\u306e\u4ed6|\u9014\u4e2d|\u305d\u308c\u4ee5\u5916|\u65e2\u5b58)(?:\u306e?(?:\u30b3\u30fc\u30c9|\u51e6\u7406|\u90e8\u5206|\u5185\u5bb9|\u5b9f\u88c5|\u884c|\u30d5\u30a1\u30a4\u30eb))?(?:\u306f|\u3092|\u3082|\u306b\u3064\u3044\u3066\u306f)?\s*[\u3001,]?\s*(?:\u540c\u3058|\u540c\u69d8|\u7701\u7565|\u5909\u66f4\u306a\u3057|\u5909\u66f4\u3042\u308a\u307e\u305b\u3093|\u305d\u306e\u307e\u307e|\u65e2\u5b58\u306e\u307e\u307e|\u5143\u306e\u307e\u307e|\u4e0d\u5909)(?:\u3067\u3059|\u306a\u306e\u3067\u7701\u7565|\u3057\u307e\u3059|\u3067\u3042\u308b)?|(?:\u65e2\u5b58|\u6b8b\u308a|\u5143)\u306e(?:\u30b3\u30fc\u30c9|\u51e6\u7406|\u90e8\u5206|\u5185\u5bb9|\u5b9f\u88c5)|\u7701\u7565|\u5909\u66f4\u306a\u3057)\s*(?:\.{3}|\u2026+|\u30fb{3})?\s*[)\uff09\u3011\]]?\u3002?$/;

function saysLeftOut(comment: string): boolean {
  return (
    WITH_DOTS.test(comment) || WITHOUT_DOTS.some((pattern) => pattern.test(comment)) || JAPANESE.test(comment)
  );
}

/** Outside comments, matches only what cannot be code and is hardly prose: bracketed notes and dotted phrases. */
function isBareElision(text: string): boolean {
  const bracketed = /^[[(\uff08\u3010<](.*)[\])\uff09\u3011>]$/.exec(text)?.[1]?.trim();
  if (bracketed !== undefined) return saysLeftOut(bracketed) && !/^\.{3}$/.test(bracketed);
  if (new RegExp(`^${DOTS}\\s+(?:the |all )?${REST}\\b.*$`, "i").test(text)) return true;
  if (new RegExp(`^${DOTS}.*\\b(?:code|file|content)\\b.*${DOTS}$`, "i").test(text)) return true;
  return /[\u7565\u540c]/.test(text) && JAPANESE.test(text);
}
