import type { Word } from "../words.ts";
import { mayBecomeOption } from "./options.ts";
import type { Profile } from "./profile.ts";

/** Parts of option names that mostly mean: run this, write there, load that. */
const RISKY =
  /^--?(?:exec|execute|eval|command|cmd|run|shell|script|pre|post|hook|pager|editor|output|out|write|save|report-file|log-file|logfile|file|fix|in-place|inplace|overwrite|update|delete|remove|force|config|rcfile|init-file|init|rc|plugin|plugins|require|import|load|loader|preload|include|env|setopt|to-command|use-compress-program|compress-program|checkpoint-action|rsh|upload-pack|receive-pack|template|prefix|directory|root|chdir|cwd|globalsetup|global-setup|setup|setupfiles|node-options|userconfig|globalconfig|registry|proxy|target-dir|manifest-path|cache-dir|toolchain|install|publish|upload|host|address|listen|port)(?:$|[-=:])|(?:-|^--?)(?:file|dir|output|cmd|command|script|exec|program|hook|plugin|pager|editor|shell)(?:$|[=:])/i;

/** Options that programs with abbreviations would also take by a first part of their name. */
const ABBREVIATED = [
  "upload-pack",
  "receive-pack",
  "exec",
  "config",
  "template",
  "output",
  "command",
  "eval",
  "require",
  "import",
  "script-shell",
];

/** Why these words ask with a program of which nothing is known, or undefined. */
export function suspicious(words: Word[], listed: string[] = []): string | undefined {
  for (const word of words) {
    if (mayBecomeOption(word)) return `${word.text} may match a file whose name is an option`;
    if (listed.includes(word.text)) continue;
    const { text } = word;
    if (text === "--") return undefined;
    if (RISKY.test(text)) return `the option ${text.replace(/=.*$/s, "")}`;
    const name = /^--([a-z][a-z-]+)/.exec(text)?.[1];
    if (name !== undefined && ABBREVIATED.some((full) => full.startsWith(name)))
      return `the option --${name}`;
    // A remote helper: git runs a program by this name, or any command for ext::.
    if (/^[a-z][a-z0-9+.-]*::/i.test(text)) return `${text}, which names a helper program`;
    if (/^-[^-]*[oOcCeEfirIRx]/.test(text) && /^-[A-Za-z]/.test(text)) return `the option ${text}`;
    if (/^\+|^@/.test(text)) return `${text}, which some programs read as an option or a file of options`;
  }
  return undefined;
}

/** Programs without a table of their own: plain operands and options that do not look like running or writing. */
export const unknown: Profile = { judge: ({ words, entry }) => suspicious(words, entry.slice(1)) };
