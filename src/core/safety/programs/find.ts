import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import type { Profile, ProgramCall } from "./profile.ts";

const PLAIN = new Set(
  "-H -L -P -E -x -d -depth -mount -xdev -follow -true -false -readable -writable -executable -ls -print -print0 -prune -quit -empty -nouser -nogroup -daystart -noleaf -ignore_readdir_race -warn -nowarn -not -a -and -o -or".split(
    " ",
  ),
);
const VALUED = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -user -group -perm -links -inum -samefile -lname -ilname -uid -gid -used -fstype -printf".split(
    " ",
  ),
);
const OPERATORS = new Set(["!", "(", ")", ","]);

/** find: accepts tests and printing to standard output; -exec, -delete, -fprint and everything unknown ask. */
export const find: Profile = { judge, files: () => [] };

function judge({ words }: ProgramCall): Reason | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    const { text } = word;
    if (mayBecomeKeyword(word)) return reasonOf("pattern-option", text);
    if (PLAIN.has(text) || OPERATORS.has(text) || /^-O[0-3]$/.test(text)) continue;
    if (VALUED.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
      const odd = oddValue(text, words[++i]);
      if (odd) return odd;
      continue;
    }
    if (text.startsWith("-")) return reasonOf("option-of-program", "find", text);
  }
  return undefined;
}

/** A dot in the pattern prevents its matches from being one of find's own keywords, which contain none. */
function mayBecomeKeyword({ glob }: Word): boolean {
  return glob !== undefined && /^[*?[]/.test(glob) && !/\.[A-Za-z]\w*$/.test(glob);
}

/** Returns why the value of a test requires approval. */
function oddValue(test: string, value: Word | undefined): Reason | undefined {
  if (!value) return reasonOf("options-of-program", test);
  const { text } = value;
  if (mayBecomeKeyword(value)) return reasonOf("pattern-several-files", text);
  if (/^-[a-z]{2}/.test(text) && !/^-(?:newer|perm|i?name)$/.test(test))
    return reasonOf("options-of-program", text);
  return /^-(?:exec|ok|delete|fprint|fls|files0)/.test(text)
    ? reasonOf("option-of-program", "find", text)
    : undefined;
}
