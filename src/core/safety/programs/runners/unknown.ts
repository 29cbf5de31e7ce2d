import { type Reason, reasonOf } from "../../../../shared/reason.ts";
import { isWindowsShell, type Word } from "../../shells/shell-words.ts";
import { mayBecomeOption } from "../option-tables.ts";
import type { Profile, ProgramCall } from "../profile.ts";
import { notCovered } from "./ecosystems.ts";
import { coversOption, hasOptions, takesValue } from "./entry-options.ts";
import { programOf, runsBehind } from "./runners.ts";

/** Options that only change the output in every known program. */
const PLAIN_SHORT = /^-[vqhnalst1V]+$/;
const PLAIN_LONG =
  /^--(?:help|version|verbose|quiet|silent|all|list|long|short|json|no-color|no-colour|colou?r(?:=(?:auto|always|never))?|no-pager|dry-run|check|nocapture|release|workspace|offline|locked|frozen|no-watch|watch=false)$/;

const BUILDERS = /^(?:\.\/)?(?:mvn|gradle|ant|sbt)w?$/;

/** Programs for which each further word is another goal, task, target or session to run. */
const RUNS_GOALS =
  /^(?:mvnw?|mvnd|gradlew?|ant|sbt|mill|lein|rake|just|task|mage|invoke|inv|doit|jake|nox|tox|grunt|gulp|ninja|scons|waf|xmake|gmake|nmake|bmake|mingw32-make|fastlane|run-s|run-p|npm-run-all|turbo|lerna|rush|pre-commit)$/;

/** Letters that only change the output elsewhere, but here rewrite or load files, or perform an action. */
const OWN_MEANING = new Map<string, RegExp>([
  ["rubocop", /a/],
  ["standardrb", /a/],
  ["mocha", /n/],
  ["phpstan", /a/],
  ["psalm", /a/],
  ["task", /t/],
  ["mount", /a/],
  ["nginx", /s/],
  ["dotnet", /[aslnt1V]/],
]);

/** First words that are subcommands which install, write, send or sign in, whatever else the program does. */
const SETS_UP =
  /^(?:init|create|new|add|install(?:-.*)?|i|remove|uninstall|upgrade|update|self-update|migrate|generate|gen|codegen|scaffold|bootstrap|setup|publish|deploy|release|eject|link|unlink|login|logout|exec|dlx|merge-reports)$/;

/** Returns the subcommand of this kind at the start of a program's words, after the first `listed` of them. */
export function setsUp(name: string, words: readonly string[], listed: number): string | undefined {
  const first = words.find(
    (text, i) => i >= listed && !text.startsWith("-") && !takesValue(name, words[i - 1] ?? ""),
  );
  return first !== undefined && SETS_UP.test(first) ? first : undefined;
}

/**
 * Programs about which nothing is known except that they were allowed. Operands must be those that were allowed;
 * options only those that mean the same everywhere, or that the entry contains.
 */
export const unknown: Profile = {
  judge({ name, words, entry, shell }) {
    const texts = words.map(({ text }) => text);
    if (runsBehind([name, ...texts], entry)) return reasonOf("runs-commands", name);
    const more = notCovered({ name, words, entry });
    if (more) return more;
    const sets = hasOptions(name) ? setsUp(name, texts, entry.length - 1) : undefined;
    if (sets) return reasonOf("not-listed", sets);
    // An entry that names files was approved with these files and does not cover others.
    const seen = entry.slice(1).some((text) => /[./\\:=]/.test(text));
    for (const [i, word] of words.entries()) {
      const { text } = word;
      if (mayBecomeOption(word)) return reasonOf("pattern-option", text);
      if (seen && !text.startsWith("-") && !entry.includes(text)) return reasonOf("not-listed", text);
      if (entry.slice(1).includes(text) || text === "--" || text === "-") continue;
      const odd = coversOption(name, entry, text, texts[i + 1]) ? undefined : oddWord(text, name, shell);
      if (odd) return odd;
    }
    return undefined;
  },
};

