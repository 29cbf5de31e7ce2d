/** Where a link in a model's text may lead: an address on the web, or a file of the project. Nothing else. */
export type LinkTarget =
  | { kind: "web"; url: string }
  /** `line` is 1-based. */
  | { kind: "file"; path: string; line?: number };

export function parseLink(href: string): LinkTarget | null {
  const trimmed = href.trim();
  if (/^https?:\/\//i.test(trimmed)) {
    return URL.canParse(trimmed) ? { kind: "web", url: trimmed } : null;
  }
  if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith("//") || trimmed.startsWith("\\\\"))
    return null;
  // A scheme, unless it is the line of a path: `file.ts:12`.
  if (/^[a-z][a-z0-9+.-]*:(?!\d+(?::\d+)?$)/i.test(trimmed)) return null;
  const match = /^([^#?]+?)(?:#L(\d+)[^#]*|:(\d+)(?::\d+)?)?$/.exec(trimmed);
  const path = match?.[1];
  if (!match || !path) return null;
  const line = Number(match[2] ?? match[3]);
  return { kind: "file", path: decoded(path), ...(line > 0 ? { line } : {}) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign of its own: the path means what it says.
    return path;
  }
}
