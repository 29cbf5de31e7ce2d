/**
 * Text as it will be used, with nothing in it that the eye cannot see. Invisible, bidirectional and look-alike blank
 * characters are written as their code point: `rm‹U+200B› -rf`. What the person approves is what they read.
 */

/**
 * Controls (tab and line feed aside), format and bidirectional characters, tags, variation selectors, fillers, lone
 * surrogates, private use, separators, and blanks that pass for a space. The ideographic space is wide enough to see.
 */
const unseen =
  /(?![\n\t\u3000])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})/gu;

export interface VisibleSegment {
  text: string;
  /** The text is a code point's number, standing in for the character. */
  hidden: boolean;
}

export function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

export function visible(text: string): string {
  return text.replace(unseen, codePointName);
}

/** The same, in pieces, so that the stand-ins can be set off from a text that merely looks like one. */
export function visibleSegments(text: string): VisibleSegment[] {
  const segments: VisibleSegment[] = [];
  let end = 0;
  for (const match of text.matchAll(unseen)) {
    if (match.index > end) segments.push({ text: text.slice(end, match.index), hidden: false });
    segments.push({ text: codePointName(match[0]), hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) segments.push({ text: text.slice(end), hidden: false });
  return segments;
}
