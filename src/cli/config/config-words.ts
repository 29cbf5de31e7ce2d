/** What is wrong with the configuration file, and what to do, in words. */
import { type ConfigError, pathText } from "../../node/config/user-config.ts";
import { expectedText } from "../../shared/words/issue-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";

/** Names the file, the line, the key and the remedy. */
export function configErrorText(t: Translate, { file, fault }: ConfigError): string {
  const place = t("{0}, line {1}:", file, fault.line);
  switch (fault.code) {
    case "not-json":
      return `${place} ${
        fault.cut
          ? t("The file ends too early, as if it had been cut off.")
          : t("The file is not valid JSON.")
      } ${t("Correct it in an editor, or rename it to start with an empty configuration. Nekode did not change it.")}`;
    case "later-version":
      return `${place} ${t("The file has version {0}, which a later version of Nekode wrote. Update Nekode, or use another folder with --config-dir.", fault.version)}`;
    case "has-key":
      return `${place} ${t("{0} contains a key. Keys do not belong in this file: remove it, put the key in an environment variable, and name that variable in keyEnv.", pathText(fault.path))}`;
    case "invalid":
      return `${place} ${t("{0} is invalid.", pathText(fault.path))} ${expectedText(t, fault.issue)}`.trimEnd();
  }
}

export function unknownKeyText(
  t: Translate,
  file: string,
  { path, line }: { path: readonly (string | number)[]; line: number },
): string {
  return `${t("{0}, line {1}:", file, line)} ${t("{0} is unknown and has no effect.", pathText(path))}`;
}
