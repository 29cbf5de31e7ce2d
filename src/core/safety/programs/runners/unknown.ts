import { type Reason, reasonOf } from "../../../../shared/reason.ts";
import type { Word } from "../../shells/shell-words.ts";
import { mayBecomeOption } from "../option-tables.ts";
import type { Profile, ProgramCall } from "../profile.ts";
import { notCovered } from "./ecosystems.ts";
import { coversOption, hasOptions, takesValue } from "./entry-options.ts";
import { programOf, runsBehind } from "./runners.ts";

/** Options that in every program at hand only change what is shown. */
const PLAIN_SHORT = /^-[vqhnalst1V]+$/;
const PLAIN_LONG =
  /^--(?:help|version|verbose|quiet|silent|all|list|long|short|json|no-color|no-colour|colou?r(?:=(?:auto|always|never))?|no-pager|dry-run|check|nocapture|release|workspace|offline|locked|frozen|no-watch|watch=false)$/;

const BUILDERS = /^(?:\.\/)?(?:mvn|gradle|ant|sbt)w?$/;

/** Every further word is one more goal, task, target or session to run. */
const RUNS_GOALS =
  /^(?:mvnw?|mvnd|gradlew?|ant|sbt|mill|lein|rake|just|task|mage|invoke|inv|doit|jake|nox|tox|grunt|gulp|ninja|scons|waf|xmake|gmake|nmake|bmake|mingw32-make|fastlane|run-s|run-p|npm-run-all|turbo|lerna|rush|pre-commit)$/;

/** Letters that elsewhere only change what is shown, and here rewrite files, load one or act on something. */
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

/** As the first word, a subcommand that installs, writes, sends or signs in, whatever else the program does. */
const SETS_UP =
  /^(?:init|create|new|add|install(?:-.*)?|i|remove|uninstall|upgrade|update|self-update|migrate|generate|gen|codegen|scaffold|bootstrap|setup|publish|deploy|release|eject|link|unlink|login|logout|exec|dlx|merge-reports)$/;

/** The subcommand of this kind that a program's words begin with behind the first `listed` of them. */
export function setsUp(name: string, words: readonly string[], listed: number): string | undefined {
  const first = words.find(
    (text, i) => i >= listed && !text.startsWith("-") && !takesValue(name, words[i - 1] ?? ""),
  );
  return first !== undefined && SETS_UP.test(first) ? first : undefined;
}

/**
 * Programs of which nothing is known beyond that someone allowed them: operands are what was allowed, options only
 * those that mean the same everywhere, or that the entry names.
 */
export const unknown: Profile = {
  judge({ name, words, entry, shell }) {
    const texts = words.map(({ text }) => text);
    if (runsBehind([name, ...texts], entry)) return reasonOf("runs-commands", name);
    const more = notCovered({ name, words, entry });
    if (more) return more;
    const program = programOf(name);
    const sets = hasOptions(name) ? setsUp(name, texts, entry.length - 1) : undefined;
    if (sets) return reasonOf("not-listed", sets);
    // An entry that names files was seen with them, and says nothing of others.
    const seen = entry.slice(1).some((text) => /[./\\:=]/.test(text));
    for (const [i, word] of words.entries()) {
      const { text } = word;
      if (mayBecomeOption(word)) return reasonOf("pattern-option", text);
      if (seen && !text.startsWith("-") && !entry.includes(text)) return reasonOf("not-listed", text);
      if (entry.slice(1).includes(text) || text === "--" || text === "-") continue;
      if (coversOption(name, entry, text, texts[i + 1])) continue;
      if (RUNS_GOALS.test(program) && !text.startsWith("-")) return reasonOf("not-listed", text);
      // MSBuild's switches, and those of programs of Windows, begin so as well.
      if (text.startsWith("/") && (program === "dotnet" || shell === "cmd" || shell === "powershell"))
        return reasonOf("option", text.replace(/[=:].*$/s, ""));
      const letters = OWN_MEANING.get(program);
      if (letters && /^-[^-]/.test(text) && letters.test(text)) return reasonOf("option", text);
      // Files of settings, and of the log.
      if (BUILDERS.test(name) && /^-[a-z]*[slt]/.test(text)) return reasonOf("option", text);
      if (/^-/.test(text) && !PLAIN_SHORT.test(text) && !PLAIN_LONG.test(text))
        return reasonOf("option", text.replace(/=.*$/s, ""));
      if (/^[+@]/.test(text)) return reasonOf("read-as-option", text);
    }
    return undefined;
  },
};

/** make: the targets of the entry; further targets, variables and options ask. */
export const make: Profile = {
  judge({ words, entry }: ProgramCall) {
    const odd = words.find(({ text }) => !entry.slice(1).includes(text) && !/^-(?:[ksn]|j\d*)$/.test(text));
    return odd && reasonOf("not-listed", odd.text);
  },
};

/** Options of git's changing subcommands that run programs or reach elsewhere. */
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

/** Why these words ask behind a git subcommand that changes something and is on the list, or undefined. */
export function riskyGit(words: Word[], listed: string[]): Reason | undefined {
  for (const word of words) {
    const { text } = word;
    if (mayBecomeOption(word)) return reasonOf("pattern-option", text);
    if (listed.includes(text)) continue;
    if (RISKY.test(text)) return reasonOf("option", text.replace(/=.*$/s, ""));
    const name = /^--([a-z][a-z-]*)/.exec(text)?.[1];
    if (name !== undefined && ABBREVIATED.some((full) => full.startsWith(name)))
      return reasonOf("option", `--${name}`);
    if (/^-[A-Za-z]*[oOcCeEfFiIxXuSDtp]/.test(text)) return reasonOf("option", text);
    // A remote helper: git runs a program by this name, or any command for ext::.
    if (/(?:^|=)[a-z][a-z0-9+.-]*::/i.test(text)) return reasonOf("git-helper", text);
    if (/^\+/.test(text)) return reasonOf("git-force", text);
  }
  return undefined;
}
