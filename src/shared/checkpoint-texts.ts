/** The words for what checkpoints report, for every host. */
import type { CheckpointView } from "./event.ts";
import type { Translate } from "./texts.ts";

/** Why changes that a command made cannot be taken back. */
export function uncoveredText(t: Translate, why: NonNullable<CheckpointView["uncovered"]>): string {
  switch (why) {
    case "no-repository":
      return t(
        "Not a git repository: only the agent's own edits can be taken back, not what commands changed.",
      );
    case "no-git":
      return t("Git was not found: only the agent's own edits can be taken back, not what commands changed.");
    case "too-many":
      return t(
        "Too many untracked files: only the agent's own edits can be taken back, not what commands changed.",
      );
    case "some-folders":
      return t(
        "Not every folder of this workspace is a git repository: there, only the agent's own edits can be taken back.",
      );
    case "failed":
      return t("The repository could not be read: only the agent's own edits can be taken back.");
  }
}
