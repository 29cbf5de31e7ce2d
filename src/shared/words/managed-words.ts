/** Texts about what the administrator of this computer manages. */

import type { ManagedItem } from "../managed-list.ts";
import { accessClassSchema, levelSchema } from "../permission/levels.ts";
import { unreachable } from "../unreachable.ts";
import { accessTitle, levelTitle } from "./permission-words.ts";
import type { Translate } from "./task-words.ts";

/** `file`: the path of the policy. */
export function managedTitle(t: Translate, { managedBy, file }: { managedBy: string; file: string }): string {
  return t("Managed by {0}: {1}", managedBy, file);
}

export function managedItemText(t: Translate, { code, values }: ManagedItem): string {
  const all = values.join(", ");
  const [first = ""] = values;
  switch (code) {
    case "endpoints":
      return all === "" ? t("Endpoints: none is allowed") : t("Endpoints: only {0}", all);
    case "models":
      return all === "" ? t("Models: none is allowed") : t("Models: only {0}", all);
    case "level":
      return t("Permissions: at most “{0}”", levelTitle(t, levelSchema.parse(first)));
    case "asks":
      return t(
        "Always asks: {0}",
        values.map((name) => accessTitle(t, accessClassSchema.parse(name))).join(", "),
      );
    case "sandbox":
      return t("Commands that run without asking run in the sandbox only");
    case "servers":
      return allowedText(t, t("MCP servers"), first);
    case "plugins":
      return allowedText(t, t("Plugins"), first);
    case "hooks":
      return allowedText(t, t("Hooks"), first);
    case "export":
      return t("Sessions cannot be exported");
    case "cost-per-task":
      return t("A task may cost at most {0} USD", first);
    case "cost-per-day":
      return t("Requests of a day may cost at most {0} USD", first);
    case "telemetry-off":
      return t("Telemetry cannot be exported");
    case "telemetry":
      return values[1] === undefined
        ? t("Telemetry is exported to {0}, without contents", first)
        : t("Telemetry is exported to {0}, with contents", first);
    default:
      return unreachable(code);
  }
}

/** `count`: "0" if none is. */
function allowedText(t: Translate, what: string, count: string): string {
  return count === "0"
    ? t("{0}: none is allowed", what)
    : t("{0}: only those with one of {1} hashes", what, count);
}
