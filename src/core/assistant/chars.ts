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
 * How much white space the protocol reads between two of its tags, in characters; with more of it, the first
 * tag counts as text. It bounds what a parser ever holds back, and does not depend on how a message is chunked.
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

/** Where the line break (LF or CRLF) that ends just before `at` begins, not before `from`; `at` if none does. */
export function breakBefore(s: string, at: number, from: number): number {
  if (at <= from || s.charCodeAt(at - 1) !== LF) return at;
  return at - 2 >= from && s.charCodeAt(at - 2) === CR ? at - 2 : at - 1;
}

/** Where the line break that begins at `at` ends; `at` if none begins there; -1 if the next chunk must tell. */
export function breakAfter(s: string, at: number, atEnd: boolean): number {
  if (at >= s.length) return atEnd ? at : -1;
  const code = s.charCodeAt(at);
  if (code === LF) return at + 1;
  if (code !== CR) return at;
  if (at + 1 >= s.length) return atEnd ? at : -1;
  return s.charCodeAt(at + 1) === LF ? at + 2 : at;
}
