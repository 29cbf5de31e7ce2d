/** Rejects characters in a command or path that a user who approves it would not see. */

/** Longer commands are not read at all (UTF-16 units): no user reviews them by reading either. */
export const LONGEST_COMMAND = 10_000;

/** Invisible or unassigned characters, and letters that render as nothing. Tab and line feed are judged by context. */
const unseen = () => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]/u;

/** What can be seen as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Formats a character as `U+200B`, for reasons shown to the user. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Returns the first control, invisible, bidirectional or unassigned character; undefined if there is none. Tab and line
 * feed are allowed.
 */
export function hiddenCharacter(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  for (const character of text) {
    if (character === "\t" || character === "\n") continue;
    if (unseen().test(character)) return codePoint(character);
  }
  return undefined;
}

/** White space other than ASCII: it looks like a word boundary but is not one. */
export function isOddSpace(character: string): boolean {
  return character > "\u007f" && /\p{Zs}/u.test(character);
}
