/** Reasons of the judge of paths, and those about the files that a command touches. */
import type { FileReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const fileWords: WordsOf<FileReasons> = {
  "output-unresolved": (t) => t("its configuration says where it writes, and that could not be found out"),
  "path-unresolved": (t) => t("where the path leads could not be found out"),
  "path-unusable": (t) => t("it is no path that can be used"),
  "alternate-data-stream": (t) => t("the path may name a hidden part of a file"),
  "path-on-another-machine": (t) => t("the path may be on another machine"),
  "project-folder-itself": (t) => t("it is the project's folder itself"),
  "reads-secret-file": (t, path) => t("it reads {0}, which may hold secrets", path),
  "reads-ignored-file": (t, path) => t("it reads {0}, which .nekodeignore names", path),
  "folder-not-searchable": (t, path) => t("{0} cannot be looked through for secrets", path),
  "ignored-file": (t) => t("it is named in .nekodeignore"),
  "ignored-name": (t, path) => t("{0} is named in .nekodeignore", path),
  "pattern-several-files": (t, word) => t("{0} may match several files", word),
  "pattern-option": (t, word) => t("{0} may match a file whose name is an option", word),
  "pattern-secret": (t, word, name) => t("{0} may match {1}, which may hold secrets", word, name),
  "outside-project": (t, path) => t("{0} is outside the project", path),
  "link-elsewhere": (t, path) => t("{0} may lead somewhere else through a link", path),
  "steers-what-runs": (t, name) => t("{0} steers what runs on this computer", name),
  "git-hook": (t) => t("it is a git hook, which git runs by itself"),
  "package-scripts": (t) => t("package.json holds scripts that run by name"),
  "cargo-build": (t) => t("Cargo.toml names what runs while it is built"),
  "secret-file": (t, name) => t("{0} may hold secrets", name),
  "configured-secret-file": (t, path) => t("{0}, which git's configuration names, may hold secrets", path),
  "configured-secret": (t, setting) => t("{0} in git's configuration may hold secrets", setting),
  "other-programs-memory": (t) => t("/proc shows other programs' memory and environment"),
  "short-name": (t, name) => t("{0} may be the short name of a protected file", name),
  "windows-device": (t, name) => t("{0} is the name of a device on Windows", name),
};
