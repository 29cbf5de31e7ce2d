/** The words for what happens to stored sessions. */
import type { Translate } from "./task-words.ts";

/** Codes as `core/sessions/problems.ts` has them; an unknown one is said as its detail. */
export function storeProblemText(t: Translate, code: string, detail: string): string {
  switch (code) {
    case "newer-version":
      return t(
        "The sessions of this project were written by a newer version of Nekode. They can be read; update Nekode to go on with them.",
      );
    case "database-damaged":
      return t(
        "The file of this project's sessions was damaged. It was set aside, and all that could be read of it was taken over: {0}",
        detail,
      );
    case "journal-damaged":
      return t(
        "A journal of this project's sessions was damaged. It was set aside, and all that could be read of it was taken over: {0}",
        detail,
      );
    case "database-restored":
      return t(
        "The file of this project's sessions was damaged. Everything was restored from its previous version and the journals; the damaged file was set aside. Nothing is lost. ({0})",
        databaseFaultText(t, detail),
      );
    case "journal-restored":
      return t(
        "A journal of this project's sessions was damaged. Everything was restored from its copy: {0} changes. Nothing is lost.",
        detail,
      );
    case "journal-foreign":
      return t(
        "A journal of another project was found among this project's sessions. It was set aside: {0} changes.",
        detail,
      );
    case "payload-lost":
      return t(
        "A file with a long text of these tasks is damaged or missing. The text is marked where it was: {0}",
        detail === "" ? "?" : detail,
      );
    case "rows-unreadable":
      return t(
        "Some entries of this project's sessions cannot be read. They are left out, or shown as far as possible: {0}",
        detail,
      );
    case "message-unreadable":
      return t(
        "A message of this session cannot be read. It stays on the disk and is not shown: {0}",
        detail,
      );
    case "record-unusable":
      return t("A change that another version of Nekode stored could not be used: {0}", detail);
    case "checkpoint-failed":
      return t(
        "The file of this project's sessions could not be rewritten. Nothing is lost; is the disk full? {0}",
        detail,
      );
    default:
      return detail;
  }
}

/** Codes as `core/sessions/exchange.ts` has them. */
export function importRefusalText(t: Translate, code: string, detail: string): string {
  switch (code) {
    case "too-large":
      return t("This file is too large to be a session.");
    case "not-json":
      return t("This file is not JSON, so it is no exported session.");
    case "not-ours":
      return t("This file is not a session that Nekode exported.");
    case "newer-version":
      return t("This session was exported by a newer version of Nekode.");
    default:
      return t("This session is damaged and was not taken in: {0}", detail);
  }
}

/** What was wrong with the file of a project's sessions; anything else is shown as it is. */
function databaseFaultText(t: Translate, fault: string): string {
  switch (fault) {
    case "missing":
      return t("the file was missing");
    case "checksum":
      return t("its checksum did not match");
    case "outdated":
      return t("it was an older version of the file");
    case "foreign":
      return t("it belonged to another project");
    case "unreadable":
      return t("it could not be read");
    default:
      return fault;
  }
}
