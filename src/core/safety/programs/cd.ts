/** Changing the folder, in every shell: accepts one folder named by the words, which working-folders.ts then checks. */
import { reasonOf } from "../../../shared/reason.ts";
import type { SimpleCommand } from "../shells/shell-words.ts";
import type { Profile, ProgramCall } from "./profile.ts";

const NAME = /^(?:cd|chdir|set-location|sl)$/i;

/** Whether this command may change the folder, judged by its name in any shell. */
export function isCd(command: SimpleCommand): boolean {
  return NAME.test(command.words[0]?.text ?? "");
}

/** Returns the folder as written; undefined if the words leave it open. */
export function cdTarget({ words }: SimpleCommand): string | undefined {
  const rest = words.slice(1);
  while (rest[0] && /^(?:-[PL]|--|-(?:literal)?path|\/d)$/i.test(rest[0].text)) rest.shift();
  const [to, ...more] = rest;
  if (!to || to.unknown || more.length > 0 || (!to.literal && to.text.startsWith("~"))) return undefined;
  if (to.glob !== undefined || /^[-+]|^$|[*?[\]`\n\t]/.test(to.text)) return undefined;
  // `C:` and `C:src` refer to the current folder of that drive.
  if (/^[A-Za-z]:(?![\\/])|^[\\/]{2}|.:.*:/.test(to.text)) return undefined;
  return to.text;
}

export const cd: Profile = {
  judge({ name, words }: ProgramCall) {
    const command = { words: [{ text: name, start: 0, end: 0, literal: true }, ...words] };
    return cdTarget(command) === undefined ? reasonOf("leaves-folder") : undefined;
  },
  files: () => [],
};
