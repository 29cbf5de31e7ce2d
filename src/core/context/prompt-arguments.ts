/** Reads the arguments of a prompt from what the user typed after its command. */

/** An argument of a prompt, in the order of the prompt's declaration. */
export interface PromptArgument {
  name: string;
  required: boolean;
}

export interface ReadArguments {
  /** By name; arguments without a value are absent. */
  values: Record<string, string>;
  /** Names of required arguments without a value. */
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

/** Words that follow one another without a pair between them. */
interface Run {
  /** The pair before them; undefined: they begin the text. */
  after?: Token;
  tokens: Token[];
}

/**
 * Reads `name=value` pairs and words in the order of the arguments. Quotes (`"` or `'`) join words, and a backslash within
 * them makes a quote or a backslash plain. The last argument that has no value yet gets the rest of the text as typed, and so
 * does a pair without quotes if every argument has a value.
 */
export function readPromptArguments(text: string, declared: readonly PromptArgument[]): ReadArguments {
  const { values, runs } = splitAtPairs(tokensOf(text, declared));
  const open = declared.map(({ name }) => name).filter((name) => !values.has(name));
  const unassigned: string[] = [];
  for (const { after, tokens } of runs) {
    while (open.length > 1 && tokens.length > 0) values.set(open.shift() ?? "", wordOf(text, tokens.shift()));
    if (tokens.length === 0) continue;
    const words = runText(text, tokens);
    const [last] = open;
    // The last open argument gets the words of all runs.
    if (last !== undefined) values.set(last, joined(values.get(last), words));
    else if (after?.name !== undefined && !after.quoted) {
      values.set(after.name, joined(values.get(after.name), rawText(text, tokens)));
    } else unassigned.push(rawText(text, tokens));
  }
  const missing = declared.filter(({ name, required }) => required && !values.has(name));
  return {
    values: Object.fromEntries(values),
    missing: missing.map(({ name }) => name),
    rest: unassigned.join(" "),
  };
}

/** The values of the pairs, and the words between them. A pair whose argument has a value already counts as a word. */
function splitAtPairs(tokens: readonly Token[]): { values: Map<string, string>; runs: Run[] } {
  const values = new Map<string, string>();
  const runs: Run[] = [{ tokens: [] }];
  for (const token of tokens) {
    if (token.name === undefined || values.has(token.name)) runs.at(-1)?.tokens.push(token);
    else {
      values.set(token.name, token.value);
      runs.push({ after: token, tokens: [] });
    }
  }
  return { values, runs };
}

function joined(before: string | undefined, words: string): string {
  return before === undefined || before === "" ? words : `${before} ${words}`;
}

/** A token as one word: a pair that counts as a word stays as typed. */
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
  let at = skipSpaces(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at, names);
    // A pair without a value sets nothing, so a required argument is still missing.
    if (token.name === undefined || token.quoted || token.value !== "") tokens.push(token);
    at = skipSpaces(text, token.end);
  }
  return tokens;
}

/** The token that begins at an offset, which is not that of a space. */
function tokenAt(text: string, start: number, names: ReadonlySet<string>): Token {
  const word = /^([^\s="']+)=/.exec(text.slice(start, start + 300))?.[1];
  const pair = word !== undefined && names.has(word) ? { name: word } : undefined;
  const from = pair ? start + pair.name.length + 1 : start;
  const quoted = readQuoted(text, from);
  if (quoted) return { ...pair, ...quoted, quoted: true, start };
  let end = from;
  while (end < text.length && !isSpaceAt(text, end)) end++;
  return { ...pair, value: text.slice(from, end), quoted: false, start, end };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpaceAt(text, at)) at++;
  return at;
}

function isSpaceAt(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? "");
}

/** The quoted word at an offset, if a space or the end of the text follows it. */
function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  const quote = text[from];
  if (quote !== '"' && quote !== "'") return undefined;
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    const end = at + 1;
    if (text[at] === quote) return end === text.length || isSpaceAt(text, end) ? { value, end } : undefined;
    const isEscape = text[at] === "\\" && (text[end] === quote || text[end] === "\\");
    if (isEscape) at++;
    value += text[at] ?? "";
  }
  return undefined;
}
