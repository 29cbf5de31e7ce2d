/** `cd` and its relatives. */
import type { SimpleCommand, Word } from "../shells/shell-words.ts";

const NAME = /^(?:cd|chdir|set-location|sl|pushd|push-location|popd|pop-location)$/i;

/** Whether this command may change the folder, judged by its name in any shell. */
export function isCd(command: SimpleCommand): boolean {
  return NAME.test(command.words[0]?.text ?? "");
}

/** Returns the folder that the words after `cd` name, as written; undefined if they leave it open. */
export function cdTarget(words: readonly Word[]): string | undefined {
  const first = words.findIndex(({ text }) => !/^(?:-[PL]|--|-(?:literal)?path|\/d)$/i.test(text));
  const [to, ...more] = first < 0 ? [] : words.slice(first);
  if (!to || to.unknown || more.length > 0 || (!to.literal && to.text.startsWith("~"))) return undefined;
  if (to.glob !== undefined || /^[-+]|^$|[*?[\]`\n\t]/.test(to.text)) return undefined;
  // `C:` and `C:src` refer to the current folder of that drive.
  if (/^[A-Za-z]:(?![\\/])|^[\\/]{2}|.:.*:/.test(to.text)) return undefined;
  return to.text;
}
