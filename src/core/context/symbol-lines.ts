/** Finds a symbol's lines in a text, where no outline of the language is available. */

/** Words before a name that make a line its definition, in common languages. */
const DEFINES =
  /\b(?:class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|type|def|func|function|fn|sub|proc|const|let|var|val|public|private|protected|static|async|export|override)\b/;

/**
 * The lines of the symbol of that name, 1-based and inclusive; undefined: there is none. `Class.method` is looked for inside
 * `Class`. A symbol ends before the next line that is indented no deeper than its first one, except for a line that closes it.
 */
export function symbolLines(text: string, name: string): { start: number; end: number } | undefined {
  const lines = text.split("\n");
  let found = { start: 0, end: lines.length - 1 };
  let isInside = false;
  for (const part of name.split(".")) {
    const start = definitionOf(lines, part, isInside ? found.start + 1 : 0, found.end);
    if (start === undefined) return undefined;
    found = { start, end: endOf(lines, start, found.end) };
    isInside = true;
  }
  return { start: found.start + 1, end: found.end + 1 };
}

function definitionOf(lines: readonly string[], name: string, from: number, to: number): number | undefined {
  const escaped = name.replace(/[$.]/g, "\\$&");
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$.])${escaped}(?![\\p{L}\\p{N}_$])`, "u");
  // A method may have no keyword: its name begins the line, and a list of parameters follows.
  const bare = new RegExp(`^\\s*[#*]?${escaped}\\s*(?:<[^>]*>)?\\s*[(:=]`, "u");
  let best: number | undefined;
  for (let index = from; index <= to; index++) {
    const line = lines[index] ?? "";
    if (!word.test(line) || /^\s*(?:\/\/|#\s|\*|--)/.test(line)) continue;
    const before = line.slice(0, line.search(word));
    if (DEFINES.test(before) && !/=|\([^)]*$/.test(before)) return index;
    if (bare.test(line)) best ??= index;
  }
  return best;
}

function endOf(lines: readonly string[], start: number, last: number): number {
  const indent = indentOf(lines[start] ?? "");
  let end = start;
  for (let index = start + 1; index <= last; index++) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) > indent) end = index;
    else return /^\s*[}\])]|^\s*end\b/.test(line) ? index : end;
  }
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
