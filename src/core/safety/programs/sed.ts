import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { ofProgram, readProgramOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

/** sed: printing and plain substitution; in-place editing, script files, and the commands e, r, w ask. */
export const sed: Profile = { judge, files };

const TABLE = {
  short: "nErsuz",
  valued: "e",
  long: "quiet silent regexp-extended separate unbuffered null-data zero-terminated posix debug sandbox version help",
  longValued: "expression",
};

function judge({ words }: ProgramCall): Reason | undefined {
  const read = readProgramOptions(words, TABLE);
  if ("fault" in read) return ofProgram("sed", read.fault);
  const scripts = read.options
    .filter((o) => o.name === "-e" || o.name === "--expression")
    .map((o) => o.value ?? "");
  const operands = [...read.positionals, ...read.rest];
  if (scripts.length === 0) {
    const [script] = operands;
    if (!script) return read.options.length > 0 ? undefined : reasonOf("missing-argument", "sed");
    if (!script.literal) return reasonOf("script-changed-by-shell");
    scripts.push(script.text);
  }
  const odd = scripts.find((script) => !isPlainSed(script));
  return odd === undefined ? undefined : reasonOf("script-writes-or-runs");
}

function files({ words }: ProgramCall) {
  const read = readProgramOptions(words, TABLE);
  if ("fault" in read) return words;
  const operands = [...read.positionals, ...read.rest];
  return read.options.some((o) => o.name === "-e" || o.name === "--expression")
    ? operands
    : operands.slice(1);
}

/**
 * A pattern and the delimiter that ends it, where both readings of brackets (GNU's and BSD's) agree on its end.
 * `loose`: the delimiter may occur in brackets.
 */
function pattern(delimiter: string, loose: boolean): string {
  const other = `(?!${delimiter})`;
  const classes = [...".:="].map(
    (sign) => String.raw`\[${other}[${sign}](?:(?![${sign}]\])${other}[^])*[${sign}]\]`,
  );
  const member = String.raw`${loose ? "" : other}[^\\\n\][]|\[(?![.:=])|${classes.join("|")}`;
  // A backslash is literal in BSD and an escape in GNU: the rest of the bracket must mean the same in both.
  const afterBackslash = String.raw`\\(?!\])(?:${other}[^\]\\])*\]`;
  const brackets = String.raw`\[(?:\^|(?!\^))(?:\]|(?!\]))(?:${member})*(?:\]|${afterBackslash})`;
  return String.raw`(?:${other}[^\\\n[]|\\[^\n]|${brackets})*${delimiter}`;
}

/** A command with a pattern and a replacement. */
function substitution(command: string, loose: boolean): string {
  const delimiter = String.raw`\k<${command}>`;
  return String.raw`${command}(?<${command}>[/|#,:@%!_+~])${pattern(delimiter, loose)}(?:(?!${delimiter})[^\\\n]|\\[^])*${delimiter}`;
}

/** One plain command with its addresses and the separators after it. `loose` also accepts labels and jumps. */
function commandForm(loose: boolean): RegExp {
  const address = String.raw`(?:\d+(?:~\d+)?|\$|/${pattern("/", loose)}[IM]*)`;
  const addresses = String.raw`(?:${address}(?: *, *(?:[+~]\d+|${address}))?)?`;
  const label = String.raw`[A-Za-z0-9_]+(?=[;\n}]|$)`;
  const commands = [
    "(?<close>})",
    "[pdgGhHxDPnN=]",
    String.raw`[qQl](?: *\d+)?`,
    `${substitution("s", loose)}[gpiIM0-9]*`,
    substitution("y", loose),
    ...(loose ? [`:${label}`, String.raw`[bt](?:${label}|(?=[;\n}]|$))`] : []),
  ];
  return new RegExp(
    String.raw`^${addresses}[ !]*(?:(?<open>{)|(?:${commands.join("|")})(?=[ \t]*(?:$|[;\n}])))[ \t\n;]*`,
  );
}

const COMMAND = commandForm(false);
/** For scripts without the letters w, W, e, r, R: however a sed parses them, no command writes, runs or reads files. */
const LOOSE_COMMAND = commandForm(true);

/** Whether a script consists of addresses, labels, p d q = n N g G h H x D P l, s and y without writing or running. */
export function isPlainSed(script: string): boolean {
  const form = /[wWerR]/.test(script) ? COMMAND : LOOSE_COMMAND;
  let depth = 0;
  for (let rest = script.replace(/^[ \t\n;]+/, ""); rest !== ""; ) {
    const command = form.exec(rest);
    if (!command) return false;
    if (command.groups?.open) depth++;
    if (command.groups?.close && --depth < 0) return false;
    rest = rest.slice(command[0].length);
  }
  return depth === 0;
}
