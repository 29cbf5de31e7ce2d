/** Examines the end of a block without a proper REPLACE marker, and the line before such a marker. */
import { foldLookAlikes, looseKey, unescapeEntities } from "../fold.ts";
import { isDivider } from "./markers.ts";

/**
 * Whether a line of equals signs can underline the line above it as a heading. `own` is the block's divider. "unclear"
 * if it may also be a duplicate divider.
 */
export function underlines(line: string, above: string, own: string): "yes" | "no" | "unclear" {
  const title = above.trim();
  const length = line.trim().length;
  const alike = length === own.trim().length;
  if (title === "") return !alike && length >= 12 ? "yes" : "unclear";
  if (isDivider(above)) return "unclear";
  const indented = /^(?: {4}|\t)/.test(above);
  if (!alike) return indented ? "unclear" : "yes";
  const even = title.length === length;
  if (indented || isCode(title)) return even && !indented ? "unclear" : "no";
  return even || (title.length >= 3 && /^(?:\p{Lu}|\p{N}|\p{Lo})[^=<>|\\{}[\]]*$/u.test(title))
    ? "yes"
    : "unclear";
}

/** Whether a line is certainly code and not the words of a heading. */
export function isCode(text: string): boolean {
  return (
    /[;{}[(,=]$|^[}\])<@*]|^\/[/*]|=>|==|&&|\|\|| [-+*/|&]?= /.test(text) ||
    /^(?:return|import|export|const|let|var|def|fn|func|if|for|while|else)\b/.test(text)
  );
}

/** Whether a line only wraps a diff: blank, a code fence, or closing tags. */
export function isWrapping(line: string): boolean {
  return /^\s*(?:(?:`{3,}|~{3,})\s*|(?:<\/[\w:.-]+>?\s*)+|\]\]>\s*)?$/.test(line);
}

/**
 * Returns the index of the first line that makes the end of a replacement without a REPLACE marker uncertain: something
 * that resembles a marker, a fence, a closing tag, or prose about the change. Lines that occur as often in the search
 * text are ignored. Without `sentences`, prose is ignored.
 */
export function doubtfulLine(
  search: readonly string[],
  replace: readonly string[],
  sentences = true,
): number | undefined {
  const known = new Map<string, number>();
  for (const line of search) known.set(looseKey(line), (known.get(looseKey(line)) ?? 0) + 1);
  const tags = closingTags(search, replace);
  const last = replace.findLastIndex((line) => line.trim() !== "");
  let afterBlank = false;
  for (const [at, line] of replace.entries()) {
    if (line.trim() === "") {
      afterBlank = true;
      continue;
    }
    const key = looseKey(line);
    const left = known.get(key) ?? 0;
    if (left > 0) {
      known.set(key, left - 1);
      continue;
    }
    if (resemblesEnd(line) || tags.some((tag) => line.includes(tag))) return at;
    if (sentences && (afterBlank || at === last) && isProse(line.trim(), afterBlank)) return at;
  }
  return undefined;
}

/** Whether a line resembles a marker, a fence or another end of a diff, or ends in one. */
export function resemblesEnd(line: string): boolean {
  const text = foldLookAlikes(unescapeEntities(line.normalize("NFKC")))
    .replace(/[\u00bb\u203a\u300b]/g, ">")
    .trim();
  return (
    /[+>]{3,}\s*REPLACE|[-<]{3,}\s*SEARCH/i.test(text) ||
    // A lost line break before a marker.
    /[-+<>=*]{5,}\s*(?:\p{L}[\p{L} ]{0,20})?[^\p{L}\p{N}]*$/u.test(text) ||
    /\WREPLACE\W*$|\*{3} (?:Begin|End|Update|Add|Delete|Move) /.test(text) ||
    // Marker signs alone or before one or two words.
    /^[-+<>=*_~]{3,}\s*(?:\p{L}[\p{L} ]{0,30})?[^\p{L}\p{N}]*$/u.test(text) ||
    /^[^\p{L}\p{N}]{0,4}(?:(?:END )?REPLACE|EOF|EOT|PATCH)[^\p{L}\p{N}]*$/u.test(text) ||
    /^(?:`{3,}|~{3,})|(?:`{3,}|~{3,})$/.test(text) ||
    /<\|[^|]*\|>|\]\]>$/.test(text) ||
    /^<\/?[a-z]+(?:_[a-z]+)+>/.test(text)
  );
}

/**
 * Whether a line ends in a divider or REPLACE marker whose line break was lost: the signs directly follow the line's
 * text. `own` is the block's divider.
 */
export function endsInMarker(line: string, own: string): boolean {
  const text = line.trimEnd();
  const before = text.slice(0, -own.trim().length);
  return (
    /[\p{L}\p{N};:,)}\]/][+>]{5,} ?REPLACE[^\p{L}\p{N}"'`]*$/u.test(text) ||
    (text.endsWith(own.trim()) && /[\p{L}\p{N};:,)}\]]$/u.test(before))
  );
}

/**
 * Whether a replacement without a REPLACE marker appears to be cut off: it leaves more brackets open than the SEARCH
 * text, or its last line is the beginning of a SEARCH line.
 */
export function seemsCutOff(search: readonly string[], replace: readonly string[]): boolean {
  const open = (lines: readonly string[], bracket: string, closing: string) =>
    lines.reduce((sum, line) => sum + line.split(bracket).length - line.split(closing).length, 0);
  const brackets = [
    ["(", ")"],
    ["[", "]"],
    ["{", "}"],
  ] as const;
  if (brackets.some(([left, right]) => open(replace, left, right) > open(search, left, right))) return true;
  const last = replace.at(-1)?.trimEnd() ?? "";
  const searched = search.map((line) => line.trimEnd());
  return !searched.includes(last) && searched.some((line) => line.startsWith(last));
}

/**
 * Returns closing tags that occur in a replacement more often than their opening tags, and more often than in the
 * search text.
 */
function closingTags(search: readonly string[], replace: readonly string[]): string[] {
  const surplus = new Map<string, number>();
  const count = (lines: readonly string[], sign: number) => {
    for (const line of lines) {
      if (!line.includes("<")) continue;
      for (const [tag, slash, name = ""] of line.matchAll(/<(\/?)([A-Za-z][\w:.-]*)[^<>]*>?/g)) {
        if (tag.endsWith("/>")) continue;
        surplus.set(name, (surplus.get(name) ?? 0) + (slash === "/" ? sign : -sign));
      }
    }
  };
  count(replace, 1);
  count(search, -1);
  return [...surplus].flatMap(([name, more]) => (more > 0 ? [`</${name}`] : []));
}

/** Whether a line reads like a sentence, or like an item or heading of an explanation, and not like code. */
function isProse(text: string, apart: boolean): boolean {
  const body = text.replace(/^(?:#{1,6}|[-*\u2022]|\d+[.)])\s+/, "").replace(/\*\*|__/g, "");
  const item = body !== text;
  if (item && !apart && text.startsWith("#")) return false;
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}.*[\u3002\uff01\uff1f]$/u.test(
      body,
    )
  )
    return true;
  const words = body.split(/\s+/);
  const plain = words.filter((word) =>
    /^["'(`\u201c]*\p{L}[\p{L}\u2019'-]*[)"'`\u201d]*[.,:;!?]?$/u.test(word),
  );
  if (words.length < 3 || plain.length * 10 < words.length * 6 || /[;{}]$|=>|==| = /.test(body)) return false;
  if (item || (words.length > 3 && plain.length === words.length)) return true;
  return /^["'(`\u201c]*\p{Lu}/u.test(body) || /[.!?:]$/.test(body);
}
