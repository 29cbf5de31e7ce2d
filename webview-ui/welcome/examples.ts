import { mentionText } from "../../src/shared/mentions.ts";
import type { Example } from "../../src/shared/welcome/welcome-protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

/** The text of an example, which the composer receives. */
export function exampleText(t: Translate, { code, value }: Example): string {
  switch (code) {
    case "explain":
      return t("Explain how this project is structured");
    case "start":
      return t("Create a small web page with a clock");
    case "fix-lint":
      return t("Run `{0}` and fix what it reports", value);
    case "fix-tests":
      return t("Run `{0}` and fix what fails", value);
    case "write-tests":
      return t("Write tests for {0}", mentionText(value));
    case "write-readme":
      return t("Write a README for this project");
    case "find-bug":
      return t("Find and fix a bug in {0}", mentionText(value));
  }
}
