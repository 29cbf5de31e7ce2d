/** The words for what is wrong with hooks. */
import type { HookReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const hookWords: WordsOf<HookReasons> = {
  "hook-event-unknown": (t, name) => t("Nekode has no hook event named {0}", name),
  "hook-type-unsupported": (t, type) => t("hooks of the type {0} are not supported; only commands run", type),
  "hook-command-missing": (t) => t("the hook has no command for this operating system"),
  "hook-matcher-unusable": (t, matcher) =>
    t("the matcher {0} is not a valid regular expression, or could take too long", matcher),
  "hook-changed": (t) => t("the hook or a file that it runs changed since you approved it"),
  "hook-gone": (t) => t("the hook is no longer configured"),
  "hook-managed": (t, managedBy, hash) => t("{0} does not allow this hook (hash {1})", managedBy, hash),
  "hook-unapproved": (t) => t("you have not approved the hook"),
};
