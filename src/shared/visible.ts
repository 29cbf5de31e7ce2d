/**
 * Text exactly as it will be used, with every invisible character made visible. Invisible, bidirectional and look-alike
 * blank characters are written as their code point: `rm‹U+200B› -rf`. The user approves exactly what they read.
 */

/**
 * Controls (except tab and line feed), format and bidirectional characters, tags, variation selectors, fillers, lone
 * surrogates, private use, separators, and blanks that look like a space. The ideographic space is not included: it is
 * wide enough to see.
 */
const unseen = () =>
  /(?![\n\t\u3000])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})/gu;

export interface VisibleSegment {
  text: string;
  /** The text is the code point that replaces the character. */
  hidden: boolean;
}

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/** Most texts are, and the larger pattern takes a millisecond to make. */
const PLAIN = /^[\n\t -~]*$/;

export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(unseen(), codePointName);
}

/** The same text in pieces, so that a replacement can be distinguished from text that only looks like one. */
export function visibleSegments(text: string): VisibleSegment[] {
  const segments: VisibleSegment[] = [];
  let end = 0;
  for (const match of text.matchAll(unseen())) {
    if (match.index > end) segments.push({ text: text.slice(end, match.index), hidden: false });
    segments.push({ text: codePointName(match[0]), hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) segments.push({ text: text.slice(end), hidden: false });
  return segments;
}
