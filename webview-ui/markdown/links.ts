/** The allowed targets of a link in a model's text: a web address or a file of the project, nothing else. */
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
  // A scheme, unless it is a path with a line number: `file.ts:12`.
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
    // The percent sign is not an escape; the path is taken literally.
    return path;
  }
}
