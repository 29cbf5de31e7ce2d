import type { Random } from "../../../support/random.ts";

const STRINGS = [
  "",
  "src/a.ts",
  "two\nlines\r\n",
  "日本語",
  "🐈‍⬛ cat",
  'a "quote"',
  "back\\slash",
  "\u0000\u001f",
  "\ud83d",
  "\ude00x",
];
const KEYS = [
  "path",
  "content",
  "a.b",
  "back\\slash",
  "",
  "items",
  "__proto__",
  "constructor",
  "日本",
  "k1",
  "k2",
  "k3",
];
const SPACES = ["", "", "", " ", "\n  ", "\r\n\t"];

/** A random JSON value, an object with properties at the outermost level. */
export function randomJson(random: Random, depth: number): unknown {
  const kind = depth === 0 ? 7 : random.below(depth > 3 ? 6 : 9);
  if (kind <= 2) return random.pick(STRINGS) + (random.chance(0.3) ? random.pick(STRINGS) : "");
  if (kind === 3) return random.pick([0, -0.5, 12, 1e21, -3e-7, 123456789]);
  if (kind === 4) return random.chance(0.5);
  if (kind === 5) return null;
  const count = random.below(5);
  if (kind === 6) return Array.from({ length: count }, () => randomJson(random, depth + 1));
  const entries = Array.from(
    { length: count },
    () => [random.pick(KEYS), randomJson(random, depth + 1)] as const,
  );
  return Object.fromEntries(entries);
}

/** The value as JSON with white space, and with escapes where none is needed. */
export function spelled(random: Random, value: unknown): string {
  const space = (): string => random.pick(SPACES);
  if (typeof value === "string") return spelledString(random, value);
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => spelled(random, item) + space()).join(`,${space()}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${spelledString(random, key)}${space()}:${space()}${spelled(random, inner)}${space()}`,
  );
  return `${space()}{${space()}${entries.join(`,${space()}`)}}${space()}`;
}

function spelledString(random: Random, text: string): string {
  let json = "";
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    const plain = JSON.stringify(char).slice(1, -1);
    const hex = `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`;
    // JSON.stringify escapes halves of pairs, which stand side by side here.
    const half = /[\ud800-\udfff]/.test(char);
    json += random.chance(0.2) ? hex : half ? char : plain;
  }
  return `"${json}"`;
}
