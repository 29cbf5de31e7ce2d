/** The allowed targets of a link in a model's text: a web address or a file of the project, nothing else. */
export type LinkTarget =
  | { kind: "web"; url: string }
  /** `line` is 1-based. */
  | { kind: "file"; path: string; line?: number }
  /** A name in the code of the workspace. */
  | { kind: "symbol"; name: string };

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

const PATH =
  /^(?:\.{0,2}\/|@[\w.-]+:\/)?(?:[\w@.+-]+\/)*[\w@.+-]+\.([a-z]\w{0,9})(?::(\d+)(?:[:-]\d+)?|#L(\d+)\S*)?$/i;
/** Extensions by which a name without a folder is a file, and not a member of something. */
const EXTENSIONS =
  /^(?:[cm]?[jt]sx?|json[c5l]?|md|mdx|py|pyi|rs|go|java|kts?|[ch](?:pp|xx)?|cc|cs|rb|php|swift|s?css|less|html?|xml|ya?ml|toml|sh|bat|ps1|sql|txt|lock|vue|svelte|ini|cfg|conf|csv|svg|png|gradle|ipynb|lua|dart|exs?|tf)$/i;
const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)#?[A-Za-z_$][\w$]*)*(\(\))?$/;
/** Between words of one name: `camelCase`, `snake_case`. */
const INNER = /[a-z\d][A-Z]|[A-Za-z]_[A-Za-z]/;
const LONGEST_NAME = 100;

/** What inline code names: a file, a symbol (not a word such as `true`), or neither. */
export function codeTarget(text: string): LinkTarget | null {
  const path = PATH.exec(text);
  if (path) {
    const [, extension = "", colon, anchor] = path;
    const line = Number(colon ?? anchor);
    const isFile = line > 0 || text.includes("/") || EXTENSIONS.test(extension);
    if (isFile) {
      const named = text.replace(/(?::\d+(?:[:-]\d+)?|#L\d+\S*)$/, "").replace(/^\.\//, "");
      return { kind: "file", path: named, ...(line > 0 ? { line } : {}) };
    }
  }
  if (text.length > LONGEST_NAME) return null;
  const symbol = SYMBOL.exec(text);
  if (!symbol || !(symbol[1] || INNER.test(text))) return null;
  return { kind: "symbol", name: text };
}
