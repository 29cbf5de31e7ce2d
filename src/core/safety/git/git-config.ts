/** Reads git's configuration as git does: https://git-scm.com/docs/git-config#_syntax. */

/** `[section "sub"] key = value`. Section and key in lower case; a key without `=` has the value "true". */
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
      const [whole, name = "", quoted] = header;
      // `[section.sub]` is an old way to write `[section "sub"]`.
      const dot = name.indexOf(".");
      section = (dot < 0 ? name : name.slice(0, dot)).toLowerCase();
      sub = quoted === undefined ? (dot < 0 ? "" : name.slice(dot + 1)) : quoted.replace(/\\(.)/g, "$1");
      rest = rest.slice(whole.length);
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

/** A value to its line's end: quotes, escapes, comments and lines that go on. */
function readValue(text: string): { value: string; rest: string } | undefined {
  let value = "";
  let kept = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === "\n") return quoted ? undefined : { value: value.slice(0, kept), rest: text.slice(i) };
    if (c === "\\") {
      const next = text.charAt(++i);
      if (next === "\n") continue;
      const meant = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" }[next];
      if (meant === undefined) return undefined;
      value += meant;
    } else if (c === '"') {
      quoted = !quoted;
    } else if (!quoted && (c === "#" || c === ";")) {
      const end = text.indexOf("\n", i);
      return { value: value.slice(0, kept), rest: end < 0 ? "" : text.slice(end) };
    } else if (quoted || !/[ \t]/.test(c) || value !== "") value += c;
    if (quoted || !/[ \t]/.test(c)) kept = value.length;
  }
  return quoted ? undefined : { value: value.slice(0, kept), rest: "" };
}
