/** The lines that separate a SEARCH/REPLACE diff, and lines that a model may have written in their place. */

export type MarkerKind = "search" | "divider" | "replace";

/** Returns which marker a line is; `indent` is the white space that must precede it. */
export function markerKind(line: string, indent = ""): MarkerKind | undefined {
  if (!line.startsWith(indent)) return undefined;
  switch (line.charCodeAt(indent.length)) {
    case 45: // -
    case 60: // <
      return /^[-<]{3,} ?SEARCH>?\s*$/.test(line.slice(indent.length)) ? "search" : undefined;
    case 61: // =
      return /^={3,}\s*$/.test(line.slice(indent.length)) ? "divider" : undefined;
    case 43: // +
    case 62: // >
      return /^[+>]{3,} ?REPLACE>?\s*$/.test(line.slice(indent.length)) ? "replace" : undefined;
    default:
      return undefined;
  }
}

/** Returns the line of the file that a `:start_line:` after the SEARCH marker names, as some agents write it. */
export function namedLine(line: string): number | undefined {
  const found = /^:start_line:\s*(\d{1,9})\s*$/.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Whether a line may follow a `:start_line:`: an `:end_line:`, or a rule. */
export function followsNamedLine(line: string): boolean {
  return /^(?::end_line:\s*\d{1,9}|-{3,})\s*$/.test(line);
}

/** Matches files with a line that could be mistaken for a marker, indented or not. */
export const MARKER_IN_FILE = /^[ \t]*(?:={3,}|[-<]{3,} ?SEARCH>?|[+>]{3,} ?REPLACE>?)[ \t\r]*$/m;

/** Whether a line is only a divider, at any indentation. */
export function isDivider(line: string): boolean {
  return /^\s*={3,}\s*$/.test(line);
}

/**
 * What a line that is not a marker may have been meant as. "search" and "replace" are markers with other indentation,
 * in another case, or with extra text; "end" is a REPLACE marker in other words or with other signs; "glued" is a
 * REPLACE marker followed by words or another marker, which is ambiguous.
 */
export type NearMarker = "search" | "replace" | "end" | "glued";

/** Returns which marker a line resembles. Lines that are markers by `markerKind` resemble themselves. */
export function nearMarker(line: string): NearMarker | undefined {
  let at = 0;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at += 1;
  switch (line.charCodeAt(at)) {
    case 43: // +
    case 62: // >
      return nearReplace(line.slice(at));
    case 45: // -
    case 60: // <
      return nearSearch(line.slice(at)) ? "search" : otherEnd(line.slice(at));
    case 61: // =
    case 42: // *
    case 35: // #
      return otherEnd(line.slice(at));
    default:
      return undefined;
  }
}

function nearReplace(text: string): NearMarker | undefined {
  const found = /^([+>]{3,})[ \t]*(REPLACE)(?![\p{L}\p{N}_])(.*)$/isu.exec(text);
  if (found === null)
    return /^[+>]{5,}\s*(?:END REPLACE|REPLACED|UPDATED)[>.:]*\s*$/.test(text) ? "end" : undefined;
  const [, signs = "", word = "", rest = ""] = found;
  // Three signs and a lower-case word are more often an interpreter's prompt or a quotation than a marker.
  if (word !== "REPLACE" && signs.length < 5) return undefined;
  if (/SEARCH|={3,}/i.test(rest)) return "glued";
  if (word !== "REPLACE" && /[-+<>=]{3,}/.test(rest)) return "glued";
  return /^\s*(?:[^\p{L}\p{N}\s_([=].*)?$/su.test(rest) ? "replace" : "glued";
}

function nearSearch(text: string): boolean {
  const found = /^([-<]{3,})[ \t]*(SEARCH)(?![\p{L}\p{N}_])[>.:`"'*]*\s*(?:<.*)?$/isu.exec(text);
  return found !== null && (found[2] === "SEARCH" || (found[1] ?? "").length >= 5);
}

function otherEnd(text: string): NearMarker | undefined {
  return /^[-<=*#]{5,}\s*(?:END )?REPLACE(?:D|MENT)?[>.:]*\s*$/.test(text) ? "end" : undefined;
}
