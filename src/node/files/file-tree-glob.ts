/** Parses one segment of a path with wildcards. */

/**
 * A plain name after a slash, a RegExp for the segment's wildcards, or "everything" below the folder if the pattern's syntax
 * is not supported. `.git` matches only if the segment begins with a dot.
 */
export function segmentPattern(segment: string): RegExp | `/${string}` | "everything" {
  if (/\*\*|[!@+?*]\(|\|/.test(segment)) return "everything";
  let source = segment.startsWith(".") ? "^" : "^(?!\\.git$)";
  let isPlain = true;
  let plain = "";
  for (let at = 0; at < segment.length; at++) {
    const c = segment.charAt(at);
    if (c === "\\") {
      at++;
      plain += segment.charAt(at);
      source += literal(segment.charAt(at));
    } else if (c === "*" || c === "?") {
      isPlain = false;
      source += c === "*" ? "[\\s\\S]*" : "[\\s\\S]{1,2}";
    } else if (c === "[") {
      const end = segment.indexOf("]", at + 2);
      if (end < 0) {
        plain += c;
        source += literal(c);
        continue;
      }
      isPlain = false;
      // Bracket expressions have many forms; this one matches any character.
      source += "[\\s\\S]{1,2}";
      at = end;
      while (segment.charAt(at + 1) === "]") at++;
    } else {
      plain += c;
      source += literal(c);
    }
  }
  // A shell, or a file system, may not distinguish case.
  return isPlain ? `/${plain}` : new RegExp(`${source}$`, "i");
}

function literal(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
}
