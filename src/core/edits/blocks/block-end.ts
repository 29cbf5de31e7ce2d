/** Examines the lines around the end of a block. */
import { foldLookAlikes, unescapeEntities } from "../fold.ts";
import { isDivider } from "./markers.ts";

/** The files whose headings may be underlined with equals signs. */
const MARKUP = /\.(?:md|markdown|mdown|mkd|mdx|mdc|rst|rest)$/i;

/** Whether a file is Markdown or reStructuredText by its name. */
export function isMarkup(path: string): boolean {
  return MARKUP.test(path);
}

/**
 * Whether a line of equals signs below `above` underlines it as a heading in Markdown or reStructuredText: it is a line of
 * text, and not a list item, a quotation, a fence or another heading.
 */
export function isUnderlined(above: string): boolean {
  if (above.trim() === "" || isDivider(above)) return false;
  return !/^(?: {4}|\t)|^ {0,3}(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)]\s|`{3,}|~{3,})/.test(above);
}

/** Whether a line only wraps a diff: blank, a code fence, or closing tags. */
export function isWrapping(line: string): boolean {
  return /^\s*(?:(?:`{3,}|~{3,})\s*|(?:<\/[\w:.-]+>?\s*)+|\]\]>\s*)?$/.test(line);
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
