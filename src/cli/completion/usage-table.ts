/**
 * Reads the texts that `--help` prints as tables of commands and options. Completions and the manual page are made from
 * these, so nothing has to be written twice.
 */

/** A line of a list: `--jobs N   tasks at once`. */
export interface UsageEntry {
  /** What the line begins with: options with the names of their values, or words such as "login, logout". */
  heading: string;
  /** Empty: the line only names options that another command's help describes. */
  text: string;
}

/** What stands between two empty lines. */
export type UsageBlock =
  | { kind: "paragraph"; text: string }
  | { kind: "entries"; entries: UsageEntry[] }
  /** Lines to be shown as they are. */
  | { kind: "sample"; lines: string[] };

export interface UsageOption {
  /** With its dashes. */
  name: string;
  /** The name of its value; undefined: it has none. */
  value: string | undefined;
  text: string;
  /** What the value can be; empty: anything. */
  choices: string[];
}

export interface UsageWord {
  word: string;
  text: string;
}

export interface CommandUsage {
  /** The words after `nekode`; "": none. */
  name: string;
  /** The lines after "Usage:", without indentation. */
  synopsis: string[];
  blocks: UsageBlock[];
  options: UsageOption[];
  /** The words that can follow the name: its own commands. */
  words: UsageWord[];
  /** Whether a file follows the name. */
  takesFile: boolean;
}

/** Commands whose options are those of a run, besides their own. */
const AS_RUNS = ["answer"];

/**
 * `usages`: the help of each command by its name, "" for that of `nekode` itself, which comes first and describes the options that
 * others only name.
 */
export function commandTable(usages: Readonly<Record<string, string>>): CommandUsage[] {
  const table = Object.entries(usages).map(([name, text]) => commandUsage(name, text));
  const [main] = table;
  if (main === undefined) return [];
  const known = new Map(main.options.map((option) => [option.name, option]));
  const help = known.get("--help");
  for (const command of table.slice(1)) {
    const own = command.options.map((option) =>
      option.text === "" ? { ...option, ...pick(known.get(option.name)) } : option,
    );
    const more = AS_RUNS.includes(command.name) ? main.options : help ? [help] : [];
    const names = new Set(own.map(({ name }) => name));
    command.options = [...own, ...more.filter(({ name }) => !names.has(name))];
  }
  return table;
}

const pick = (option: UsageOption | undefined) =>
  option === undefined ? {} : { text: option.text, choices: option.choices };

function commandUsage(name: string, text: string): CommandUsage {
  const [first = "", ...rest] = text.trimEnd().split("\n\n");
  const synopsis = first.split("\n").map((line) => line.replace(/^Usage:/, "").trim());
  const blocks = rest.map(blockOf);
  const entries = blocks.flatMap((block) => (block.kind === "entries" ? block.entries : []));
  const described = entries.flatMap(optionsOf);
  const named = new Set(described.map((option) => option.name));
  const inSynopsis = name === "" ? [] : synopsis.flatMap(synopsisOptions);
  return {
    name,
    synopsis,
    blocks,
    options: [...described, ...unique(inSynopsis.filter((option) => !named.has(option.name)))],
    words: name === "" ? synopsis.flatMap(commandWord) : subcommands(name, synopsis, entries),
    takesFile: synopsis.some((line) => line.startsWith(`nekode ${name} FILE`)),
  };
}

function blockOf(text: string): UsageBlock {
  const lines = text.split("\n");
  if (!lines.every((line) => line.startsWith("  ")))
    return { kind: "paragraph", text: lines.map((line) => line.trim()).join(" ") };
  const entries: UsageEntry[] = [];
  for (const line of lines) {
    const last = entries.at(-1);
    // A line with so much space before it belongs to the entry above.
    if (last && line.startsWith("      ")) last.text = `${last.text} ${line.trim()}`.trim();
    else if (last?.heading.endsWith(",")) last.heading += ` ${line.trim()}`;
    else {
      const [heading = "", ...words] = line.trim().split(/ {2,}/);
      entries.push({ heading, text: words.join(" ") });
    }
  }
  const isList = entries.every(
    ({ heading, text: words }) => /^--|^[a-z]/.test(heading) && (words || /^--/.test(heading)),
  );
  return isList
    ? { kind: "entries", entries }
    : { kind: "sample", lines: lines.map((line) => line.replace(/^ {2}/, "")) };
}

/** An option, and the name of its value, which is in capitals, in quotes, or a list such as on|off. */
const OPTION = /(--[a-z][a-z-]*)(?: ("[^"]*"|[A-Z][A-Z/=]*(?: [A-Z]+)?|[a-z]+(?:\|[a-z]+)+))?/g;

function optionsOf({ heading, text }: UsageEntry): UsageOption[] {
  if (!heading.startsWith("--")) return [];
  return [...heading.matchAll(OPTION)].map(([, name = "", value]) => ({
    name,
    value,
    text,
    choices: value === undefined ? [] : choicesOf(value, text),
  }));
}

/** The options that only a line of the synopsis names, with the description that follows it. */
function synopsisOptions(line: string): UsageOption[] {
  const [heading = "", text = ""] = line.split(/ {2,}/);
  // What comes after a bare -- belongs to another program.
  const own = heading.replace(/ -- .*/, "");
  return [...own.matchAll(OPTION)].flatMap((match) => optionsOf({ heading: match[0], text }));
}

const ITEM = String.raw`[a-z][a-z0-9-]*(?: \([^()]*\))?`;
const CHOICES = new RegExp(
  `(?:^|: )(${ITEM}(?:, ?${ITEM})*(?:,? or ${ITEM})+|${ITEM}(?:, ?${ITEM}){2,})(?=$|[;.] ?| \\()`,
);

/** What a description lists as the values of an option: "plan or act", or "the transport: http or sse". */
function choicesOf(value: string, text: string): string[] {
  if (value.includes("|")) return value.split("|");
  const list = CHOICES.exec(text)?.[1] ?? "";
  return list
    .replace(/ \([^()]*\)/g, "")
    .split(/,? or |, ?/)
    .filter((word) => word !== "");
}

/** The command that a line of `nekode --help` names. */
function commandWord(line: string): UsageWord[] {
  const found = /^nekode ([a-z]+)(.*)$/.exec(line);
  if (!found) return [];
  const [, word = "", rest = ""] = found;
  // The column of the descriptions follows one space where a command's arguments fill the first.
  const text = rest.replace(/^ (?:ID yes\|no|[A-Z]+|\[[^\]]*\])(?= )/, "").trim();
  return [{ word, text: text.replace(/; see nekode .*/, "") }];
}

function subcommands(name: string, synopsis: readonly string[], entries: readonly UsageEntry[]): UsageWord[] {
  const texts = new Map(
    entries
      .filter(({ heading }) => !heading.startsWith("--"))
      .flatMap(({ heading, text }) => heading.split(", ").map((word) => [word, text])),
  );
  const words = synopsis.flatMap((line) => {
    const after = line.slice(`nekode ${name} `.length).split(/ {2,}/)[0] ?? "";
    return after.split(" | ").flatMap((form) => {
      const [first = ""] = form.replace(/^\[([a-z-]+)\]/, "$1").split(" ");
      return first.split("|").filter((word) => /^[a-z][a-z-]*$/.test(word));
    });
  });
  return [...new Set(words)].map((word) => ({ word, text: texts.get(word) ?? "" }));
}

/** Of several options with one name, the first. */
function unique(options: readonly UsageOption[]): UsageOption[] {
  return [...new Map([...options].reverse().map((option) => [option.name, option])).values()].reverse();
}
