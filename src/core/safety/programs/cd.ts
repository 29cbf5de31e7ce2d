/** Changing the folder, in every shell: to one folder that the words name, which working-folders.ts then looks at. */
import { reasonOf } from "../../../shared/reason.ts";
import type { SimpleCommand } from "../shells/shell-words.ts";
import type { Profile, ProgramCall } from "./profile.ts";

const NAME = /^(?:cd|chdir|set-location|sl)$/i;

/** Whether this command may change the folder: by its name, whatever shell it is for. */
export function isCd(command: SimpleCommand): boolean {
  return NAME.test(command.words[0]?.text ?? "");
}

/** The folder, as written; undefined where the words leave open which one it is. */
export function cdTarget({ words }: SimpleCommand): string | undefined {
  const rest = words.slice(1);
  while (rest[0] && /^(?:-[PL]|--|-(?:literal)?path|\/d)$/i.test(rest[0].text)) rest.shift();
  const [to, ...more] = rest;
  if (!to || to.unknown || more.length > 0 || (!to.literal && to.text.startsWith("~"))) return undefined;
  if (to.glob !== undefined || /^[-+]|^$|[*?[\]`\n\t]/.test(to.text)) return undefined;
  // `C:` and `C:src` lead to wherever that drive is at.
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
