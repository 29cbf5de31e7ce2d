/**
 * Reads a profile of Seatbelt and says what it allows. It knows the operations, filters and values that the profiles of Nekode contain, and
 * throws at anything else: the real compiler takes an unknown name for an error, too. src/node/sandbox/seatbelt.ts says what is known
 * of the language.
 */
type Expression = { text: string } | { symbol: string } | Expression[];

interface Rule {
  allows: boolean;
  operations: string[];
  filters: Expression[];
}

/** What is asked of the system. `extensions`: rights that the system has given out for the file. */
export interface Attempt {
  operation: string;
  path?: string;
  extensions?: readonly string[];
  /** Of a process, as seen from the one that asks. */
  target?: "self" | "same-sandbox" | "others";
  /** Of a service or a value of the kernel. */
  name?: string;
  /** Of a socket. */
  socket?: { end: "local" | "remote"; ip?: string; path?: string };
}

export type Evaluator = (attempt: Attempt) => boolean;

const OPERATIONS = new Set(
  `
    process-exec process-fork signal process-info* process-info-pidinfo sysctl-read mach-lookup ipc-posix-sem ipc-posix-shm-read-data
    pseudo-tty system-socket network-bind network-inbound network-outbound file-read* file-read-data file-read-metadata file-write*
    file-write-data file-write-create file-write-unlink file-map-executable file-ioctl
  `
    .trim()
    .split(/\s+/),
);

/** Bytes of a string that the reader of the language takes at most. */
const LONGEST_STRING = 255;

/** Throws if the profile could not be compiled. */
export function readProfile(profile: string): { rules: Rule[]; paths: string[] } {
  const expressions = parse(profile);
  const paths: string[] = [];
  const [version, byDefault, ...rest] = expressions;
  if (JSON.stringify(version) !== JSON.stringify([{ symbol: "version" }, { symbol: "1" }]))
    throw new Error("the version comes first");
  if (JSON.stringify(byDefault) !== JSON.stringify([{ symbol: "deny" }, { symbol: "default" }]))
    throw new Error("what no rule allows is denied");
  const rules = rest.map((expression): Rule => {
    if (!Array.isArray(expression)) throw new Error("a rule is a list");
    const [decision, ...parts] = expression;
    const action = symbolOf(decision);
    if (action !== "allow" && action !== "deny") throw new Error(`unknown: ${action}`);
    const operations = parts.flatMap((part) => ("symbol" in part ? [part.symbol] : []));
    for (const operation of operations)
      if (!OPERATIONS.has(operation)) throw new Error(`unknown operation: ${operation}`);
    const filters = parts.filter((part) => !("symbol" in part));
    for (const filter of filters) collectPaths(filter, paths);
    return { allows: action === "allow", operations, filters };
  });
  return { rules, paths };
}

/**
 * What the profile allows. It must not matter which of two findings holds on a system, so that both are applied, and must agree: that the
 * last rule decides however wide it is, and that a rule for the operation itself comes before those for its kind.
 */
export function evaluator(profile: string): Evaluator {
  const { rules } = readProfile(profile);
  return (attempt) => {
    const { operation } = attempt;
    const kind = operation.replace(/-(?:data|metadata|xattr|create|unlink|mode|owner|pidinfo)$/, "*");
    const isMatch = (rule: Rule) =>
      rule.filters.length === 0 || rule.filters.some((each) => holds(each, attempt));
    const last = (names: string[]) =>
      rules.findLast((rule) => rule.operations.some((name) => names.includes(name)) && isMatch(rule));
    const byOrder = last([operation, kind])?.allows ?? false;
    const byWidth = (last([operation]) ?? last([kind]))?.allows ?? false;
    if (byOrder !== byWidth) throw new Error(`it is not certain: ${JSON.stringify(attempt)}`);
    return byOrder;
  };
}

function parse(profile: string): Expression[] {
  let at = 0;
  const list = (isInner: boolean): Expression[] => {
    const items: Expression[] = [];
    for (;;) {
      while (/\s/.test(profile[at] ?? "")) at++;
      const character = profile[at];
      if (character === undefined) {
        if (isInner) throw new Error("a parenthesis is open");
        return items;
      }
      if (character === ")") {
        if (!isInner) throw new Error("a parenthesis too many");
        at++;
        return items;
      }
      if (character === "(") {
        at++;
        items.push(list(true));
      } else if (character === '"') items.push({ text: string() });
      else {
        const [symbol = ""] = /^[^\s()"]+/.exec(profile.slice(at, at + 100)) ?? [];
        at += symbol.length;
        items.push({ symbol });
      }
    }
  };
  const string = (): string => {
    let text = "";
    for (at++; profile[at] !== '"'; at++) {
      if (profile[at] === undefined) throw new Error("a string is open");
      if (profile[at] === "\\" && !/["\\]/.test(profile[++at] ?? ""))
        throw new Error("an escape that is not sure");
      text += profile[at];
    }
    at++;
    if (Buffer.byteLength(text) > LONGEST_STRING) throw new Error("the string is too long");
    return text;
  };
  return list(false);
}

function symbolOf(expression: Expression | undefined): string {
  if (expression === undefined || !("symbol" in expression)) throw new Error("a name was expected");
  return expression.symbol;
}

function textOf(expression: Expression | undefined): string {
  if (Array.isArray(expression) && symbolOf(expression[0]) === "string-append")
    return expression.slice(1).map(textOf).join("");
  if (expression === undefined || !("text" in expression)) throw new Error("a string was expected");
  return expression.text;
}

const COMBINED = ["require-all", "require-not", "local", "remote"];

function collectPaths(filter: Expression, paths: string[]): void {
  if (!Array.isArray(filter)) return;
  const [head, ...parts] = filter;
  const kind = symbolOf(head);
  if (kind === "literal" || kind === "subpath") paths.push(textOf(parts[0]));
  if (COMBINED.includes(kind)) for (const part of parts) collectPaths(part, paths);
}

function holds(filter: Expression, attempt: Attempt): boolean {
  if (!Array.isArray(filter)) throw new Error("a filter is a list");
  const [head, ...parts] = filter;
  const { path = "", name = "", socket, target, extensions = [] } = attempt;
  const kind = symbolOf(head);
  switch (kind) {
    case "literal":
      return path === textOf(parts[0]);
    case "subpath":
      return path === textOf(parts[0]) || path.startsWith(`${textOf(parts[0])}/`);
    case "regex":
      return new RegExp(textOf(parts[0]), "su").test(path);
    case "require-all":
      return parts.every((part) => holds(part, attempt));
    case "require-not":
      return parts.every((part) => !holds(part, attempt));
    case "extension":
      return extensions.includes(textOf(parts[0]));
    case "target":
      return symbolOf(parts[0]) === target || (symbolOf(parts[0]) === "same-sandbox" && target === "self");
    case "global-name":
    case "sysctl-name":
    case "ipc-posix-name":
      return name === textOf(parts[0]);
    case "sysctl-name-prefix":
      return name.startsWith(textOf(parts[0]));
    case "socket-domain":
      return name === symbolOf(parts[0]);
    case "local":
    case "remote": {
      if (socket?.end !== kind) return false;
      const [type, value] = parts;
      if (symbolOf(type) === "ip") return socket.ip !== undefined && textOf(value) === "*:*";
      if (symbolOf(type) !== "unix-socket" || value === undefined) throw new Error("unknown kind of socket");
      return socket.path !== undefined && holds(value, { ...attempt, path: socket.path });
    }
    default:
      throw new Error(`unknown filter: ${kind}`);
  }
}
