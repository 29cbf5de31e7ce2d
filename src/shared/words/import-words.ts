/** The words for importing sessions of other agents. */
import { sizeText } from "./checkpoint-words.ts";
import type { Translate } from "./task-words.ts";

/** What of another product could not be listed, and why. */
export function findProblemText(t: Translate, { code, path }: { code: string; path: string }): string {
  switch (code) {
    case "link":
      return t("Not read, because it is a link: {0}", path);
    case "too-large":
      return t("Not read, because it is too large: {0}", path);
    case "unknown-version":
      return t("Not read, because this version of the format is not known: {0}", path);
    case "without-newest":
      return t("Without the newest messages, because its write-ahead log could not be read: {0}", path);
    default:
      return t("Could not be read: {0}", path);
  }
}

/** Why a session was not imported. `detail`: of an unexpected error. */
export function importFaultText(t: Translate, code: string, detail: string): string {
  switch (code) {
    case "no-messages":
      return t("It contains no messages.");
    case "not-json":
      return t("A file of the session is damaged.");
    case "too-large":
      return t("A file of the session is too large.");
    case "missing":
      return t("The session no longer exists.");
    case "unknown-version":
      return t("This version of the format is not known.");
    default:
      return detail;
  }
}

/** The number of sessions, and the size of their files. */
export function foundText(t: Translate, count: number, bytes: number): string {
  const size = sizeText(bytes);
  return count === 1 ? t("1 session, {0}", size) : t("{0} sessions, {1}", count, size);
}

export interface ImportCounts {
  imported: number;
  known: number;
  failed: number;
}

export function importedText(t: Translate, counts: ImportCounts, isDryRun = false): string {
  const { imported, known, failed } = counts;
  return [
    isDryRun ? t("Would be imported: {0}.", imported) : t("Imported: {0}.", imported),
    t("Imported before: {0}.", known),
    t("Could not be imported: {0}.", failed),
  ].join(" ");
}

/** What an imported session lacks; "": nothing that could not be read. */
export function lossText(t: Translate, unreadable: number): string {
  if (unreadable === 0) return "";
  return unreadable === 1 ? t("1 entry could not be read.") : t("{0} entries could not be read.", unreadable);
}
