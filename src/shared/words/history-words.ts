/** The words for problems of stored sessions and of session imports. */
import type { Translate } from "./task-words.ts";

/** Codes from `core/sessions/problems.ts`; an unknown code is shown as its detail. */
export function storeProblemText(t: Translate, code: string, detail: string): string {
  switch (code) {
    case "newer-version":
      return t(
        "The sessions of this project were written by a newer version of Nekode and are read-only. Update Nekode to continue them.",
      );
    case "database-damaged":
      return t(
        "The session file of this project was damaged and moved aside. Everything that could be restored is here; some changes may be missing: {0}",
        detail,
      );
    case "journal-damaged":
      return t(
        "A session journal of this project was damaged. It was moved aside, and all readable content was recovered: {0}",
        detail,
      );
    case "database-restored":
      return t(
        "The session file of this project was damaged. Everything was restored from its previous version and the journals, and the damaged file was moved aside. Nothing was lost. ({0})",
        databaseFaultText(t, detail),
      );
    case "journal-restored":
      return t(
        "A session journal of this project was damaged. Everything was restored from its copy (changes: {0}). Nothing was lost.",
        detail,
      );
    case "journal-foreign":
      return t(
        "A journal of another project was found among this project's sessions and moved aside (changes: {0}).",
        detail,
      );
    case "payload-lost":
      return t(
        "A file that stores long text of these sessions is damaged or missing. The missing text is marked: {0}",
        detail === "" ? "?" : detail,
      );
    case "rows-unreadable":
      return t(
        "Some entries in this project's sessions cannot be read. They are omitted or shown as far as possible: {0}",
        detail,
      );
    case "message-unreadable":
      return t("A message in this session cannot be read. It stays on disk but is not shown: {0}", detail);
    case "record-unusable":
      return t("A change stored by another version of Nekode could not be used: {0}", detail);
    case "checkpoint-failed":
      return t(
        "The session file of this project could not be written. Nothing was lost. Check whether the disk is full. {0}",
        detail,
      );
    case "not-synced":
      return t(
        "The last changes to this project's sessions could not be synced to the disk. A power failure could erase them. Check the disk. {0}",
        detail,
      );
    default:
      return detail;
  }
}

/** Codes from `core/sessions/exchange.ts`. */
export function importRefusalText(t: Translate, code: string, detail: string): string {
  switch (code) {
    case "too-large":
      return t("This file is too large to be a session.");
    case "not-json":
      return t("This file is not JSON, so it is not an exported session.");
    case "not-ours":
      return t("This file is not a session exported by Nekode.");
    case "newer-version":
      return t("This session was exported by a newer version of Nekode.");
    default:
      return t("This session is damaged and was not imported: {0}", detail);
  }
}

/** What is wrong with the file of a project's sessions; other errors are shown unchanged. */
function databaseFaultText(t: Translate, fault: string): string {
  switch (fault) {
    case "missing":
      return t("the file was missing");
    case "checksum":
      return t("the checksum did not match");
    case "outdated":
      return t("the file was an older version");
    case "foreign":
      return t("the file belonged to another project");
    case "unreadable":
      return t("the file could not be read");
    default:
      return fault;
  }
}
