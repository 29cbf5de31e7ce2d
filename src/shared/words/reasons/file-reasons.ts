/** The words for reasons about paths and the files that a command touches. */
import type { FileReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const fileWords: WordsOf<FileReasons> = {
  "path-unresolved": (t) => t("the location that the path resolves to could not be determined"),
  "path-unusable": (t) => t("the path is not valid"),
  "alternate-data-stream": (t) => t("the path may refer to a hidden part of a file"),
  "path-on-another-machine": (t) => t("the path may be on another computer"),
  "marked-read-only": (t) => t("the settings mark the file as read-only"),
  "project-folder-itself": (t) => t("the path is the project folder itself"),
  "reads-folder": (t, path) => t("the command reads all files in {0}, which may contain secrets", path),
  "ignored-file": (t) => t("the path is listed in .nekodeignore"),
  "ignored-name": (t, path) => t("{0} is listed in .nekodeignore", path),
  "pattern-several-files": (t, word) => t("{0} may match several files", word),
  "pattern-option": (t, word) => t("{0} may match a file name that is read as an option", word),
  "pattern-secret": (t, word, name) => t("{0} may match {1}, which may contain secrets", word, name),
  "outside-project": (t, path) => t("{0} is outside the project", path),
  "original-of-copy": (t, path) =>
    t("{0} belongs to the original project, and this task changes only its copy", path),
  "link-elsewhere": (t, path) => t("{0} may resolve to another location through a link", path),
  "steers-what-runs": (t, name) => t("{0} controls what runs on this computer", name),
  "git-hook": (t) => t("the file is a Git hook, which Git runs automatically"),
  "package-scripts": (t) => t("package.json contains scripts that can be run by name"),
  "composer-scripts": (t) => t("composer.json contains scripts and plugins that Composer runs"),
  "cargo-build": (t) => t("Cargo.toml specifies what runs during the build"),
  "secret-file": (t, name) => t("{0} may contain secrets", name),
  "configured-secret": (t, setting) => t("{0} in the Git configuration may contain secrets", setting),
  "history-secret": (t, name) =>
    t("{0}, which is in the repository or was in it before, may contain secrets", name),
  "other-programs-memory": (t) => t("/proc exposes the memory and environment of other programs"),
  "short-name": (t, name) => t("{0} may be the short name of a protected file", name),
  "windows-device": (t, name) => t("{0} is a device name on Windows", name),
};
