/** Character codes and small scans that the parsers of this folder share. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const LT = 60;
export const GT = 62;
export const SLASH = 47;
export const TICK = 96;
export const TILDE = 126;

/**
 * Maximum white space between two tags of the protocol, in characters; with more, the first tag counts as text. It
 * bounds what a parser holds back, and does not depend on how a message is chunked.
 */
export const WHITE_SPACE_LIMIT = 1024;

/** White space of the protocol: space, tab and line breaks. Other kinds (U+00A0, U+3000) are text. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB;
}

/** True for the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * Returns where the line break (LF or CRLF) that ends just before `at` begins, but not before `from`; `at` if there is
 * none.
 */
export function breakBefore(s: string, at: number, from: number): number {
  if (at <= from || s.charCodeAt(at - 1) !== LF) return at;
  return at - 2 >= from && s.charCodeAt(at - 2) === CR ? at - 2 : at - 1;
}

/** Returns where the line break that begins at `at` ends; `at` if there is none; -1 if the next chunk decides. */
export function breakAfter(s: string, at: number, atEnd: boolean): number {
  if (at >= s.length) return atEnd ? at : -1;
  const code = s.charCodeAt(at);
  if (code === LF) return at + 1;
  if (code !== CR) return at;
  if (at + 1 >= s.length) return atEnd ? at : -1;
  return s.charCodeAt(at + 1) === LF ? at + 2 : at;
}
