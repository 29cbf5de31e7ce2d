const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** True for characters of JSON numbers and words, and for those that models write in their place. */
export function isTokenChar(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 45 ||
    code === 43 ||
    code === 46 ||
    code === 95
  );
}

/** Returns the value of a JSON number or word; undefined if the token is neither. */
export function tokenValue(token: string): number | boolean | null | undefined {
  const word = WORDS.get(token);
  if (word !== undefined) return word;
  return NUMBER.test(token) ? Number(token) : undefined;
}
