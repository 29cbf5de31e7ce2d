import type { Word } from "../words.ts";
import { notCovered } from "./ecosystems.ts";
import { coversOption } from "./entry-options.ts";
import { mayBecomeOption } from "./options.ts";
import type { Profile, ProgramCall } from "./profile.ts";
import { runsBehind } from "./runners.ts";

/** Options that in every program at hand only change what is shown. */
const PLAIN_SHORT = /^-[vqhnalst1V]+$/;
const PLAIN_LONG =
  /^--(?:help|version|verbose|quiet|silent|all|list|long|short|json|no-color|no-colour|colou?r(?:=(?:auto|always|never))?|no-pager|dry-run|check|nocapture|release|workspace|offline|locked|frozen|no-watch|watch=false)$/;

const BUILDERS = /^(?:\.\/)?(?:mvn|gradle|ant|sbt)w?$/;

/**
 * Programs of which nothing is known beyond that someone allowed them: operands are what was allowed, options only
 * those that mean the same everywhere, or that the entry names.
 */
export const unknown: Profile = {
  judge({ name, words, entry }) {
    const texts = words.map(({ text }) => text);
    if (runsBehind([name, ...texts], entry)) return `${name} runs other commands`;
    const more = notCovered({ name, words, entry });
    if (more) return more;
    // An entry that names files was seen with them, and says nothing of others.
    const seen = entry.slice(1).some((text) => /[./\\:=]/.test(text));
    for (const [i, word] of words.entries()) {
      const { text } = word;
      if (mayBecomeOption(word)) return `${text} may match a file whose name is an option`;
      if (seen && !text.startsWith("-") && !entry.includes(text))
        return `${text}, which the allow list does not name`;
      if (entry.slice(1).includes(text) || text === "--" || text === "-") continue;
      if (coversOption(name, entry, text, texts[i + 1])) continue;
      // Files of settings, and of the log.
      if (BUILDERS.test(name) && /^-[a-z]*[slt]/.test(text)) return `the option ${text}`;
      if (/^-/.test(text) && !PLAIN_SHORT.test(text) && !PLAIN_LONG.test(text))
        return `the option ${text.replace(/=.*$/s, "")}`;
      if (/^[+@]/.test(text)) return `${text}, which some programs read as an option or a file of options`;
    }
    return undefined;
  },
};

/** make: the targets of the entry; further targets, variables and options ask. */
export const make: Profile = {
  judge({ words, entry }: ProgramCall) {
    const odd = words.find(({ text }) => !entry.slice(1).includes(text) && !/^-(?:[ksn]|j\d*)$/.test(text));
    return odd && `${odd.text}, which the allow list does not name`;
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
export function riskyGit(words: Word[], listed: string[]): string | undefined {
  for (const word of words) {
    const { text } = word;
    if (mayBecomeOption(word)) return `${text} may match a file whose name is an option`;
    if (listed.includes(text)) continue;
    if (RISKY.test(text)) return `the option ${text.replace(/=.*$/s, "")}`;
    const name = /^--([a-z][a-z-]*)/.exec(text)?.[1];
    if (name !== undefined && ABBREVIATED.some((full) => full.startsWith(name)))
      return `the option --${name}`;
    if (/^-[A-Za-z]*[oOcCeEfFiIxXuSDtp]/.test(text)) return `the option ${text}`;
    // A remote helper: git runs a program by this name, or any command for ext::.
    if (/(?:^|=)[a-z][a-z0-9+.-]*::/i.test(text)) return `${text}, which names a helper program`;
    if (/^\+/.test(text)) return `${text}, which forces`;
  }
  return undefined;
}
