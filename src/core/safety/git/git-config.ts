/** Parses git's configuration as git does: https://git-scm.com/docs/git-config#_syntax. */

/** `[section "sub"] key = value`. Section and key are in lower case; a key without `=` has the value "true". */
export interface ConfigEntry {
  section: string;
  sub: string;
  key: string;
  value: string;
}

const HEADER = /^\[[ \t]*([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?[ \t]*\]/;
const KEY = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*/;

/** undefined: not understood. */
export function readGitConfig(text: string): ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let rest = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  let section = "";
  let sub = "";
  if (rest.includes("\0")) return undefined;
  for (;;) {
    rest = rest.replace(/^(?:[\s]+|[#;][^\n]*)+/, "");
    if (rest === "") return entries;
    const header = HEADER.exec(rest);
    if (header) {
      ({ section, sub } = sectionOf(header));
      rest = rest.slice(header[0].length);
      continue;
    }
    const key = KEY.exec(rest);
    if (!key || section === "") return undefined;
    rest = rest.slice(key[0].length);
    let value = "true";
    if (rest.startsWith("=")) {
      const read = readValue(rest.slice(1));
      if (!read) return undefined;
      ({ value, rest } = read);
    } else if (!/^(?:\n|[#;]|$)/.test(rest)) return undefined;
    entries.push({ section, sub, key: (key[1] ?? "").toLowerCase(), value });
  }
}

function sectionOf([, name = "", quoted]: RegExpExecArray): { section: string; sub: string } {
  // `[section.sub]` is an old form of `[section "sub"]`.
  const [section = "", ...sub] = name.split(".");
  return { section: section.toLowerCase(), sub: quoted?.replace(/\\(.)/g, "$1") ?? sub.join(".") };
}

const ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" }));

/** Reads a value to the end of its line: quotes, escapes, comments and continued lines. */
function readValue(text: string): { value: string; rest: string } | undefined {
  let value = "";
  let end = 0;
  let quoted = false;
  let at = 0;
  for (; at < text.length; at++) {
    const c = text.charAt(at);
    if (c === "\n" || (!quoted && /[#;]/.test(c))) break;
    const isBlank = !quoted && /[ \t]/.test(c);
    if (c === "\\") {
      const next = text.charAt(++at);
      if (next === "\n") continue;
      const meant = ESCAPES.get(next);
      if (meant === undefined) return undefined;
      value += meant;
    } else if (c === '"') quoted = !quoted;
    else if (!isBlank || value !== "") value += c;
    if (!isBlank) end = value.length;
  }
  const lineEnd = text.indexOf("\n", at);
  return quoted ? undefined : { value: value.slice(0, end), rest: lineEnd < 0 ? "" : text.slice(lineEnd) };
}
