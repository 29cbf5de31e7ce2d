/** Reasons why a file, a page or a repository could not be used. */
import type { FaultReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const faultWords: WordsOf<FaultReasons> = {
  /** The words of the disk, of git or of a server. */
  "system-error": (_, words) => words,
  "no-such-file": (t) => t("it does not exist"),
  "no-permission": (t) => t("there is no permission to open it"),
  "is-a-folder": (t) => t("it is a folder"),
  "not-a-regular-file": (t) => t("it is not a regular file"),
  "link-circle": (t) => t("it is a link that leads to itself"),
  "path-too-long": (t) => t("its path is too long"),
  "file-too-large": (t, size) => t("it is too large ({0})", size),
  "file-changed": (t) => t("it changed in the meantime"),
  "folder-moved": (t) => t("its folder leads somewhere else now"),
  "not-saved": (t) => t("it could not be saved"),
  "content-not-kept": (t) => t("its content was not kept"),
  "page-timeout": (t, seconds) => t("the page did not load within {0} s", seconds),
  "server-status": (t, status) => t("the server answered with {0}", status),
  "endless-redirects": (t) => t("the page redirects without end"),
  "not-an-address": (t) => t("it is not a web address"),
  "not-http": (t) => t("only http and https addresses can be fetched"),
  "address-with-password": (t) => t("an address with a user name or password is not fetched"),
  "no-address": (t, host) => t("{0} was not found", host),
  "not-public": (t, host) => t("{0} is this machine or in a private network", host),
  "not-a-page": (t, type) => t("the address holds {0}, not a page", type),
  "page-not-text": (t) => t("it is not text"),
  "git-missing": (t) => t("git is not installed"),
  "git-timeout": (t) => t("git did not answer in time"),
  "not-in-repository": (t) => t("the folder is not in a git repository"),
  "not-a-commit": (t) => t("it is not the hash of a commit"),
};
