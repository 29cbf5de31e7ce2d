/** What may not stand in a command or a path, because a person who approves it would not see it. */

/** Commands longer than this are not read at all (UTF-16 units): nobody approves them by reading either. */
export const LONGEST_COMMAND = 10_000;

/** Unseen or unassigned characters, and letters that are drawn as nothing. Tab and line feed are judged by context. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]/u;

/** `U+200B` for a character, for reasons that a person reads. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The first control, invisible, bidirectional or unassigned character, or undefined. Tab and line feed pass. */
export function hiddenCharacter(text: string): string | undefined {
  for (const character of text) {
    if (character === "\t" || character === "\n") continue;
    if (UNSEEN.test(character)) return codePoint(character);
  }
  return undefined;
}

/** White space other than the ASCII kind: it looks like a word boundary and is none. */
export function isOddSpace(character: string): boolean {
  return character > "\u007f" && /\p{Zs}/u.test(character);
}
