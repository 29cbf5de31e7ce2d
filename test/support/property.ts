/** fast-check with the seed of this run: tests of properties take it from here, so that none of them draws its own. */
import fc from "fast-check";
import { seedOf } from "./random.ts";

fc.configureGlobal({ seed: seedOf("properties") });

const SURROGATES = { from: 0xd800, to: 0xdfff };

/** Any code point but half of a pair; the first ones are drawn more often. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - (SURROGATES.to - SURROGATES.from + 1) })
  .map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + (SURROGATES.to - SURROGATES.from + 1)));

/** Any text. fast-check's own `unit: "binary"` makes a table of all code points at first, which takes a second. */
export const anyText = (constraints: { maxLength?: number } = {}) =>
  fc.string({ unit: codePoint, ...constraints });

export { fc };
