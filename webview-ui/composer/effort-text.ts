import type { Effort } from "../../src/shared/models/model-protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

export function effortText(t: Translate, effort: Effort): string {
  switch (effort) {
    case "default":
      return t("Effort: default");
    case "none":
      return t("Effort: none");
    case "low":
      return t("Effort: low");
    case "medium":
      return t("Effort: medium");
    case "high":
      return t("Effort: high");
  }
}
