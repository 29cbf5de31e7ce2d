/** Text that comes from outside, as data for the model. */

/**
 * Prepares a text to stand between `<tag>` and `</tag>`: it cannot end the tag. Unicode's tag characters are removed: they
 * are invisible, but models read them.
 */
export function outsideText(text: string, tag: string): string {
  return text.replace(/[\u{E0000}-\u{E007F}]/gu, "").replace(new RegExp(`</(?=\\s*${tag})`, "gi"), "<\\/");
}
