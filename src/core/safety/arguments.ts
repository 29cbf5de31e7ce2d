/** Secrets among a command's words: what a file tool would ask for, the terminal asks for as well. */
import { SECRET_SAMPLES, secretName } from "./protected.ts";
import type { Word } from "./words.ts";

/** Why reading what these words name asks, or undefined. `ignored` tells what .nekodeignore names. */
export function secretArgument(words: Word[], ignored?: (path: string) => boolean): string | undefined {
  for (const word of words) {
    for (const candidate of candidates(word.text)) {
      const secret = secretName(candidate);
      if (secret) return secret;
      if (ignored?.(candidate)) return `${candidate} is named in .nekodeignore`;
    }
    if (word.glob !== undefined) {
      const hit = matchesSecret(word.glob);
      if (hit) return `${word.text} may match ${hit}`;
    }
  }
  return undefined;
}

/** The parts of a word that may be a path: behind `=`, `:`, `@` and one-letter options too. */
function candidates(text: string): string[] {
  const parts = [text, ...text.split(/[=,]/)];
  for (const part of [...parts]) {
    const colon = part.indexOf(":");
    if (colon >= 0) parts.push(part.slice(colon + 1));
    if (/^[@<]/.test(part)) parts.push(part.slice(1));
    const short = /^-[A-Za-z]+(?=[./~])/.exec(part);
    if (short) parts.push(part.slice(short[0].length));
    if (/^-[A-Za-z]./.test(part)) parts.push(part.slice(2));
  }
  return [...new Set(parts)].filter((part) => part !== "");
}

/** The first secret name that some component of a pattern matches; a bare `*` stands for ordinary files. */
function matchesSecret(glob: string): string | undefined {
  for (const part of glob.split("/")) {
    if (!/[*?[]/.test(part) || /^\*+$/.test(part)) continue;
    const pattern = componentPattern(part);
    const hit = SECRET_SAMPLES.find((name) => (pattern ? pattern.test(name) : true));
    if (hit) return hit;
  }
  return undefined;
}

/** A component as a regular expression; undefined when it is beyond `*`, `?` and plain bracket lists. */
function componentPattern(part: string): RegExp | undefined {
  let source = "";
  for (let i = 0; i < part.length; i++) {
    const c = part.charAt(i);
    if (c === "*") source += "[^/]*";
    else if (c === "?") source += "[^/]";
    else if (c === "\\") source += escaped(part.charAt(++i));
    else if (c === "[") {
      const close = part.indexOf("]", i + 2);
      if (close < 0 || /[[\\]/.test(part.slice(i + 1, close))) return undefined;
      source += "[^/]";
      i = close;
    } else source += escaped(c);
  }
  return new RegExp(`^${source}$`, "is");
}

function escaped(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
