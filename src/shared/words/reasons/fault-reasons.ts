/** The words for reasons why a file, a page, a repository or a server could not be used. */
import type { FaultReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const faultWords: WordsOf<FaultReasons> = {
  /** The error message of the disk, of git or of a server. */
  "system-error": (_, words) => words,
  "no-such-file": (t) => t("the path does not exist"),
  "no-permission": (t) => t("permission to open the path was denied"),
  "is-a-folder": (t) => t("the path is a folder"),
  "not-a-regular-file": (t) => t("the path is not a regular file"),
  "link-circle": (t) => t("the path is a link that refers to itself"),
  "path-too-long": (t) => t("the path is too long"),
  "file-too-large": (t, size) => t("the file is too large: {0}", size),
  "file-changed": (t) => t("the file changed in the meantime"),
  "front-matter-not-yaml": (t, line) => t("the front matter is not valid YAML: line {0}", line),
  "front-matter-field": (t, field) => t("{0} in the front matter must be text or a list of texts", field),
  "front-matter-too-large": (t, limit) => t("the front matter is larger than {0}", limit),
  "folder-moved": (t) => t("the folder now resolves to another location"),
  "not-saved": (t) => t("the file could not be saved"),
  "content-not-kept": (t) => t("the content was not backed up"),
  "page-timeout": (t, seconds) => t("the page did not load within {0} s", seconds),
  "headless-shell": (t) =>
    t(
      "Chromium's headless shell does not keep pages from private addresses; install Chrome, Chromium or Edge, and set nekode.browser.path to it",
    ),
  "server-status": (t, status) => t("the server responded with {0}", status),
  "endless-redirects": (t) => t("the page redirects too many times"),
  "not-an-address": (t) => t("the URL is not valid"),
  "not-http": (t) => t("only http and https URLs can be fetched"),
  "address-with-password": (t) => t("a URL with a user name or password cannot be fetched"),
  "address-with-key": (t) => t("the URL contains an API key"),
  "no-address": (t, host) => t("the host {0} was not found", host),
  "not-public": (t, host) => t("{0} is this computer or is on a private network", host),
  "not-a-page": (t, type) => t("the URL returned {0}, not a page", type),
  "page-not-text": (t) => t("the content is not text"),
  "git-missing": (t) => t("Git is not installed"),
  "git-timeout": (t) => t("Git did not respond in time"),
  "not-in-repository": (t) => t("the folder is not in a Git repository"),
  "not-a-commit": (t) => t("the text is not a commit hash"),
  "repository-bare": (t) =>
    t("the repository is bare: it has no working tree; open a folder in which a branch is checked out"),
  "repository-empty": (t) => t("the repository has no commit; create one first"),
  "revision-unknown": (t, revision) => t("the repository has no revision {0}", revision),
  "git-outdated": (t, version) => t("this requires Git {0} or later", version),
  "git-identity": (t) =>
    t("Git does not know who you are; set user.name and user.email with git config --global"),
  "git-merging": (t) =>
    t("a merge, rebase or cherry-pick is in progress in the folder; finish or abort it first"),
  "git-filter": (t, path) =>
    t(
      "{0} is converted by a program, such as Git LFS, that Nekode does not run; use git for this step",
      path,
    ),
  "disk-full": (t) => t("the disk is full"),
  "worktree-gone": (t) => t("the worktree no longer exists"),
  "worktree-locked": (t, path) => t("the worktree is locked; run git worktree unlock {0} first", path),
  "worktree-busy": (t) => t("another window or terminal is creating or removing the worktree"),
  "worktree-branch": (t, branch) =>
    t("the worktree no longer has its branch {0} checked out; switch to it first", branch),
  "worktree-setup": (t, output) => t("the setup command failed: {0}", output),
  "memory-unusable": (t, file) => t("{0} is too large or not readable as text", file),
  "server-url": (t) => t("the URL of the server must begin with http:// or https://"),
  "variable-unset": (t, names) => t("a variable is not set: {0}", names),
  "variable-unsupported": (t, names) => t("a variable is not supported: {0}", names),
  "variable-needs-folder": (t, name) => t("{0} requires an open folder", name),
  "input-unanswered": (t, id) => t("no value was entered for {0}", id),
  "input-unset": (t, variable) =>
    t("a value is required, and there is no terminal to ask on; set the environment variable {0}", variable),
  "config-not-json": (t, line) =>
    t("the configuration file is not valid JSON (line {0}); correct it first", line),
  "unusable-server-name": (t, name) =>
    t("{0} cannot be used as a name, which consists of letters from a to z, digits, - and _", name),
  "quote-not-closed": (t) => t("a quotation mark is not closed"),
  "no-server-in-text": (t) => t("the text contains no configuration of an MCP server"),
};
