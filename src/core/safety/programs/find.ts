import { type Reason, reasonOf } from "../../../shared/reason.ts";
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

/** find: tests and printing to standard output; -exec, -delete, -fprint and whatever is unknown ask. */
export const find: Profile = { judge, files: () => [] };

function judge({ words }: ProgramCall): Reason | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    const { text } = word;
    // A dot in the pattern keeps what it matches from being one of find's own words, which have none.
    if (word.glob !== undefined && /^[*?[]/.test(word.glob) && !/\.[A-Za-z]\w*$/.test(word.glob))
      return reasonOf("pattern-option", text);
    if (PLAIN.has(text) || OPERATORS.has(text) || /^-O[0-3]$/.test(text)) continue;
    if (VALUED.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
      const value = words[++i];
      if (!value) return reasonOf("options-of-program", text);
      if (value.glob !== undefined && !/\.[A-Za-z]\w*$/.test(value.glob) && /^[*?[]/.test(value.glob))
        return reasonOf("pattern-several-files", value.text);
      if (
        /^-[a-z]{2}/.test(value.text) &&
        !/^-(?:newer|perm)$/.test(text) &&
        text !== "-name" &&
        text !== "-iname"
      )
        return reasonOf("options-of-program", value.text);
      if (/^-(?:exec|ok|delete|fprint|fls|files0)/.test(value.text))
        return reasonOf("option-of-program", "find", value.text);
      continue;
    }
    if (text.startsWith("-")) return reasonOf("option-of-program", "find", text);
  }
  return undefined;
}
