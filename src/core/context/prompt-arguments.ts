/** Reads the arguments of a prompt from what the user typed after its command. */

/** An argument of a prompt, in the order of the prompt's declaration. */
export interface PromptArgument {
  name: string;
  required: boolean;
}

export interface ReadArguments {
  /** By name; arguments that were not given are absent. */
  values: Record<string, string>;
  /** Names of required arguments that were not given. */
  missing: string[];
  /** Text that belongs to no argument. */
  rest: string;
}

interface Token {
  /** The argument of `name=value`. */
  name?: string;
  /** Without quotes. */
  value: string;
  quoted: boolean;
  start: number;
  end: number;
}

/**
 * Reads `name=value` pairs and words in the order of the arguments. Quotes (`"` or `'`) join words, and a backslash within
 * them makes a quote or a backslash plain. The last argument that is still open gets the rest of the text as it stands, and so
 * does a pair without quotes if no argument is open.
 */
export function readPromptArguments(text: string, declared: readonly PromptArgument[]): ReadArguments {
  const given = new Map<string, string>();
  const runs: { after?: Token; tokens: Token[] }[] = [{ tokens: [] }];
  for (const token of tokensOf(text, declared)) {
    if (token.name === undefined || given.has(token.name)) runs.at(-1)?.tokens.push(token);
    else {
      given.set(token.name, token.value);
      runs.push({ after: token, tokens: [] });
    }
  }
  const open = declared.map(({ name }) => name).filter((name) => !given.has(name));
  const left: string[] = [];
  for (const { after, tokens } of runs) {
    while (open.length > 1 && tokens.length > 0) given.set(open.shift() ?? "", wordOf(text, tokens.shift()));
    if (tokens.length === 0) continue;
    const words = runText(text, tokens);
    const [last] = open;
    // The last open argument gets the words of all runs.
    if (last !== undefined) given.set(last, joined(given.get(last), words));
    else if (after?.name !== undefined && !after.quoted) {
      given.set(after.name, joined(given.get(after.name), rawText(text, tokens)));
    } else left.push(rawText(text, tokens));
  }
  const missing = declared.filter(({ name, required }) => required && !given.has(name));
  return {
    values: Object.fromEntries(given),
    missing: missing.map(({ name }) => name),
    rest: left.join(" "),
  };
}

function joined(before: string | undefined, words: string): string {
  return before === undefined || before === "" ? words : `${before} ${words}`;
}

/** A token as one word: a pair that was given before stays as typed. */
function wordOf(text: string, token: Token | undefined): string {
  if (!token) return "";
  return token.name === undefined ? token.value : text.slice(token.start, token.end);
}

/** The text of adjacent tokens as typed; the value of a single one. */
function runText(text: string, tokens: readonly Token[]): string {
  return tokens.length === 1 ? wordOf(text, tokens[0]) : rawText(text, tokens);
}

function rawText(text: string, tokens: readonly Token[]): string {
  const [first] = tokens;
  const last = tokens.at(-1);
  return first && last ? text.slice(first.start, last.end) : "";
}

function tokensOf(text: string, declared: readonly PromptArgument[]): Token[] {
  const names = new Set(declared.map(({ name }) => name));
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? "")) at++;
    if (at >= text.length) return tokens;
    const start = at;
    const named = /^([^\s="']+)=/.exec(text.slice(at, at + 300))?.[1];
    const name = named !== undefined && names.has(named) ? named : undefined;
    if (name !== undefined) at += name.length + 1;
    const quoted = readQuoted(text, at);
    if (quoted) {
      tokens.push({ ...(name === undefined ? {} : { name }), ...quoted, quoted: true, start });
      at = quoted.end;
      continue;
    }
    const from = at;
    while (at < text.length && !/\s/.test(text[at] ?? "")) at++;
    // A pair without a value gives nothing, so a required argument is still missing.
    if (name !== undefined && at === from) continue;
    const value = text.slice(from, at);
    tokens.push({ ...(name === undefined ? {} : { name }), value, quoted: false, start, end: at });
  }
}

/** The quoted word at an offset, if a white space or the end follows it. */
function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  const mark = text[from];
  if (mark !== '"' && mark !== "'") return undefined;
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (character === "\\" && (next === mark || next === "\\")) {
      value += next;
      at++;
    } else if (character !== mark) value += character;
    else return next === "" || /\s/.test(next) ? { value, end: at + 1 } : undefined;
  }
  return undefined;
}
