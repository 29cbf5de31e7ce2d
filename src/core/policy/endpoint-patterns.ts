/**
 * Patterns of addresses and models in the administrator's policy. A pattern is a URL: `https://models.example.com/v1` covers that path
 * and everything below it. `*.` at the beginning of the host stands for any subdomains, and `:*` for any port. `vscode` stands for the
 * models that the editor itself offers.
 */

/** The pattern for the editor's own models, which have no address. */
const EDITOR = "vscode";

interface EndpointPattern {
  protocol: string;
  /** Without `*.`. */
  host: string;
  coversSubdomains: boolean;
  /** undefined: any. "": that of the protocol. */
  port: string | undefined;
  /** Without a slash at its end. */
  path: string;
}

export function isEndpointPattern(pattern: string): boolean {
  return pattern === EDITOR || parsed(pattern) !== undefined;
}

/** `patterns` undefined: any address is allowed. */
export function allowsAddress(patterns: readonly string[] | undefined, address: string): boolean {
  return patterns === undefined || patterns.some((pattern) => covers(pattern, address));
}

export function allowsEditorModels(patterns: readonly string[] | undefined): boolean {
  return patterns === undefined || patterns.includes(EDITOR);
}

/** `patterns` undefined: any model is allowed. */
export function allowsModel(patterns: readonly string[] | undefined, model: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matches(pattern, model));
}

function covers(text: string, address: string): boolean {
  const pattern = text === EDITOR ? undefined : parsed(text);
  if (!pattern || !URL.canParse(address)) return false;
  const { protocol, hostname, port, pathname } = new URL(address);
  if (protocol !== pattern.protocol) return false;
  if (pattern.port !== undefined && port !== pattern.port) return false;
  const isHost = pattern.coversSubdomains ? hostname.endsWith(`.${pattern.host}`) : hostname === pattern.host;
  // A server may read an escaped slash as one, so that the path would lead elsewhere.
  if (!isHost || (pattern.path !== "" && /%(?:2f|5c|2e)/i.test(pathname))) return false;
  return pathname === pattern.path || pathname.startsWith(`${pattern.path}/`);
}

function parsed(pattern: string): EndpointPattern | undefined {
  const found = /^(https?:\/\/)(\*\.)?([^/?#@\\*]+?)(:\*)?(\/[^?#*]*)?$/.exec(pattern);
  const [, scheme = "", wildcard, host = "", anyPort, path = ""] = found ?? [];
  const url = `${scheme}${host}${path}`;
  if (!found || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  return {
    protocol,
    host: hostname,
    coversSubdomains: wildcard !== undefined,
    port: anyPort === undefined ? port : undefined,
    path: pathname.replace(/\/+$/, ""),
  };
}

/** Without a regular expression, so that no pattern takes long. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const next = text.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return at <= text.length - last.length;
}
