/** Converts shell wildcards to regular expressions for one name. They match more rather than less: case is ignored. */

/**
 * Converts one segment of a POSIX or PowerShell pattern, without slashes; undefined if it uses more than `*`, `?` and
 * plain bracket lists. A bracket list matches any character.
 */
export function componentPattern(part: string): RegExp | undefined {
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

/**
 * Converts one segment of a pattern by the rules of Windows: `?` may match nothing at the end of a name or before a
 * dot, `*.*` matches every name, and trailing dots and spaces are ignored.
 */
export function windowsPattern(part: string): RegExp {
  const plain = part.replace(/(?<=.)[. ]+$/, "").replace(/\.\*$/, "");
  let source = "";
  for (const c of plain) source += c === "*" ? "[^/]*" : c === "?" ? "[^/]?" : escaped(c);
  return new RegExp(`^${source}${plain === part ? "" : "(?:\\.[^/]*)?"}$`, "is");
}

/** Returns names that Windows may have generated for a long one, which its patterns also match: `ENV~1` for `.env`. */
export function shortNames(name: string): string[] {
  const plain = name.replace(/^\.+|[ ]/g, "").replace(/[+,;=[\]]/g, "_");
  const dot = plain.lastIndexOf(".");
  const stem = (dot < 0 ? plain : plain.slice(0, dot)).replace(/\./g, "");
  const extension = dot < 0 ? "" : `.${plain.slice(dot + 1, dot + 4)}`;
  const long = plain !== name || stem.length > 8 || plain.length - dot > 4;
  return long ? [1, 2, 3, 4].map((n) => `${stem.slice(0, 6)}~${n}${extension}`) : [];
}

function escaped(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