/** Returns why a word that the entry does not cover requires approval. */
function oddWord(text: string, name: string, shell: ProgramCall["shell"]): Reason | undefined {
  const program = programOf(name);
  const isOption = text.startsWith("-");
  if (RUNS_GOALS.test(program) && !isOption) return reasonOf("not-listed", text);
  // Switches of MSBuild and of Windows programs also begin with a slash.
  if (text.startsWith("/") && (program === "dotnet" || isWindowsShell(shell)))
    return reasonOf("option", text.replace(/[=:].*$/s, ""));
  if (/^-[^-]/.test(text) && OWN_MEANING.get(program)?.test(text)) return reasonOf("option", text);
  // These options name files with settings, or log files.
  if (BUILDERS.test(name) && /^-[a-z]*[slt]/.test(text)) return reasonOf("option", text);
  if (isOption && !PLAIN_SHORT.test(text) && !PLAIN_LONG.test(text))
    return reasonOf("option", text.replace(/=.*$/s, ""));
  return /^[+@]/.test(text) ? reasonOf("read-as-option", text) : undefined;
}

/** make: accepts the targets of the entry; other targets, variables and options ask. */
export const make: Profile = {
  judge({ words, entry }: ProgramCall) {
    const odd = words.find(({ text }) => !entry.slice(1).includes(text) && !/^-(?:[ksn]|j\d*)$/.test(text));
    return odd && reasonOf("not-listed", odd.text);
  },
};

/** Options of git's changing subcommands that run programs or reach other places. */
const RISKY =
  /^--?(?:exec|upload-pack|receive-pack|config|template|output|hook|editor|edit|open|server-option|separate-git-dir|reference|shared|signoff-by|gpg-sign|interactive|patch|remote|recurse-submodules|force|force-with-lease|delete|mirror|prune|hard|pathspec-from-file|exclude-from|ignore-revs-file|contents|stdin|add-file|add-virtual-file|textconv|ext-diff|no-index|file|run|strategy|tool|extcmd|dir-diff|command|filter|trailer|keep|allow-[a-z-]+|no-verify)(?:$|[-=])/i;
const ABBREVIATED = [
  "upload-pack",
  "receive-pack",
  "exec",
  "config",
  "template",
  "output",
  "edit",
  "force",
  "no-verify",
  "gpg-sign",
  "hard",
  "file",
  "pathspec-from-file",
  "exclude-from",
  "contents",
  "stdin",
  "add-file",
  "textconv",
  "ext-diff",
];

/**
 * Returns why these words ask after a git subcommand that changes something and is on the list; otherwise undefined.
 */
export function riskyGit(words: Word[], listed: string[]): Reason | undefined {
  for (const word of words) {
    const { text } = word;
    if (mayBecomeOption(word)) return reasonOf("pattern-option", text);
    const reason = listed.includes(text) ? undefined : riskyGitWord(text);
    if (reason) return reason;
  }
  return undefined;
}

/** Returns why a word that the entry does not contain asks; otherwise undefined. */
function riskyGitWord(text: string): Reason | undefined {
  if (RISKY.test(text)) return reasonOf("option", text.replace(/=.*$/s, ""));
  const name = /^--([a-z][a-z-]*)/.exec(text)?.[1];
  if (name !== undefined && ABBREVIATED.some((full) => full.startsWith(name)))
    return reasonOf("option", `--${name}`);
  if (/^-[A-Za-z]*[oOcCeEfFiIxXuSDtp]/.test(text)) return reasonOf("option", text);
  // A remote helper: git runs a program with this name, or any command for ext::.
  if (/(?:^|=)[a-z][a-z0-9+.-]*::/i.test(text)) return reasonOf("git-helper", text);
  return /^\+/.test(text) ? reasonOf("git-force", text) : undefined;
}
